// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit

/// How OAuth says each of the domain's errors: at the token endpoint, and at those that a token opens.
enum ErrorTable {
    struct Entry: Sendable {
        var status: HTTPResponse.Status
        var code: String
        var description: String

        init(_ status: HTTPResponse.Status, _ code: String, _ description: String) {
            self.status = status
            self.code = code
            self.description = description
        }
    }

    static func entry(for code: AuthErrorCode) -> Entry {
        switch code {
        case .notFound: Entry(.notFound, "not_found", "There is nothing here")
        case .methodNotAllowed: Entry(.methodNotAllowed, "invalid_request", "This method is not allowed here")
        case .requestTooLarge: Entry(.contentTooLarge, "invalid_request", "The request is too large")
        case .clientNotFound, .clientSecretInvalid:
            Entry(.unauthorized, "invalid_client", "The client is not known, or has not proved itself")
        case .flowNotAllowed:
            Entry(.badRequest, "unauthorized_client", "The client is not registered for this")
        case .tokenMissing, .tokenInvalid, .tokenExpired, .apiKeyInvalid:
            Entry(.unauthorized, "invalid_token", "The access token is not valid")
        case .insufficientAssurance:
            Entry(.unauthorized, "insufficient_user_authentication", "The user has to prove more")
        case .forbidden: Entry(.forbidden, "access_denied", "This is not allowed")
        case .flowStateNotFound, .flowStateExpired, .codeVerifierMismatch, .oneTimeTokenInvalid:
            Entry(.badRequest, "invalid_grant", "The code is not valid, was used, or is another client's")
        case .refreshTokenNotFound, .refreshTokenReused, .sessionNotFound, .sessionExpired, .tokensRevoked:
            Entry(.badRequest, "invalid_grant", "The token is not valid, was used, or has ended")
        case .userBanned, .userNotFound, .invalidCredentials, .emailNotVerified, .phoneNotVerified,
            .passwordChangeRequired, .temporaryPasswordExpired, .secondFactorRequired, .factorEnrolmentRequired,
            .termsNotAgreed, .hookRefused:
            Entry(.badRequest, "invalid_grant", "The user may not sign in")
        case .identityProviderRefused: Entry(.badRequest, "access_denied", "The user's provider said no")
        case .identityTokenInvalid, .identityAlreadyLinked, .identityEmailMissing,
            .identityAttributesMissing, .needsConfirmation:
            Entry(.badRequest, "invalid_grant", "The provider's word does not sign the user in")
        case .identityProviderUnavailable:
            Entry(.serviceUnavailable, "temporarily_unavailable", "The user's provider does not answer at the moment")
        case .rateLimited, .accountLocked, .mailRateLimited, .messageRateLimited, .factorLocked:
            Entry(.tooManyRequests, "temporarily_unavailable", "Too many requests")
        case .overloaded, .unavailable, .hookFailed:
            Entry(.serviceUnavailable, "temporarily_unavailable", "The server cannot answer at the moment")
        case .internalFailure: Entry(.internalServerError, "server_error", "The server failed")
        default: Entry(.badRequest, "invalid_request", "The request is not valid")
        }
    }
}

extension OAuthError {
    init(_ error: AuthError) {
        switch error.code {
        case .clientNotFound, .clientSecretInvalid: self = .invalidClient()
        case .tokenMissing: self = .tokenMissing
        case .tokenInvalid, .tokenExpired: self = .invalidToken()
        default:
            let entry = ErrorTable.entry(for: error.code)
            self.init(entry.status, entry.code, entry.description, retryAfter: error.retryAfter)
            told = Self.told(error)
        }
    }

    /// What people are told of it. Whoever shows a code or a refresh token learns no more of it than the protocol's word says.
    private static func told(_ error: AuthError) -> AuthError? {
        switch error.code {
        case .flowStateNotFound, .flowStateExpired, .codeVerifierMismatch, .oneTimeTokenInvalid:
            AuthError(.flowStateNotFound)
        case .refreshTokenNotFound, .refreshTokenReused, .sessionNotFound, .sessionExpired, .tokensRevoked: nil
        default: error
        }
    }

    /// What the flows have refused, and no client can be told of through its browser.
    init(_ refusal: AuthorizationRefusal) {
        self.init(refusal.staleness == nil ? .badRequest : .gone, refusal.code.rawValue, refusal.description)
    }
}
