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
        /// The proof of a key is missing or wrong (RFC 9449, section 7.1): how, for the operator's log.
        case proof(String)
        /// The proof lacks a nonce that was given out not long ago; this one will do (RFC 9449, section 9).
        case nonceNeeded(String)
        /// Unknown, expired, empty, or given twice: which of them is not said.
        case apiKey
        /// The API keys could not be looked up.
        case apiKeysUnavailable
        /// The identity is good, but a policy wants more.
        case insufficient(AccessPolicy.Shortfall)
    }

    /// By what a token is to come.
    public enum Scheme: Sendable, Hashable {
        /// As it is (RFC 6750).
        case bearer
        /// With a proof, signed by one of these algorithms.
        case dpop([String])
    }

    /// The realm of an application that names none: `api`.
    public static let defaultRealm = "api"

    /// What was missing or wrong.
    public let cause: Cause
    /// The protection space that the challenge names (RFC 9110, section 11.5).
    public let realm: String
    /// The scheme of the challenge (RFC 9110, section 11.1).
    public let scheme: Scheme

    /// - Parameters:
    ///   - cause: what was missing or wrong.
    ///   - realm: the protection space that the challenge names (RFC 9110, section 11.5).
    ///   - scheme: of the challenge.
    public init(_ cause: Cause, realm: String = AccessRefusal.defaultRealm, scheme: Scheme = .bearer) {
        self.cause = cause
        self.realm = realm
        self.scheme = scheme
    }

    /// The name under which a refusal is counted and logged: one of a fixed set.
    public var label: String {
        switch cause {
        case .noCredentials: "no_credentials"
        case .severalCredentials: "several_credentials"
        case .token(let error): error.code.rawValue
        case .proof: "bad_proof"
        case .nonceNeeded: "proof_nonce_needed"
        case .apiKey: "bad_api_key"
        case .apiKeysUnavailable: "api_keys_unavailable"
        case .insufficient(.groups): "insufficient_groups"
        case .insufficient(.scopes): "insufficient_scope"
        case .insufficient(.assurance), .insufficient(.authentication): "insufficient_assurance"
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
