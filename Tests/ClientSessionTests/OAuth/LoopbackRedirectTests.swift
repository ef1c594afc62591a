// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientTestSupport
import Foundation
import Testing

@testable import ClientSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct LoopbackRedirectTests {
    func status(_ address: String) async -> Int? {
        guard let url = URL(string: address) else { return nil }
        let response = try? await URLSession.shared.data(from: url).1
        return (response as? HTTPURLResponse)?.statusCode
    }

    @Test("R13.3 H-1 RFC 8252, section 7.3: the browser's redirect to this device is taken once, and nothing else is")
    func redirect() async throws {
        let statuses = Guarded<[Int?]>([])
        let loopback = LoopbackRedirect(clock: SystemClock()) { address in
            // Stands in for the browser.
            Task {
                for path in ["/", "/callback", "/other?code=c", "/callback?code=c&state=s"] {
                    let status = await status(address + path)
                    statuses.withLock { $0.append(status) }
                }
            }
            return true
        }
        let uri = try await loopback.redirectURI(preferred: "http://127.0.0.1/callback")
        #expect(uri.hasPrefix("http://127.0.0.1:") && uri.hasSuffix("/callback") && !uri.contains(":0/"))
        let base = String(uri.dropLast("/callback".count))
        let redirect = try await loopback.authenticate(at: base, redirectingTo: uri, ephemeral: true)
        #expect(redirect == "\(uri)?code=c&state=s")
        #expect(statuses.value.prefix(3) == [404, 404, 404])
        await #expect(throws: WebAuthenticationError.unavailable(reason: "nothing listens at \(uri)")) {
            try await loopback.authenticate(at: base, redirectingTo: uri, ephemeral: true)
        }
    }

    @Test(
        "R13.3 RFC 6749, section 10.12: what does not say the sign-in's own state ends nobody's, be it code or refusal")
    func foreign() async throws {
        let statuses = Guarded<[Int?]>([])
        let loopback = LoopbackRedirect(clock: SystemClock()) { address in
            let base = address.prefix { $0 != "?" }
            Task {
                for path in [
                    "/favicon.ico", "/callback?code=theirs&state=t", "/callback?error=access_denied",
                    "/callback?code=theirs&state=s&state=t", "/callback?code=c&state=s",
                ] {
                    let status = await status(base + path)
                    statuses.withLock { $0.append(status) }
                }
            }
            return true
        }
        let uri = try await loopback.redirectURI(preferred: "http://127.0.0.1/callback")
        let page = uri.dropLast("/callback".count) + "?" + FormFields.encode([("redirect_uri", uri), ("state", "s")])
        let redirect = try await loopback.authenticate(at: String(page), redirectingTo: uri, ephemeral: true)
        #expect(redirect == "\(uri)?code=c&state=s")
        #expect(statuses.value.prefix(4) == [404, 404, 404, 404])
    }

    @Test("R13.3 Whoever connects is heard once, however many connect behind them and say nothing")
    func crowd() async throws {
        let connections = Guarded<[LoopbackConnection]>([])
        let loopback = LoopbackRedirect(clock: SystemClock(), timeout: .seconds(10)) { address in
            guard let port = address.split(separator: ":").last.flatMap({ Int($0) }) else { return false }
            // All of them before the first is listened to, and one more than are listened to at once.
            for number in 0...16 {
                guard let connection = LoopbackConnection(to: port) else { return false }
                connections.withLock { $0.append(connection) }
                guard number == 0 else { continue }
                connection.send("GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
            }
            return true
        }
        defer { for connection in connections.value { connection.close() } }
        let uri = try await loopback.redirectURI(preferred: "http://127.0.0.1/callback")
        let base = String(uri.dropLast("/callback".count))
        #expect(try await loopback.authenticate(at: base, redirectingTo: uri, ephemeral: true) == "\(uri)?code=c")
    }

    @Test("R13.3 A browser that can't be opened, a user who takes too long, and one who gives up are told apart")
    func ends() async throws {
        let clock = ManualClock()
        let closed = LoopbackRedirect(clock: clock) { _ in false }
        let uri = try await closed.redirectURI(preferred: "http://localhost/")
        #expect(uri.hasPrefix("http://localhost:"))
        await #expect(throws: WebAuthenticationError.unavailable(reason: "no browser can be opened")) {
            try await closed.authenticate(at: "https://id.example", redirectingTo: uri, ephemeral: false)
        }
        let slow = LoopbackRedirect(clock: clock, timeout: .minutes(5)) { _ in true }
        let place = try await slow.redirectURI(preferred: "http://127.0.0.1")
        let late = Task {
            try await slow.authenticate(at: "https://id.example", redirectingTo: place, ephemeral: false)
        }
        try await clock.untilSleeping()
        clock.advance(by: .minutes(5))
        await #expect(throws: WebAuthenticationError.timedOut) { try await late.value }
        let again = try await slow.redirectURI(preferred: "http://127.0.0.1")
        let given = Task {
            try await slow.authenticate(at: "https://id.example", redirectingTo: again, ephemeral: false)
        }
        try await clock.untilSleeping()
        given.cancel()
        await #expect(throws: WebAuthenticationError.cancelled) { try await given.value }
    }

    @Test(
        "R13.3 Only this device is listened on",
        arguments: [
            "https://127.0.0.1/c", "http://192.168.0.1/c", "http://127.0.0.1.evil.example/c", "myapp://c", "",
            "http://127.0.0.1:x/c", "http://127.0.0.1:1:2/c", "http://127.0.0.1:99999/c", "http://127.0.0.1/c?d",
            "http://user@localhost/c",
        ])
    func elsewhere(preferred: String) async {
        let loopback = LoopbackRedirect(clock: ManualClock()) { _ in true }
        await #expect(throws: WebAuthenticationError.self) { try await loopback.redirectURI(preferred: preferred) }
    }

    @Test(
        "R13.3 A request by another name, to another path, of another method, or of any length is refused",
        arguments: [
            ("GET /cb?code=c HTTP/1.1\r\nHost: 127.0.0.1:5\r\n\r\n", LoopbackExchange.Outcome.redirect("/cb?code=c")),
            ("GET /cb?code=c HTTP/1.1\r\nAccept: a\r\nHOST:127.0.0.1:5\r\n\r\n", .redirect("/cb?code=c")),
            ("GET /cb?code=c HTTP/1.1\r\nHost: 127.0.0.1:5\r\n", .incomplete), ("", .incomplete),
            ("GET /cb?code=c HTTP/1.1\r\nHost: evil.example:5\r\n\r\n", .refused),
            ("GET /cb?code=c HTTP/1.1\r\nHost: 127.0.0.1:5\r\nHost: evil.example\r\n\r\n", .refused),
            ("GET /cb?code=c HTTP/1.1\r\n\r\n", .refused),
            ("POST /cb?code=c HTTP/1.1\r\nHost: 127.0.0.1:5\r\n\r\n", .refused),
            ("GET /cb/?code=c HTTP/1.1\r\nHost: 127.0.0.1:5\r\n\r\n", .refused),
            ("GET /cb HTTP/1.1\r\nHost: 127.0.0.1:5\r\n\r\n", .refused),
            ("GET http://127.0.0.1:5/cb?code=c HTTP/1.1\r\nHost: 127.0.0.1:5\r\n\r\n", .refused),
            ("\r\n\r\n", .refused), (String(repeating: "a", count: 40_000), .refused),
        ])
    func requests(text: String, outcome: LoopbackExchange.Outcome) {
        var whole = LoopbackExchange(host: "127.0.0.1:5", path: "/cb")
        #expect(whole.take(Array(text.utf8)) == outcome)
        var bits = LoopbackExchange(host: "127.0.0.1:5", path: "/cb")
        var last = LoopbackExchange.Outcome.incomplete
        for byte in text.utf8.prefix(2_000) where last == .incomplete { last = bits.take([byte]) }
        if text.utf8.count < 2_000 { #expect(last == outcome) }
    }

    @Test("R13.3 The page that a browser ends at runs nothing, and says what the app wants said")
    func page() {
        let page = String(decoding: LoopbackExchange.page("Go <back>"), as: UTF8.self)
        #expect(page.contains("<p>Go &lt;back&gt;") && page.contains("default-src 'none'"))
        #expect(page.contains("Cache-Control: no-store") && page.contains("Referrer-Policy: no-referrer"))
    }
}
