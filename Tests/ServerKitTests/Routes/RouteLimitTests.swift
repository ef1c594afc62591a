// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import ServerKit

@Suite("Limits of routes")
struct RouteLimitTests {
    private struct NoLinks: VerificationLinks {
        func link(for _: OneTimeToken.Purpose, token _: String, redirectTo: String, in _: Directory) -> String { "" }
    }

    private struct Call: LimitedCall {
        var flow: CallContext
        var query: [String: String] = [:]
        var body: [String: String] = [:]

        func memberText(_ name: String) -> String? { body[name] }
    }

    private func call(
        query: [String: String] = [:], body: [String: String] = [:], links: DirectorySettings.LinkConfirmation = .page
    ) -> Call {
        var settings = DirectorySettings()
        settings.oneTime.linkConfirms = links
        settings.limits.verify = .init(count: 2, seconds: 60)
        let flow = CallContext(
            directory: Directory(
                id: DirectoryID("home"), name: "home", settings: settings, tokenKey: Secret([]),
                createdAt: Instant(seconds: 0), updatedAt: Instant(seconds: 0)),
            now: Instant(seconds: 1_700_000_000), device: DeviceMetadata(), language: .en, links: NoLinks())
        return Call(flow: flow, query: query, body: body)
    }

    @Test("R9.4 a call is counted by the first case that holds for what it says, and by the last limit where none does")
    func cases() {
        let limit = RouteLimit.first(
            [
                .when(.query("grant", ["a", "b"]), .refresh), .when(.member("flow", ["c"]), .signUp),
                .when(.anyMember(["email", "phone"]), .user),
                .when(.all([.linkActsAtOnce, .query("mode", ["d"])]), .verify),
            ], otherwise: .link)
        #expect(limit.limit(of: call(query: ["grant": "b"], body: ["email": ""])) == .refresh)
        #expect(limit.limit(of: call(query: ["grant": "A"])) == .link)
        #expect(limit.limit(of: call(body: ["flow": "c", "phone": "1"])) == .signUp)
        #expect(limit.limit(of: call(body: ["flow": "d", "phone": ""])) == .user)
        #expect(limit.limit(of: call(query: ["mode": "d"])) == .link)
        #expect(limit.limit(of: call(query: ["mode": "d"], links: .get)) == .verify)
        #expect(limit.limit(of: call(links: .get)) == .link)
        #expect(RouteLimit.unlimited(.signedIn).limit(of: call()) == nil)
    }

    @Test("R9.4 two routes that count by one limit share it, and another limit of the same setting is counted apart")
    func shared() {
        let limits = AccountLimits()
        let (one, two) = (RouteLimit.by(.verify), RouteLimit.first([], otherwise: .verify))
        #expect(throws: Never.self) { try one.count(call(), by: limits) }
        #expect(throws: Never.self) { try two.count(call(), by: limits) }
        #expect(throws: AuthError(.rateLimited)) { try one.count(call(), by: limits) }
        #expect(throws: AuthError(.rateLimited)) { try two.count(call(), by: limits) }
        #expect(throws: Never.self) { try RouteLimit.by(.link).count(call(), by: limits) }
        #expect(throws: Never.self) { try RouteLimit.unlimited(.publicDocument).count(call(), by: limits) }
    }
}
