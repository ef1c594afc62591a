// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import TokenVerifier

/// Why a request was not let through. Thrown by the middleware, so that those around it (CORS, logs, an API with error
/// bodies of its own) see it; what nobody catches becomes the answer of RFC 6750, section 3.
public struct AccessRefusal: Error, Sendable, Hashable {
    /// What was missing or wrong.
    public enum Cause: Error, Sendable, Hashable {
        /// No `Authorization` header with a bearer token, and no API key.
        case noCredentials
        /// More than one `Authorization` header: two readers could take two of them.
        case severalCredentials
        /// The token was judged, and found wrong; or could not be judged.
        case token(TokenError)
        /// Unknown, expired, empty, or given twice: which of them is not said.
        case apiKey
        /// The API keys could not be looked up.
        case apiKeysUnavailable
        /// The identity is good, but a policy wants more.
        case insufficient(AccessPolicy.Shortfall)
    }

    /// The realm of an application that names none: `api`.
    public static let defaultRealm = "api"

    /// What was missing or wrong.
    public let cause: Cause
    /// The protection space that the challenge names (RFC 9110, section 11.5).
    public let realm: String

    /// - Parameters:
    ///   - cause: what was missing or wrong.
    ///   - realm: the protection space that the challenge names (RFC 9110, section 11.5).
    public init(_ cause: Cause, realm: String = AccessRefusal.defaultRealm) {
        self.cause = cause
        self.realm = realm
    }

    /// The name under which a refusal is counted and logged: one of a fixed set.
    public var label: String {
        switch cause {
        case .noCredentials: "no_credentials"
        case .severalCredentials: "several_credentials"
        case .token(let error): error.code.rawValue
        case .apiKey: "bad_api_key"
        case .apiKeysUnavailable: "api_keys_unavailable"
        case .insufficient(.groups): "insufficient_groups"
        case .insufficient(.scopes): "insufficient_scope"
        case .insufficient(.assurance): "insufficient_assurance"
        case .insufficient(.other): "insufficient_other"
        }
    }

    /// The server is at fault, not the request: it should be tried again.
    var isUnavailability: Bool {
        switch cause {
        case .apiKeysUnavailable: true
        case .token(let error): error.code == .keysUnavailable
        default: false
        }
    }
}
