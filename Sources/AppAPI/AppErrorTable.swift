// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import JOSE
import TokenVerifier

/// How this API says each of the domain's errors. `error` is the code a program branches on; the names of RFC 6750,
/// section 3.1, are used where they fit.
enum AppErrorTable {
    /// What challenges call this API.
    static let realm = "latchkey"

    struct Entry: Sendable {
        var status: HTTPResponse.Status
        var error: String
    }

    static func entry(for code: AuthErrorCode) -> Entry {
        switch code {
        case .tokenMissing: Entry(status: .unauthorized, error: "unauthorized")
        case .tokenInvalid, .tokenExpired, .sessionNotFound, .sessionExpired, .tokensRevoked:
            Entry(status: .unauthorized, error: "invalid_token")
        case .apiKeyInvalid: Entry(status: .unauthorized, error: "invalid_api_key")
        case .clientNotFound, .clientSecretInvalid: Entry(status: .unauthorized, error: "invalid_client")
        case .forbidden, .userBanned, .flowNotAllowed, .hookRefused, .termsNotAgreed:
            Entry(status: .forbidden, error: "insufficient_scope")
        // RFC 9470, section 3: signing in again helps, as after any 401.
        case .insufficientAssurance, .secondFactorRequired, .factorEnrolmentRequired, .reauthenticationNeeded:
            Entry(status: .unauthorized, error: "insufficient_user_authentication")
        case .notFound, .userNotFound, .identityProviderNotFound, .identityNotFound, .factorNotFound,
            .deviceNotFound:
            Entry(status: .notFound, error: "not_found")
        case .methodNotAllowed: Entry(status: .methodNotAllowed, error: "method_not_allowed")
        case .requestTooLarge: Entry(status: .contentTooLarge, error: "request_too_large")
        case .conflict, .emailExists, .phoneExists, .usernameExists, .identityAlreadyLinked, .needsConfirmation,
            .lastWayIn, .factorNameExists, .factorExists, .tooManyFactors, .noOtherFactor, .changeRefused:
            Entry(status: .conflict, error: "conflict")
        case .rateLimited, .accountLocked, .mailRateLimited, .messageRateLimited, .factorLocked:
            Entry(status: .tooManyRequests, error: "rate_limited")
        case .overloaded, .unavailable, .identityProviderUnavailable, .hookFailed:
            Entry(status: .serviceUnavailable, error: "temporarily_unavailable")
        case .internalFailure: Entry(status: .internalServerError, error: "server_error")
        case .unsupported: Entry(status: .notImplemented, error: "unsupported")
        default: Entry(status: .badRequest, error: "invalid_request")
        }
    }

    /// `message` is for people, in their language, and `message_key` is by what an app's own translations have it;
    /// `code` and `error_description` are for programs and their developers.
    static func body(for error: AuthError, in language: MessageLanguage = .en) -> JSONObject {
        let entry = entry(for: error.code)
        var json: JSONObject = ["error": .string(entry.error), "code": .string(error.code.rawValue)]
        json["error_description"] = .string(description(of: error.code))
        let told = LocalizedMessage(error, in: language)
        json["message"] = .string(told.text)
        json["message_key"] = .string(told.key.rawValue)
        if let field = error.field { json["field"] = .string(field) }
        return json
    }

    /// RFC 6750, section 3: the challenge of a 401 or a 403. Without a token it names no error.
    ///
    /// - Parameter isByProof: whether the request came by a proof (RFC 9449, section 7.1).
    static func challenge(for error: AuthError, isByProof: Bool = false) -> String? {
        let opening = isByProof ? "DPoP realm=\"\(realm)\", algs=\"\(proofAlgorithms)\"" : "Bearer realm=\"\(realm)\""
        let entry = entry(for: error.code)
        switch entry.status {
        // RFC 6750, section 3.1, has codes for tokens alone.
        case .unauthorized where [.tokenMissing, .apiKeyInvalid].contains(error.code):
            return opening
        case .unauthorized, .forbidden:
            return opening + ", error=\"\(entry.error)\", error_description=\"\(description(of: error.code))\""
        default: return nil
        }
    }

    private static let proofAlgorithms = DPoPProof.algorithms.map(\.rawValue).joined(separator: " ")

    private static func description(of code: AuthErrorCode) -> String {
        switch code {
        case .tokenMissing: "An access token is needed"
        case .tokenExpired: "The access token has expired"
        case .tokenInvalid, .tokensRevoked: "The access token is not valid"
        case .sessionNotFound: "The session was ended"
        case .sessionExpired: "The time of the session is over"
        case .apiKeyInvalid: "The API key is not valid"
        case .insufficientAssurance, .reauthenticationNeeded: "A more recent or stronger sign-in is needed"
        case .forbidden: "The token or the API key does not allow this"
        case .invalidJSON: "The body is not a JSON object"
        case .requestTooLarge: "The request is too large"
        case .notFound: "There is nothing here"
        case .methodNotAllowed: "This method is not allowed here"
        case .rateLimited: "Too many requests"
        case .accountLocked: "Too many failed attempts"
        case .overloaded, .unavailable, .identityProviderUnavailable: "The server cannot answer at the moment"
        case .internalFailure: "The server failed"
        default: "The request is not valid"
        }
    }
}
