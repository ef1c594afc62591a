// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import HummingbirdTokenAuth
import JOSE
import Testing
import TokenVerifier

/// Tokens that are bound to a key, in front of a backend's own router (RFC 9449, section 7).
@Suite struct ProofTests {
    private static let url = "https://api.example"

    private let bench: APIBench
    private let key: SigningKey

    init() throws {
        bench = try APIBench()
        key = try SigningKey.generate(.es256)
    }

    private func start(isRequired: Bool = false, ledger: any ProofLedger = SpentProofs(), withProofs: Bool = true)
        throws
    {
        let proofs = ProofPolicy(url: { Self.url }, isRequired: isRequired, ledger: ledger, clock: APIBench.clock)
        bench.router.add(
            middleware: TokenAuthMiddleware(
                try bench.verifier(), kinds: [.access], proofs: withProofs ? proofs : nil, metrics: bench.metrics))
        bench.addRoutes(["/admin": .requireScopes("admin")])
    }

    private func bound() throws -> String {
        try bench.token(["cnf": ["jkt": .string(key.publicJWK?.thumbprint ?? "")]])
    }

    private func headers(
        _ token: String, _ path: String = "/me", id: String, by signer: SigningKey? = nil, _ changes: JSONObject = [:]
    ) throws -> HTTPFields {
        let signer = signer ?? key
        var claims: JSONObject = [
            "jti": .string(id), "htm": "GET", "htu": .string(Self.url + path), "iat": .integer(APIBench.now.seconds),
            "ath": .string(DPoPProof.hash(of: token)),
        ]
        for member in changes.members { claims[member.name] = member.value }
        let proof = try JWS.sign(
            claims, type: DPoPProof.type, header: ["jwk": .object(signer.publicJWK?.publicObject ?? [:])], with: signer)
        return [.authorization: "DPoP " + token, .dpop: proof]
    }

