// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import JOSE
import TokenVerifier

/// A client's key, and proofs of it for requests of one bench.
final class ProofKey: Sendable {
    let key: SigningKey
    private let bench: ProviderBench
    private let count = Mutex(0)

    init(_ bench: ProviderBench, _ algorithm: JWSAlgorithm = .es256) throws {
        self.bench = bench
        key = try SigningKey.generate(algorithm)
    }

    var thumbprint: String { key.publicJWK?.thumbprint ?? "" }

    /// A proof for a request now, with a `jti` of its own.
    func proof(
        _ method: String = "POST", _ path: String = "/oauth2/token", token: String? = nil, _ changes: JSONObject = [:]
    ) throws -> String {
        let id = count.withLock { count in
            count += 1
            return count
        }
        var claims: JSONObject = [
            "jti": .string("\(thumbprint)\(id)"), "htm": .string(method), "htu": .string(ProviderBench.url + path),
            "iat": .integer(bench.now.seconds),
        ]
        claims["ath"] = token.map { .string(DPoPProof.hash(of: $0)) }
        for member in changes.members { claims[member.name] = member.value }
        return try JWS.sign(
            claims, type: DPoPProof.type, header: ["jwk": .object(key.publicJWK?.publicObject ?? [:])], with: key)
    }

    /// The headers of a call with a proof, beside others.
    func headers(_ proof: String? = nil, and others: HTTPFields = [:]) throws -> HTTPFields {
        var headers = others
        headers[.dpop] = try proof ?? self.proof()
        return headers
    }

    /// Those of a call that shows an access token.
    func opening(
        _ token: String?, _ method: String = "GET", _ path: String = "/oauth2/userInfo", _ changes: JSONObject = [:]
    ) throws -> HTTPFields {
        [.authorization: "DPoP " + (token ?? ""), .dpop: try proof(method, path, token: token ?? "", changes)]
    }
}

extension HTTPField.Name {
    static let dpop = HTTPField.Name("DPoP") ?? .trailer
}
