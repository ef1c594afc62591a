// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import ServerKit

@Suite("Refusals by a rate limit")
struct RateLimitRefusalTests {
    private struct NoLinks: VerificationLinks {
        func link(for _: OneTimeToken.Purpose, token _: String, redirectTo: String, in _: Directory) -> String { "" }
    }

    private final class Noted: Sendable {
        let refusals = Mutex<[RateLimitRefusal]>([])
    }

    private func call(_ dialect: String) -> CallContext {
        var settings = DirectorySettings()
        settings.limits.signIn = .init(count: 2, seconds: 60)
        var call = CallContext(
            directory: Directory(
                id: DirectoryID("home"), name: "home", settings: settings, tokenKey: Secret([]),
                createdAt: Instant(seconds: 0), updatedAt: Instant(seconds: 0)),
            now: Instant(seconds: 1_700_000_000), device: DeviceMetadata(truncatedAddress: "192.0.2.0"), language: .en,
            links: NoLinks(), dialect: DialectName(dialect))
        call.origin = "192.0.2.77"
        return call
    }

    /// How many of so many calls are let through.
    private func count(_ times: Int, by limiter: RateLimiter, in dialect: String = "alpha") -> Int {
        let limits = AccountLimits(limiter)
        return (0..<times).count { _ in (try? limits.count(.signIn, call: call(dialect))) != nil }
    }

    @Test("R10.3 a caller who can't be told from others takes no limit from them")
    func unknownCallers() {
        var call = call("alpha")
        call.origin = nil
        let limits = AccountLimits(RateLimiter())
        for _ in 1...5 { #expect(throws: Never.self) { try limits.count(.signIn, call: call) } }
    }

    @Test("R8.18 each refusal is told once, by limit, dialect and network, and what is let through is not")
    func told() {
        let noted = Noted()
        let limiter = RateLimiter { refusal in noted.refusals.withLock { $0.append(refusal) } }
        #expect(count(5, by: limiter) == 2)
        let refusals = noted.refusals.withLock { $0 }
        #expect(
            refusals == [RateLimitRefusal](repeating: .init(limit: "sign-in", call: call("alpha")), count: 3))
        #expect(refusals.first?.dialect == "alpha")
        #expect(refusals.first?.client == "192.0.2.0")
    }

    @Test("R8.18 dialects are told apart, and share what they count")
    func dialects() {
        let noted = Noted()
        let limiter = RateLimiter { refusal in noted.refusals.withLock { $0.append(refusal) } }
        #expect(count(2, by: limiter) == 2)
        #expect(count(1, by: limiter, in: "beta") == 0)
        #expect(noted.refusals.withLock { $0.map(\.dialect) } == ["beta"])
    }

    @Test("R8.18 the log and the metrics name the limit, and never what was counted")
    func noted() {
        let (log, metrics) = (LogCapture(), MetricsRegistry())
        let logger = log.json()
        _ = count(4, by: RateLimiter { $0.note(in: logger, metrics) })
        #expect(log.lines.count == 2)
        for part in ["\"notice\"", "\"rate_limit\"", "\"sign-in\"", "\"alpha\"", "\"192.0.2.0\"", "\"home\""] {
            #expect(log.lines.allSatisfy { $0.contains(part) }, "\(part) in \(log.text)")
        }
        #expect(
            metrics.text().contains("latchkey_rate_limit_refusals_total{dialect=\"alpha\",limit=\"sign-in\"} 2"))
        #expect(!(log.text + metrics.text()).contains("192.0.2.77"))
    }
}
