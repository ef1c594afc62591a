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

/// A client that is held to the FAPI 2.0 Security Profile, from its registration to its tokens.
@Suite struct SecurityProfileTests {
    private struct Scene {
        let bench: ProviderBench
        let client: Client
        let key: SigningKey
        let proofs: ProofKey

        init(_ algorithm: JWSAlgorithm = .es256, and others: [SigningKey] = []) async throws {
            bench = try await ProviderBench()
            key = try SigningKey.generate(algorithm)
            proofs = try ProofKey(bench)
            var registration = ClientRegistration()
            registration.name = "Bank"
            registration.redirectURIs = [ProviderBench.redirectURI]
            registration.profile = .set(.fapi2)
            registration.keys = .set(try JWKSet(([key] + others).map { try #require($0.publicJWK) }).publicObject)
            registration.consent = .notAsked
            client = try await bench.accounts.flows.clientAdministration.register(
                registration, call: bench.accounts.call())
        }

        /// What the client shows that it is the one.
        func assertion(_ id: String, _ changes: JSONObject = [:], by signer: SigningKey? = nil) throws -> [(
            String, String
        )] {
            var claims: JSONObject = [
                "iss": .string(client.id.rawValue), "sub": .string(client.id.rawValue),
                "aud": .string(ProviderBench.url),
                "jti": .string(id), "exp": .integer(bench.now.seconds + 60), "iat": .integer(bench.now.seconds),
            ]
            for member in changes.members { claims[member.name] = member.value }
            return [
                ("client_assertion_type", ClientCredentials.assertionType),
                ("client_assertion", try JWS.sign(claims, with: signer ?? key)),
            ]
        }

        func push(
            _ id: String, _ changes: [String: String?] = [:], _ assertion: JSONObject = [:]
        ) async throws -> HTTPBench.Reply {
            try await bench.post("/oauth2/par", bench.request(client, changes) + self.assertion(id, assertion))
        }

        /// The code of a request that was pushed.
        func code(_ id: String) async throws -> String {
            let uri = try await push(id)["request_uri"]?.stringValue ?? ""
            let browser = try await bench.signedIn()
            let answer = try await browser.authorize([("client_id", client.id.rawValue), ("request_uri", uri)])
            #expect(answer.answer["iss"] == ProviderBench.url)
            return try #require(answer.answer["code"], "\(answer.text)")
        }

        func token(_ form: [(String, String)], _ id: String, proof: String? = nil) async throws -> HTTPBench.Reply {
            try await bench.post(
                "/oauth2/token", form + assertion(id), headers: try proofs.headers(proof))
        }

        func exchange(_ code: String, _ id: String) async throws -> HTTPBench.Reply {
            try await token(
                [
                    ("grant_type", "authorization_code"), ("code", code), ("code_verifier", ProviderBench.verifier),
                    ("redirect_uri", ProviderBench.redirectURI),
                ], id)
        }
    }

    @Test(
        "R11.8 FAPI 2.0, section 5.3.2: pushed, proved, bound and not rotated: the whole way of a client of the profile"
    )
    func whole() async throws {
        let scene = try await Scene()
        let reply = try await scene.exchange(scene.code("1"), "2")
        #expect(reply.status == 200 && reply["token_type"] == "DPoP", "\(reply.text)")
        let access = reply["access_token"]?.stringValue
        #expect(try ProviderBench.header(access).algorithm == .es256)
        #expect(try ProviderBench.header(reply["id_token"]?.stringValue).algorithm == .es256)
        #expect(
            try await scene.bench.get("/oauth2/userInfo", headers: try scene.proofs.opening(access)).status == 200)
        let refresh = reply["refresh_token"]?.stringValue ?? ""
        for id in ["3", "4"] {
            let again = try await scene.token([("grant_type", "refresh_token"), ("refresh_token", refresh)], id)
            #expect(again.status == 200 && again["token_type"] == "DPoP", "\(again.text)")
            #expect(again["refresh_token"]?.stringValue == refresh, "section 5.3.2.1, item 9: it does not rotate")
        }
    }

    @Test("R11.8 FAPI 2.0, section 5.3.2.2: what was not pushed, has no challenge, or no redirect URI is refused")
    func requests() async throws {
        let scene = try await Scene()
        let browser = try await scene.bench.signedIn()
        #expect(try await browser.authorize(scene.bench.request(scene.client)).answer["error"] == "invalid_request")
        let rows: [[String: String?]] = [
            ["code_challenge": nil], ["code_challenge_method": "plain"], ["code_challenge_method": nil],
            ["redirect_uri": nil], ["redirect_uri": "https://evil.example"],
        ]
        for (index, changes) in rows.enumerated() {
            #expect(try await scene.push("r\(index)", changes).outcome == "400 invalid_request", "\(changes)")
        }
        let plain = try await scene.bench.post("/oauth2/par", scene.bench.request(scene.client))
        #expect(plain.outcome == "401 invalid_client", "section 5.3.2.2, item 2: the client proves itself")
        let pushed = try await scene.push("p")
        #expect((1..<600).contains(pushed["expires_in"]?.integerValue ?? 0), "section 5.3.2.2, item 11")
        // 64 characters of nonce (section 5.3.2.3).
        #expect(try await scene.push("n", ["nonce": String(repeating: "n", count: 64)]).status == 201)
    }

    @Test(
        "R11.8 FAPI 2.0, section 5.3.2.1, item 13: an assertion up to ten seconds ahead is good, one over a minute is not"
    )
    func clocks() async throws {
        let scene = try await Scene()
        let now = scene.bench.now.seconds
        for name in ["iat", "nbf"] {
            for (ahead, status) in [(8, 201), (10, 201), (61, 401)] as [(Int64, Int)] {
                let reply = try await scene.push("\(name)\(ahead)", [:], [name: .integer(now + ahead)])
                #expect(reply.status == status, "\(name) \(ahead)")
            }
        }
        for audience in [
            .string(ProviderBench.url + "/oauth2/token"), .string(ProviderBench.url + "/oauth2/par"),
            [.string(ProviderBench.url)],
        ] as [JSONValue] {
            let reply = try await scene.push("a\(audience.text.count)", [:], ["aud": audience])
            #expect(reply.outcome == "401 invalid_client", "section 5.3.2.1, item 8: \(audience)")
        }
    }

    @Test(
        "R11.8 FAPI 2.0, section 5.4.1: assertions, requests and proofs are signed by PS256, ES256 or EdDSA and nothing else"
    )
    func algorithms() async throws {
        for (algorithm, isGood) in [
            (JWSAlgorithm.ps256, true), (.es256, true), (.edDSA, true), (.rs256, false), (.ps384, false),
            (.es384, false),
        ] {
            let scene = try await Scene(algorithm)
            let reply = try await scene.push("1")
            #expect(reply.outcome == (isGood ? "201 " : "401 invalid_client"), "\(algorithm) \(reply.text)")
        }
        let scene = try await Scene()
        let (good, weak) = (try SigningKey.generate(.es256), try SigningKey.generate(.rs256))
        let signer = try await Scene(and: [good, weak])
        for (key, outcome) in [(good, "201 "), (weak, "400 invalid_request_object")] {
            var claims: JSONObject = [
                "iss": .string(signer.client.id.rawValue), "aud": .string(ProviderBench.url),
                "exp": .integer(signer.bench.now.seconds + 60),
            ]
            for (name, value) in signer.bench.request(signer.client) { claims[name] = .string(value) }
            let object = try JWS.sign(claims, type: "oauth-authz-req+jwt", with: key)
            let pushed = try await signer.bench.post(
                "/oauth2/par",
                [("client_id", signer.client.id.rawValue), ("request", object)] + signer.assertion(outcome))
            #expect(pushed.outcome == outcome, "\(pushed.text)")
        }
        let strong = try ProofKey(scene.bench, .es384)
        let refused = try await scene.bench.post(
            "/oauth2/token",
            [("grant_type", "refresh_token"), ("refresh_token", "x")] + scene.assertion("x"),
            headers: try strong.headers())
        #expect(refused.outcome == "400 invalid_dpop_proof")
    }

    @Test("R11.8 FAPI 2.0, section 5.3.2.1, items 3 to 5, 11: no unbound token, no code after a minute, no secret")
    func bounds() async throws {
        let scene = try await Scene()
        let code = try await scene.code("1")
        let unbound = try await scene.bench.post(
            "/oauth2/token",
            [
                ("grant_type", "authorization_code"), ("code", code), ("code_verifier", ProviderBench.verifier),
                ("redirect_uri", ProviderBench.redirectURI),
            ] + scene.assertion("2"))
        #expect(unbound.outcome == "400 invalid_dpop_proof")
        scene.bench.accounts.advance(by: .seconds(61))
        #expect(try await scene.exchange(code, "3").outcome == "400 invalid_grant")
        let named = try await scene.bench.post(
            "/oauth2/token",
            [("grant_type", "refresh_token"), ("refresh_token", "x"), ("client_id", scene.client.id.rawValue)],
            headers: try scene.proofs.headers())
        #expect(named.outcome == "401 invalid_client")
    }
}
