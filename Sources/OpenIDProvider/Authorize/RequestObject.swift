// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import ServerKit

/// The parameters of a request as its client has signed them (RFC 9101; OpenID Connect Core, section 6): nobody whom
/// they pass on their way has changed one, and what stands beside them counts for nothing.
struct RequestObject: Sendable {
    /// How far a client's clock may be from ours.
    private static let leeway = TimeSpan.seconds(30)
    /// For how long a client may sign ahead.
    private static let lifetime = TimeSpan.hours(1)
    private static let maximumLength = 8 << 10
    /// RFC 9101, section 10.8, and what tokens are called that say nothing of their kind.
    private static let types: Set<String> = ["oauth-authz-req+jwt", "jwt"]
    /// What is said of the object itself (RFC 7519, section 4.1), and is no parameter.
    private static let registered: Set<String> = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]

    /// As a query would say them.
    let parameters: Parameters

    /// - Parameters:
    ///   - client: by whose registered keys it is judged.
    ///   - issuer: ours, which it must be made out to, and to nobody else.
    /// - Throws: `invalid_request_object` (RFC 9101, section 7).
    init(_ text: String, of client: Client, issuer: String, at now: Instant) throws(OAuthError) {
        guard let token = try? ParsedJWS(parsing: text.utf8, limit: Self.maximumLength) else {
            throw Self.refusal("is not a signed JWT")
        }
        guard token.header.type.map(Self.isRequest) ?? true else { throw Self.refusal("is of another type") }
        guard let registered = client.settings.authorization.keys,
            let keys = try? VerificationKeySet(JWKSet(parsing: registered.serialized())),
            let key = try? keys.key(for: token.header),
            (try? token.verify(with: key, allowing: Self.algorithms(of: client))) != nil
        else { throw Self.refusal("is not signed by a key of the client's") }
        guard let claims = try? JWTClaims(parsing: token.payload) else { throw Self.refusal("has no claims") }
        try Self.judge(claims, client.id, issuer, now)
        parameters = Parameters(claims.members.members.flatMap { Self.pairs($0.name, $0.value) })
    }

    /// The one that the client has registered (OpenID Connect Registration, `request_object_signing_alg`), else each
    /// that it may sign by.
    private static func algorithms(of client: Client) -> Set<JWSAlgorithm> {
        let own = client.settings.authorization
        let all = Set(own.profile?.algorithms ?? ProviderMetadata.clientAlgorithms)
        return own.requestAlgorithm.map { all.intersection([JWSAlgorithm(rawValue: $0.rawValue)]) } ?? all
    }

    /// Section 4, and section 10.8 for `sub`: it would be an assertion of the client's too.
    private static func judge(
        _ claims: JWTClaims, _ client: ClientID, _ issuer: String, _ now: Instant
    ) throws(OAuthError) {
        guard claims["client_id"] == .string(client.rawValue), claims.issuer == client.rawValue else {
            throw refusal("says another client_id or iss than the request")
        }
        guard claims.audience == [issuer] else { throw refusal("is not made out to this issuer") }
        guard claims["sub"] == nil else { throw refusal("has a sub") }
        guard let expiresAt = claims.expiresAt, now < expiresAt + leeway else {
            throw refusal("has no exp, or has expired")
        }
        guard expiresAt <= now + lifetime + leeway else { throw refusal("is good for more than an hour") }
        for start in [claims.notBefore, claims.issuedAt].compactMap(\.self) {
            guard start <= now + leeway else { throw refusal("is of a time that is yet to come") }
        }
        guard claims["request"] == nil, claims["request_uri"] == nil else {
            throw refusal("has another request in it")
        }
    }

    /// What is no text is written as one, and then judged as if the query said it.
    static func pairs(_ name: String, _ value: JSONValue) -> [(name: String, value: String)] {
        guard !registered.contains(name) else { return [] }
        switch value {
        case .null: return []
        case .string(let text): return [(name, text)]
        case .array(let values) where name == "resource":
            return values.map { (name, $0.stringValue ?? $0.text) }
        case .bool, .integer, .number, .array, .object: return [(name, value.text)]
        }
    }

    private static func isRequest(_ type: String) -> Bool {
        let type = type.lowercased()
        return types.contains(type.hasPrefix("application/") ? String(type.dropFirst(12)) : type)
    }

    private static func refusal(_ what: String) -> OAuthError {
        OAuthError(.badRequest, "invalid_request_object", "The request object \(what)")
    }
}

extension ProviderCall {
    /// The call with the parameters that its client has signed in place of its own, where it has sent such (RFC 9101,
    /// section 6.3). A client without keys can sign none, and is told so where its parameters are read.
    ///
    /// - Throws: `invalid_request_object`, `invalid_request` for one that is named besides.
    func withSignedParameters() throws(OAuthError) -> ProviderCall {
        guard let text = parameters["request"], let client = flow.client,
            client.settings.authorization.keys != nil
        else { return self }
        guard parameters["request_uri"] == nil, !parameters.isRepeated("request_uri") else {
            throw .invalidRequest("request and request_uri are given both")
        }
        var call = self
        call.parameters = try RequestObject(text, of: client, issuer: issuer, at: now).parameters
        call.isSigned = true
        return call
    }
}
