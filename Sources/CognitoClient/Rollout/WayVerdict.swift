// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What a refused sign-in says of the way that it took.
enum WayVerdict {
    /// The service has understood, and says no to this user: that is how it should be.
    case works
    case fails
    /// Nothing: it is of the device, of who holds it, or of anybody.
    case open

    init(_ code: AuthErrorCode, for proof: SignInProof) {
        switch proof {
        // Any page and any app can have these opened, and choose by that what is refused and how.
        case .link, .callback: self = .open
        case .password, .code, .passkey: self = Self.mistakes.contains(code) ? .open : Self(code)
        // Nobody has typed anything that could be wrong.
        case .browser, .identityToken, .customToken, .anonymous: self = Self(code)
        }
    }

    private init(_ code: AuthErrorCode) {
        switch code {
        case .cancelled, .network, .offlineSignIn, .storeUnavailable, .superseded: self = .open
        case .userBanned, .needsConfirmation, .signUpDisabled, .identityEmailMissing, .termsNotAgreed,
            .emailNotVerified, .phoneNotVerified:
            self = .works
        default: self = .fails
        }
    }

    /// Of what a user types or shows: wrong, good no longer, or tried too often. No sign that the way works either: one
    /// that knows nobody's password says the same.
    private static let mistakes: Set<AuthErrorCode> = [
        .invalidCredentials, .accountLocked, .rateLimited, .userNotFound, .invalidEmail, .invalidPhone,
        .passwordChangeRequired, .temporaryPasswordExpired, .oneTimeTokenInvalid, .flowStateNotFound,
        .flowStateExpired, .factorCodeInvalid, .passkeyRefused,
    ]
}
