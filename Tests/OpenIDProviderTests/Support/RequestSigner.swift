// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import OpenIDProvider

/// A client that signs what it asks for (RFC 9101).
struct RequestSigner: Sendable {
    let bench: ProviderBench
    let client: Client
    let key: SigningKey

    init(
        _ bench: ProviderBench, _ algorithm: JWSAlgorithm = .es256, _ change: (inout ClientSettings) -> Void = { _ in }
    ) async throws {
        self.bench = bench
        let key = try SigningKey.generate(algorithm, keyID: "k1")
        self.key = key
        let published = try #require(key.publicJWK?.publicObject)
        client = try await ProviderBench.addClient("Signer", .privateKey, to: bench.accounts) {
            $0.authorization.keys = ["keys": [.object(published)]]
            change(&$0)
        }
    }

    /// What a usual request says, and what makes it one for this issuer.
    var claims: JSONObject {
        var claims: JSONObject = [
            "iss": .string(client.id.rawValue), "aud": .string(ProviderBench.url),
            "iat": .integer(bench.now.seconds), "exp": .integer(bench.now.seconds + 300), "max_age": 3600,
        ]
        for (name, value) in bench.request(client) { claims[name] = .string(value) }
        return claims
    }

    /// - Parameter changes: `nil` for what is left out.
    func object(
        _ changes: [String: JSONValue?] = [:], type: String? = "oauth-authz-req+jwt", with other: SigningKey? = nil
    ) throws -> String {
        var claims = claims
        for (name, value) in changes { claims[name] = value }
        return try JWS.sign(claims, type: type, with: other ?? key)
    }

    /// With nothing beside the object but what has to be (section 5).
    func form(_ object: String? = nil, _ further: [(String, String)] = []) throws -> [(String, String)] {
        [("client_id", client.id.rawValue), ("request", try object ?? self.object())] + further
    }

    /// What the client shows at endpoints of its own.
    func assertion(_ id: String) throws -> [(String, String)] {
        let claims: JSONObject = [
            "iss": .string(client.id.rawValue), "sub": .string(client.id.rawValue),
            "aud": .string(ProviderBench.url), "jti": .string(id), "exp": .integer(bench.now.seconds + 60),
        ]
        return [
            ("client_assertion", try JWS.sign(claims, with: key)),
            ("client_assertion_type", ClientCredentials.assertionType),
        ]
    }
}
