// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// Tokens that are bound to a key of the client's (DPoP; RFC 9449), at the token endpoint and where requests are
/// pushed.
@Suite struct ProofTests {
    private static let par = "/oauth2/par"

    @Test(
        "R11.8 RFC 9449, sections 5 and 6: with a proof every grant gives a token of type DPoP that names the key, without one none"
    )
    func grants() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let key = try ProofKey(bench)
        let first = try await bench.exchange(
            bench.code(browser), headers: try key.headers(and: bench.basic))
        let refreshed = try await bench.refresh(
            first["refresh_token"]?.stringValue, headers: try key.headers(and: bench.basic))
        let own = try await bench.post(
            "/oauth2/token", [("grant_type", "client_credentials")], headers: try key.headers(and: bench.basic))
        for reply in [first, refreshed, own] {
            #expect(reply.status == 200 && reply["token_type"] == "DPoP", "\(reply.text)")
            let token = reply["access_token"]?.stringValue
            #expect(try await bench.claims(token)["cnf"] == ["jkt": .string(key.thumbprint)])
            let seen = try await bench.introspect(token)
            #expect(seen["cnf"] == ["jkt": .string(key.thumbprint)] && seen["token_type"] == "DPoP")
            #expect(reply[header: "dpop-nonce"]?.isEmpty == false)
        }
        #expect(try await bench.claims(first["id_token"]?.stringValue)["cnf"] == nil)
        let plain = try await bench.tokens(browser)
        #expect(plain["token_type"] == "Bearer" && plain[header: "dpop-nonce"] == nil)
        let token = plain["access_token"]?.stringValue
        #expect(try await bench.claims(token)["cnf"] == nil)
        #expect(try await bench.introspect(token)["token_type"] == "Bearer")
    }

    @Test("R11.8 RFC 9449, section 5: a public client's refresh tokens are of the key that they were given to")
    func refreshTokens() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let (key, other) = (try ProofKey(bench), try ProofKey(bench))
        let first = try await bench.exchange(bench.code(browser, bench.app), bench.app, headers: try key.headers())
        let token = first["refresh_token"]?.stringValue
        let app: [String: String?] = ["client_id": bench.app.id.rawValue]
        #expect(try await bench.introspect(token) == ["active": false], "another client's")
        for headers in [[:], try other.headers()] as [HTTPFields] {
            let refused = try await bench.refresh(token, app, headers: headers)
            #expect(refused.outcome == "400 invalid_grant", "\(refused.text)")
        }
        let again = try await bench.refresh(token, app, headers: try key.headers())
        #expect(again.status == 200 && again["token_type"] == "DPoP", "\(again.text)")
        // A client that proves itself may change its key: its tokens are bound to itself (section 5).
        let web = try await bench.exchange(bench.code(browser), headers: try key.headers(and: bench.basic))
        let moved = try await bench.refresh(
            web["refresh_token"]?.stringValue, headers: try other.headers(and: bench.basic))
        #expect(
            try await bench.claims(moved["access_token"]?.stringValue)["cnf"] == ["jkt": .string(other.thumbprint)])
    }

    @Test("R11.8 RFC 9449, section 10: a code of dpop_jkt is worth something to its key alone")
    func codes() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let (key, other) = (try ProofKey(bench), try ProofKey(bench))
        for client in [bench.web, bench.app] {
            let more = client.id == bench.web.id ? bench.basic : [:]
            for headers in [more, try other.headers(and: more)] {
                let code = try await bench.code(browser, client, ["dpop_jkt": key.thumbprint])
                #expect(try await bench.exchange(code, client, headers: headers).outcome == "400 invalid_grant")
            }
            let code = try await bench.code(browser, client, ["dpop_jkt": key.thumbprint])
            let reply = try await bench.exchange(code, client, headers: try key.headers(and: more))
            #expect(reply["token_type"] == "DPoP", "\(reply.text)")
        }
        for text in ["x", key.thumbprint + "A", "ä"] {
            let reply = try await browser.authorize(bench.request(nil, ["dpop_jkt": text]))
            #expect(reply.answer["error"] == "invalid_request", "\(text)")
        }
    }

    @Test(
        "R11.8 RFC 9449, section 10.1: a proof where a request is pushed binds its code, and must agree with dpop_jkt")
    func pushed() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let (key, other) = (try ProofKey(bench), try ProofKey(bench))
        func push(_ jkt: String?, _ proof: String) async throws -> HTTPBench.Reply {
            try await bench.post(
                Self.par, bench.request(nil, ["dpop_jkt": jkt]), headers: try key.headers(proof, and: bench.basic))
        }
        for jkt in [nil, key.thumbprint] {
            for (headers, outcome) in [
                (bench.basic, "400 invalid_grant"), (try other.headers(and: bench.basic), "400 invalid_grant"),
                (try key.headers(and: bench.basic), "200 "),
            ] {
                let reply = try await push(jkt, try key.proof("POST", Self.par))
                #expect(reply.status == 201 && reply[header: "dpop-nonce"] != nil, "\(reply.text)")
                let uri = reply["request_uri"]?.stringValue ?? ""
                let answer = try await browser.authorize([
                    ("client_id", bench.web.id.rawValue), ("request_uri", uri),
                ])
                let code = try #require(answer.answer["code"])
                #expect(try await bench.exchange(code, headers: headers).outcome == outcome)
            }
        }
        #expect(
            try await push(other.thumbprint, key.proof("POST", Self.par)).outcome == "400 invalid_dpop_proof")
        #expect(try await push(nil, key.proof()).outcome == "400 invalid_dpop_proof", "a proof for another endpoint")
    }

    @Test("R11.8 RFC 9449, section 5: a proof that is not one is invalid_dpop_proof, and uses no code up")
    func wrong() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        let key = try ProofKey(bench)
        let code = try await bench.code(browser)
        let spent = try key.proof()
        #expect(
            try await bench.post(
                "/oauth2/token", [("grant_type", "client_credentials")],
                headers: try key.headers(spent, and: bench.basic)
            ).status == 200)
        let old = bench.now.seconds - 61
        for proof in [
            "", "x", "a.b.c", String(repeating: "x", count: 9000), spent, try key.proof("GET"),
            try key.proof("POST", "/oauth2/par"), try key.proof("POST", "/oauth2/token", ["iat": .integer(old)]),
            try key.proof("POST", "/oauth2/token", ["jti": ""]), try ProofKey(bench, .rs256).proof(),
            try JWS.sign(["jti": "x"], with: key.key),
        ] {
            let reply = try await bench.exchange(code, headers: try key.headers(proof, and: bench.basic))
            #expect(reply.outcome == "400 invalid_dpop_proof", "\(proof.prefix(20)): \(reply.text)")
            #expect(reply.headers[.cacheControl] == "no-store" && reply["error_description"] != nil)
        }
        var twice = bench.basic
        for _ in 0..<2 { twice.append(HTTPField(name: .dpop, value: try key.proof())) }
        #expect(try await bench.exchange(code, headers: twice).outcome == "400 invalid_dpop_proof")
        #expect(try await bench.exchange(code, headers: try key.headers(and: bench.basic)).status == 200)
    }

    @Test("R11.8 RFC 9449, section 11.1: of one proof that comes fifty times at once, one is taken")
    func replay() async throws {
        let bench = try await ProviderBench()
        let key = try ProofKey(bench)
        let headers = try key.headers(and: bench.basic)
        let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await bench.post("/oauth2/token", [("grant_type", "client_credentials")], headers: headers)
                        .outcome
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == "200 " }.count == 1)
        #expect(outcomes.filter { $0 == "400 invalid_dpop_proof" }.count == 49)
    }

    @Test(
        "R11.8 RFC 9449, section 8: where nonces are wanted a proof without a fresh one is told which, and may come again"
    )
    func nonces() async throws {
        let bench = try await ProviderBench()
        let key = try ProofKey(bench)
        func own(_ changes: JSONObject = [:]) async throws -> HTTPBench.Reply {
            let proof = try key.proof("POST", "/oauth2/token", changes)
            return try await bench.post(
                "/oauth2/token", [("grant_type", "client_credentials")],
                headers: try key.headers(proof, and: bench.basic))
        }
        // One that nobody gave out is refused also where none is wanted.
        let foreign = try await own(["nonce": "eyJhbGciOiJIUzI1NiJ9"])
        #expect(foreign.outcome == "400 use_dpop_nonce")
        try await bench.accounts.change { $0.sessions.requiresProofNonces = true }
        let refused = try await own()
        #expect(refused.outcome == "400 use_dpop_nonce")
        let nonce = try #require(refused[header: "dpop-nonce"])
        let good = try await own(["nonce": .string(nonce)])
        #expect(good.status == 200 && good[header: "dpop-nonce"] == nonce, "\(good.text)")
        bench.accounts.advance(by: .seconds(400))
        let late = try await own(["nonce": .string(nonce)])
        #expect(late.outcome == "400 use_dpop_nonce" && late[header: "dpop-nonce"] != nonce)
        // A page of the client's may read it.
        let reply = try await bench.post(
            "/oauth2/token", [("grant_type", "refresh_token"), ("client_id", bench.app.id.rawValue)],
            headers: try key.headers(and: [.origin: "https://app.example"]))
        #expect(reply[header: "access-control-expose-headers"]?.contains("DPoP-Nonce") == true)
    }

    @Test("R11.8 RFC 9449, section 5.2: a client that is registered for bound tokens gets no others")
    func registered() async throws {
        let bench = try await ProviderBench { $0.authorization.isDPoPBound = true }
        let browser = try await bench.signedIn()
        let key = try ProofKey(bench)
        let code = try await bench.code(browser)
        #expect(try await bench.exchange(code).outcome == "400 invalid_dpop_proof")
        #expect(try await bench.clientCredentials().outcome == "400 invalid_dpop_proof")
        let first = try await bench.exchange(code, headers: try key.headers(and: bench.basic))
        #expect(first["token_type"] == "DPoP", "\(first.text)")
        #expect(try await bench.refresh(first["refresh_token"]?.stringValue).outcome == "400 invalid_dpop_proof")
        // It says at the authorization endpoint which key, or not (section 10).
        #expect(try await bench.post(Self.par, bench.request(), headers: bench.basic).status == 201)
    }
}
