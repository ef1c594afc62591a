// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AppAPI
import AuthTypes
import HTTPTypes
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// What a bound token opens, and how (RFC 9449, section 7): UserInfo and the app's own API.
@Suite struct BoundTokenTests {
    private struct Scene {
        let bench: ProviderBench
        let api: HTTPBench
        let key: ProofKey
        let token: String

        init() async throws {
            let bench = try await ProviderBench()
            self.bench = bench
            let app = AppAPI(
                accounts: bench.accounts.flows, tokens: bench.provider.tokens, issuers: [bench.provider],
                clock: { bench.now })
            api = HTTPBench(clock: bench.accounts.clock, surfaces: app.surfaces, errors: app.errors) {
                app.addRoutes(to: $0, routes: $1, url: ServerURL(ProviderBench.url))
            }
            key = try ProofKey(bench)
            let reply = try await bench.exchange(
                bench.code(bench.signedIn()), headers: try key.headers(and: bench.basic))
            token = try #require(reply["access_token"]?.stringValue, "\(reply.text)")
        }

        /// The same of UserInfo and of the app's API.
        func both(
            _ headers: (String) throws -> HTTPFields, _ check: (HTTPBench.Reply) -> Void
        ) async throws {
            check(try await bench.get("/oauth2/userInfo", headers: try headers("/oauth2/userInfo")))
            check(try await api.send(.get, "/v1/me", headers: try headers("/v1/me")))
        }
    }

    @Test("R11.8 RFC 9449, section 7.1: a bound token opens by DPoP with a proof of key, token and request, once")
    func opens() async throws {
        let scene = try await Scene()
        try await scene.both({ try scene.key.opening(scene.token, "GET", $0) }) { reply in
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["sub"] == .string(scene.bench.user.id.rawValue))
            #expect(reply[header: "dpop-nonce"]?.isEmpty == false)
        }
        let post = try await scene.bench.send(
            .post, "/oauth2/userInfo", headers: try scene.key.opening(scene.token, "POST"))
        #expect(post.status == 200)
        for path in ["/oauth2/userInfo", "/v1/me"] {
            let headers = try scene.key.opening(scene.token, "GET", path)
            var statuses: [Int] = []
            for _ in 0..<2 {
                let reply =
                    path == "/v1/me"
                    ? try await scene.api.send(.get, path, headers: headers)
                    : try await scene.bench.get(path, headers: headers)
                statuses.append(reply.status)
            }
            #expect(statuses == [200, 401], "\(path): a proof is good once")
        }
    }

    @Test("R11.8 RFC 9449, section 7.2: a bound token as Bearer is refused, and so is an unbound one by DPoP")
    func downgrade() async throws {
        let scene = try await Scene()
        try await scene.both({ _ in ProviderBench.bearer(scene.token) }) { reply in
            #expect(reply.status == 401)
            let challenge = reply.headers[.wwwAuthenticate] ?? ""
            #expect(challenge.hasPrefix("DPoP ") && challenge.contains(#"error="invalid_token""#), "\(challenge)")
            #expect(challenge.contains(#"algs="ES256 "#))
        }
        let plain = try #require(try await scene.bench.tokens()["access_token"]?.stringValue)
        try await scene.both({ try scene.key.opening(plain, "GET", $0) }) { reply in
            #expect(reply.status == 401 && reply.headers[.wwwAuthenticate]?.hasPrefix("DPoP ") == true)
        }
        let form = try await scene.bench.post("/oauth2/userInfo", [("access_token", scene.token)])
        #expect(form.outcome == "401 invalid_token")
        // Without credentials nobody is told of anything else than before.
        try await scene.both({ _ in [:] }) { #expect($0.headers[.wwwAuthenticate] == #"Bearer realm="latchkey""#) }
    }

    @Test("R11.8 RFC 9449, section 7.1: another key, method, path, token or time, and no proof at all, open nothing")
    func wrong() async throws {
        let scene = try await Scene()
        let other = try ProofKey(scene.bench)
        let old = JSONObject(dictionaryLiteral: ("iat", .integer(scene.bench.now.seconds - 120)))
        func check(_ name: String, _ headers: (String) throws -> HTTPFields) async throws {
            try await scene.both(headers) { reply in
                #expect(reply.status == 401, "\(name): \(reply.text)")
                #expect(reply.headers[.wwwAuthenticate]?.hasPrefix("DPoP ") == true, "\(name)")
            }
        }
        try await check("another key") { try other.opening(scene.token, "GET", $0) }
        try await check("another method") { try scene.key.opening(scene.token, "POST", $0) }
        try await check("another path") { _ in try scene.key.opening(scene.token, "GET", "/oauth2/token") }
        try await check("another time") { try scene.key.opening(scene.token, "GET", $0, old) }
        try await check("another token") { path in
            [.authorization: "DPoP " + scene.token, .dpop: try scene.key.proof("GET", path, token: "x")]
        }
        try await check("no ath") { [.authorization: "DPoP " + scene.token, .dpop: try scene.key.proof("GET", $0)] }
        try await check("no proof") { _ in [.authorization: "DPoP " + scene.token] }
        try await check("a broken one") { _ in [.authorization: "DPoP " + scene.token, .dpop: "x"] }
        try await check("a broken token") { try scene.key.opening(scene.token + "x", "GET", $0) }
        try await check("two proofs") { path in
            var headers = try scene.key.opening(scene.token, "GET", path)
            headers.append(HTTPField(name: .dpop, value: try scene.key.proof("GET", path, token: scene.token)))
            return headers
        }
        scene.bench.accounts.advance(by: .seconds(3601))
        try await check("an expired token") { try scene.key.opening(scene.token, "GET", $0) }
    }

    @Test("R11.8 RFC 9449, section 9: where nonces are wanted, each place says which, and it works at both")
    func nonces() async throws {
        let scene = try await Scene()
        try await scene.bench.accounts.change { $0.sessions.requiresProofNonces = true }
        var nonces: Set<String> = []
        try await scene.both({ try scene.key.opening(scene.token, "GET", $0) }) { reply in
            #expect(reply.status == 401)
            #expect(reply.headers[.wwwAuthenticate]?.contains(#"error="use_dpop_nonce""#) == true)
            if let nonce = reply[header: "dpop-nonce"] { nonces.insert(nonce) }
        }
        let nonce = try #require(nonces.first)
        #expect(nonces.count == 1, "one Directory, one nonce")
        try await scene.both({ try scene.key.opening(scene.token, "GET", $0, ["nonce": .string(nonce)]) }) {
            #expect($0.status == 200, "\($0.text)")
        }
    }
}
