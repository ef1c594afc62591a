// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension AuthErrorCode {
    /// Whether a catalog of texts has this code. Any other is one that a service brought up since the app was built.
    var isKnown: Bool { Self.known.contains(self) }

    private static let known = Set(allKnown + allOfClient)

    /// What can be done about an error of this code, the likeliest first.
    var ways: [Way] {
        switch self {
        // The user turned back, or did something else since: there is nothing to tell.
        case .cancelled, .superseded: []

        case .network, .offlineSignIn, .offlineReadOnly, .offlineBlocked: [.reconnect]
        case .storeUnavailable, .conflict: [.retry]
        case .internalFailure, .unavailable, .overloaded, .hookFailed: [.retry, .support]
        case .rateLimited, .mailRateLimited, .messageRateLimited, .accountLocked, .factorLocked: [.wait]

        case .invalidCredentials, .invalidRequest, .invalidJSON, .invalidEmail, .invalidPhone, .weakPassword,
            .samePassword, .requestTooLarge, .metadataTooLarge, .currentPasswordRequired, .currentPasswordInvalid,
            .passwordChangeRequired, .factorNameExists, .factorCodeInvalid, .factorCodeUsed:
            [.correct]
        // Mostly it is the user's own.
        case .emailExists, .phoneExists, .usernameExists: [.signIn, .correct]
        case .emailNotVerified, .phoneNotVerified: [.confirm]
        case .reauthenticationInvalid: [.correct, .newOne]
        case .oneTimeTokenInvalid, .flowStateNotFound, .flowStateExpired, .codeVerifierMismatch,
            .temporaryPasswordExpired, .factorChallengeNotFound, .factorChallengeExpired:
            [.newOne]

        // Nothing that was entered is wrong: who it is has to be shown, once more or by a factor.
        case .reauthenticationNeeded, .insufficientAssurance, .secondFactorRequired, .factorEnrolmentRequired,
            .tokenMissing, .tokenInvalid, .tokenExpired, .sessionNotFound, .sessionExpired, .refreshTokenNotFound,
            .refreshTokenReused, .tokensRevoked, .notSignedIn:
            [.signIn]
        case .needsConfirmation: [.signIn, .support]
        case .termsNotAgreed: [.terms]

        // Somebody else's fault, or nobody's whom the user could ask here (Y-E2).
        case .identityProviderUnavailable, .identityProviderRefused, .identityTokenInvalid, .passkeyRefused:
            [.retry, .another, .support]
        case .identityProviderNotFound, .identityProviderDisabled, .identityEmailMissing, .identityAttributesMissing,
            .identityNotFound, .identityAlreadyLinked, .factorNotFound, .deviceNotFound, .factorDisabled,
            .anonymousDisabled,
            .emailSignInDisabled,
            .phoneSignInDisabled, .oneTimeCodesDisabled, .flowNotAllowed, .textMessagesUnavailable, .signUpDisabled:
            [.another, .support]

        // A link that leads elsewhere is nobody's mistake here; to try again would lead there again.
        case .invalidRedirect: []
        // Everything else that is known only its makers can mend: an app set up wrongly, an account that was disabled.
        default: isKnown ? [.support] : [.retry, .support]
        }
    }

    /// A ``RecoverySuggestion`` without what only the error and the app know.
    enum Way { case retry, reconnect, wait, correct, confirm, newOne, signIn, another, terms, support }
}