    @Test("R11.8 RFC 9449, section 7: a backend takes a bound token with its proof, once, and by no other way")
    func bound() async throws {
        try start()
        let token: String = try bound()
        let good = try headers(token, id: "1")
        let first = try await bench.get("/me?x=1", good)
        #expect(first.status == .ok && first.text == "user-1 aal0", "\(first.text)")
        let other = try SigningKey.generate(.es256)
        let rows: [(String, HTTPFields, String)] = [
            ("again", good, "invalid_dpop_proof"), ("as Bearer", .bearer(token), "invalid_token"),
            ("no proof", [.authorization: "DPoP " + token], "invalid_dpop_proof"),
            ("another key", try headers(token, id: "2", by: other), "invalid_token"),
            ("another path", try headers(token, "/admin", id: "3"), "invalid_dpop_proof"),
            ("another token", try headers(token, id: "4", ["ath": "x"]), "invalid_dpop_proof"),
            ("an unbound token", try headers(try bench.token(), id: "5"), "invalid_token"),
        ]
        for (name, headers, error) in rows {
            let reply = try await bench.get("/me", headers)
            #expect(reply.status == .unauthorized && reply.error == error, "\(name): \(reply.text)")
            #expect(reply.challenge?.hasPrefix("DPoP realm=\"api\", algs=\"ES256 ") == true, "\(name)")
        }
        #expect(
            try await bench.get("/me", .bearer(try bench.token())).status == .ok, "what is bound to none is as ever")
        #expect(try await bench.get("/me").challenge == "Bearer realm=\"api\"")
        let poor = try await bench.get("/admin", try headers(token, "/admin", id: "6"))
        #expect(poor.status == .forbidden && poor.challenge?.hasPrefix("DPoP ") == true)
        #expect(bench.refusals["bad_proof"] == 4 && bench.refusals["wrong_binding"] == 3)
    }

    @Test("R11.8 RFC 9449, section 7.2: where nobody set proofs up, a bound token is refused whatever it comes by")
    func off() async throws {
        try start(withProofs: false)
        let token: String = try bound()
        let bearer = try await bench.get("/me", .bearer(token))
        #expect(bearer.status == .unauthorized && bearer.error == "invalid_token")
        #expect(bearer.challenge?.hasPrefix("Bearer ") == true)
        #expect(try await bench.get("/me", try headers(token, id: "1")).error == "unauthorized")
        let certificate = try bench.token(["cnf": ["x5t#S256": "x"]])
        #expect(try await bench.get("/me", .bearer(certificate)).status == .unauthorized)
    }

    @Test("R11.8 an API may take bound tokens alone, and wants nonces where its ledger gives some out")
    func strict() async throws {
        struct Ledger: ProofLedger {
            let spent = SpentProofs()
            func spend(_ proof: DPoPProof, of token: VerifiedToken, at now: Instant) async throws(TokenError) -> Bool {
                try await spent.spend(proof, of: token, at: now)
            }
            func nonces(for _: VerifiedToken) -> DPoPNonces? {
                DPoPNonces(key: Secret([UInt8](repeating: 1, count: 32)))
            }
            func requiresNonce(for _: VerifiedToken) -> Bool { true }
        }
        try start(isRequired: true, ledger: Ledger())
        #expect(try await bench.get("/me").challenge?.hasPrefix("DPoP ") == true)
        #expect(try await bench.get("/me", .bearer(try bench.token())).error == "invalid_token")
        let token: String = try bound()
        let refused = try await bench.get("/me", try headers(token, id: "1"))
        #expect(refused.error == "use_dpop_nonce" && refused.challenge?.contains("use_dpop_nonce") == true)
        let nonce = try #require(refused.headers[.dpopNonce])
        let good = try await bench.get("/me", try headers(token, id: "1", ["nonce": .string(nonce)]))
        #expect(good.status == .ok && good.headers[.dpopNonce] == nonce)
        #expect(try await bench.get("/me", try headers(token, id: "2", ["nonce": "x"])).error == "use_dpop_nonce")
    }

    @Test("R11.8 RFC 9449, section 11.1: proofs are remembered within a bound, and beyond it nothing is taken twice")
    func memory() async throws {
        let spent = SpentProofs(capacity: 2)
        try start(ledger: spent)
        let token: String = try bound()
        for id in ["1", "2"] { #expect(try await bench.get("/me", try headers(token, id: id)).status == .ok) }
        let full = try await bench.get("/me", try headers(token, id: "3"))
        #expect(full.status == .serviceUnavailable && full.headers[.retryAfter] == "30")
        #expect(try await bench.get("/me", try headers(token, id: "1")).status == .unauthorized)
        // Two minutes later there is room, and what was spent has expired.
        let text = try headers(token, id: "4")[.dpop] ?? ""
        let request = DPoPProof.Request(method: "GET", url: Self.url + "/me", accessToken: token)
        let proof = try DPoPProof(text, for: request, at: APIBench.now)
        let verified = try bench.verifier().verify(token.utf8)
        #expect(try await spent.spend(proof, of: verified, at: APIBench.now + .seconds(120)))
        #expect(try await !spent.spend(proof, of: verified, at: APIBench.now + .seconds(120)))
    }

    @Test("R11.8 a clock that is set back keeps no room from proofs that come after it")
    func clockSetBack() async throws {
        let spent = SpentProofs(capacity: 3)
        let token: String = try bound()
        let verified = try bench.verifier().verify(token.utf8)
        func spend(_ id: String, at now: Instant) async throws -> Bool {
            let text = try headers(token, id: id, ["iat": .integer(now.seconds)])[.dpop] ?? ""
            let request = DPoPProof.Request(method: "GET", url: Self.url + "/me", accessToken: token)
            return try await spent.spend(try DPoPProof(text, for: request, at: now), of: verified, at: now)
        }
        let earlier = APIBench.now - .seconds(3600)
        #expect(try await spend("1", at: APIBench.now))
        #expect(try await spend("2", at: earlier))
        // The second has expired by now; the first is remembered, since its time is still to come.
        for id in ["3", "4"] { #expect(try await spend(id, at: earlier + .seconds(200))) }
        await #expect(throws: TokenError.self) { _ = try await spend("5", at: earlier + .seconds(200)) }
        #expect(try await !spend("1", at: APIBench.now))
    }
}

extension HTTPField.Name {
    static let dpop = HTTPField.Name("DPoP") ?? .trailer
    static let dpopNonce = HTTPField.Name("DPoP-Nonce") ?? .trailer
}
