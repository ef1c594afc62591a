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
        /// Which error people are told of, where others are said in the same words; `nil` for the one itself.
        var told: AuthErrorCode?

        init(
            _ status: HTTPResponse.Status, _ code: String, _ description: String, told: AuthErrorCode? = nil
        ) {
            self.status = status
            self.code = code
            self.description = description
            self.told = told
        }
    }

    static func entry(for code: AuthErrorCode) -> Entry {
        switch code {
        case .notFound: Entry(.notFound, "not_found", "There is nothing here")
        case .methodNotAllowed: Entry(.methodNotAllowed, "invalid_request", "This method is not allowed here")
        case .requestTooLarge: Entry(.contentTooLarge, "invalid_request", "The request is too large")
        case .clientNotFound, .clientSecretInvalid:
            Entry(
                .unauthorized, "invalid_client", "The client is not known, or has not proved itself",
                told: .clientNotFound)
        case .flowNotAllowed:
            Entry(.badRequest, "unauthorized_client", "The client is not registered for this")
        case .tokenMissing: Entry(.unauthorized, "invalid_token", "An access token is needed")
        case .tokenInvalid, .tokenExpired, .apiKeyInvalid:
            Entry(.unauthorized, "invalid_token", "The access token is not valid", told: .tokenInvalid)
        case .insufficientAssurance:
            Entry(.unauthorized, "insufficient_user_authentication", "The user has to prove more")
        case .forbidden: Entry(.forbidden, "access_denied", "This is not allowed")
        case .flowStateNotFound, .flowStateExpired, .codeVerifierMismatch, .oneTimeTokenInvalid:
            Entry(
                .badRequest, "invalid_grant", "The code is not valid, was used, or is another client's",
                told: .flowStateNotFound)
        case .refreshTokenNotFound, .refreshTokenReused, .sessionNotFound, .sessionExpired, .tokensRevoked:
            Entry(
                .badRequest, "invalid_grant", "The token is not valid, was used, or has ended",
                told: .refreshTokenNotFound)
        case .userBanned, .userNotFound, .invalidCredentials, .emailNotVerified, .phoneNotVerified,
            .passwordChangeRequired, .temporaryPasswordExpired, .passkeyRefused:
            Entry(.badRequest, "invalid_grant", "The user may not sign in", told: .refreshTokenNotFound)
        // What is asked of whoever has proved the account, and what the operator says.
        case .secondFactorRequired: Entry(.badRequest, "invalid_grant", "The user has to show a second factor")
        case .factorEnrolmentRequired: Entry(.badRequest, "invalid_grant", "The user has to set up a second factor")
        case .termsNotAgreed: Entry(.badRequest, "invalid_grant", "The user has to agree to the current terms")
        case .hookRefused: Entry(.badRequest, "invalid_grant", "The operator has refused the sign-in")
        case .changeRefused: Entry(.badRequest, "invalid_grant", "A rule of the operator's database has refused it")
        case .identityProviderRefused: Entry(.badRequest, "access_denied", "The user's provider said no")
        case .identityTokenInvalid, .identityAlreadyLinked, .needsConfirmation:
            Entry(
                .badRequest, "invalid_grant", "The provider's word does not sign the user in",
                told: .identityTokenInvalid)
        case .identityEmailMissing: Entry(.badRequest, "invalid_grant", "The provider gives no email address")
        case .identityAttributesMissing:
            Entry(.badRequest, "invalid_grant", "The provider gives not all that an account needs")
        case .identityProviderUnavailable:
            Entry(.serviceUnavailable, "temporarily_unavailable", "The user's provider does not answer at the moment")
        case .rateLimited, .accountLocked, .mailRateLimited, .messageRateLimited, .factorLocked:
            Entry(.tooManyRequests, "temporarily_unavailable", "Too many requests", told: .rateLimited)
        case .overloaded, .unavailable, .hookFailed:
            Entry(
                .serviceUnavailable, "temporarily_unavailable", "The server cannot answer at the moment",
                told: .unavailable)
        case .internalFailure: Entry(.internalServerError, "server_error", "The server failed")
        default: Entry(.badRequest, "invalid_request", "The request is not valid", told: .invalidRequest)
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
            told = entry.told.map { AuthError($0) } ?? error
        }
    }

    /// What the flows have refused, and no client can be told of through its browser.
    init(_ refusal: AuthorizationRefusal) {
        self.init(refusal.staleness == nil ? .badRequest : .gone, refusal.code.rawValue, refusal.description)
    }
}
