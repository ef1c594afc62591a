// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

extension VerifiedToken {
    /// `iss`. A user is `iss` and `sub` together (OpenID Connect Core 1.0, section 5.7).
    public var issuer: String { claims.issuer ?? "" }
    /// `sub`; `nil` in a token that a client was given for itself.
    public var subject: String? { claims.subject }

    /// `scope`, words with spaces between them (RFC 8693, section 4.2), or else `scp`, words or an array of them.
    public var scopes: Set<String> {
        switch claims["scope"] ?? claims["scp"] {
        case .string(let words): Set(words.split(separator: " ").map(String.init))
        case .array(let words): Set(words.compactMap(\.stringValue))
        default: []
        }
    }

    /// The names of the user's groups, from the claim that the profile names.
    public var groups: Set<String> {
        var value: JSONValue?
        for (depth, name) in groupsClaim.enumerated() {
            value = depth == 0 ? claims[name] : value?.objectValue?[name]
        }
        return Set((value?.arrayValue ?? []).compactMap(\.stringValue))
    }

    /// The authenticator assurance level of `aal`, or else of `acr`, from 1 to 3 (NIST SP 800-63B, section 2); `nil`
    /// where the token does not say.
    public var assuranceLevel: Int? {
        switch (claims["aal"] ?? claims["acr"])?.stringValue {
        case "aal1": 1
        case "aal2": 2
        case "aal3": 3
        default: nil
        }
    }

    /// `session_id`, or `sid` (OpenID Connect Front-Channel Logout 1.0, section 3), or `origin_jti`.
    public var sessionID: String? {
        claims["session_id"]?.stringValue ?? claims["sid"]?.stringValue ?? claims["origin_jti"]?.stringValue
    }

    /// `client_id` (RFC 8693, section 4.3), or else `azp`.
    public var clientID: String? { claims["client_id"]?.stringValue ?? claims["azp"]?.stringValue }

    /// `email`; `nil` also where it is empty. Who signs in with it is for ``isEmailVerified`` to say.
    public var email: String? {
        guard let email = claims["email"]?.stringValue, !email.isEmpty else { return nil }
        return email
    }

    /// `email_verified`, which some issuers write as a string; `false` where the token does not say.
    public var isEmailVerified: Bool {
        switch claims["email_verified"] {
        case .bool(let isVerified): isVerified
        case .string(let word): word == "true"
        default: false
        }
    }

    /// `auth_time`, or else the latest `timestamp` in `amr`: when the user last proved who they are.
    public var authenticatedAt: Instant? {
        if let seconds = claims["auth_time"]?.integerValue { return Instant(seconds: seconds) }
        return (claims["amr"]?.arrayValue ?? [])
            .compactMap { $0.objectValue?["timestamp"]?.integerValue }.max().map { Instant(seconds: $0) }
    }
}
