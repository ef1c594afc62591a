// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// The service's exceptions in the domain's words. Which of several meanings one has, its text says, and what was
/// asked.
public enum CognitoErrors {
    /// What was asked, where the same words mean something else in answer to it.
    public enum Purpose: Sendable, Hashable, CaseIterable {
        /// A proof is shown.
        case signIn
        /// A second factor's code is shown, in a sign-in or to set one up.
        case factor
        /// A session is renewed: only here a refusal says that it is over.
        case refresh
        /// By an access token.
        case account
        /// By nothing that is secret: sign-up, codes.
        case open
        /// An identity pool is asked.
        case identityPool
    }

    /// - Parameters:
    ///   - type: the exception's name.
    ///   - message: its text.
    /// - Returns: for a name that nobody here knows, an error of that very name.
    public static func error(_ type: String, _ message: String, for purpose: Purpose) -> AuthError {
        let words = message.lowercased()
        if type == "NotAuthorizedException", words.hasPrefix("the current terms must be agreed to") {
            return AuthError(termsNotAgreed: message)
        }
        let code =
            byMessage(type, words, purpose) ?? byType[type] ?? AuthErrorCode(unknownWord: type)
        return AuthError(
            code, reason: AuthError.readable("\(type): \(message)"),
            violations: code == .weakPassword ? violations(words) : [])
    }

    private static func byMessage(_ type: String, _ words: String, _ purpose: Purpose) -> AuthErrorCode? {
        switch type {
        case "NotAuthorizedException": notAuthorized(words, purpose)
        case "InvalidParameterException": invalidParameter(words)
        case "UserNotFoundException": purpose == .signIn || purpose == .factor ? .invalidCredentials : .userNotFound
        case "CodeMismatchException", "EnableSoftwareTokenMFAException": purpose == .factor ? .factorCodeInvalid : nil
        case "ExpiredCodeException":
            purpose == .factor ? words.contains("already been used") ? .factorCodeUsed : .factorChallengeExpired : nil
        case "UsernameExistsException", "AliasExistsException":
            words.contains("email") ? .emailExists : words.contains("phone") ? .phoneExists : .usernameExists
        case "ResourceNotFoundException":
            words.contains("client")
                ? .clientNotFound
                : words.hasPrefix("identity '")
                    ? .identityNotFound : words.hasPrefix("device does not exist") ? .deviceNotFound : .notFound
        // Renewed by nobody until the user has done something about it at a sign-in.
        case "UserNotConfirmedException", "PasswordResetRequiredException":
            purpose == .refresh ? .tokensRevoked : nil
        case "CodeDeliveryFailureException":
            words.contains("sms") || words.contains("phone") || words.contains("text message")
                ? .textMessagesUnavailable : .unavailable
        default: nil
        }
    }

    /// The one exception that says most things. The first line that is met decides.
    private static func notAuthorized(_ words: String, _ purpose: Purpose) -> AuthErrorCode {
        if purpose == .factor, words.contains("attempts exceeded") { return .factorLocked }
        for (part, code) in notAuthorizedWords where words.contains(part) { return code }
        return switch purpose {
        case .signIn, .factor: .invalidCredentials
        // Whatever it says, it is a definite no to this token.
        case .refresh: .refreshTokenNotFound
        case .account: .tokenInvalid
        case .open: .forbidden
        case .identityPool: .identityTokenInvalid
        }
    }

    static let notAuthorizedWords: [(String, AuthErrorCode)] = [
        ("refresh token has expired", .sessionExpired), ("refresh token has been revoked", .tokensRevoked),
        ("invalid refresh token", .refreshTokenNotFound), ("access token has expired", .tokenExpired),
        ("access token has been revoked", .tokensRevoked), ("does not have required scopes", .forbidden),
        ("invalid access token", .tokenInvalid), ("user is disabled", .userBanned),
        ("must sign in with a second factor", .insufficientAssurance), ("must sign in again", .reauthenticationNeeded),
        ("attempts exceeded", .rateLimited), ("temporary password has expired", .temporaryPasswordExpired),
        ("user account has expired", .temporaryPasswordExpired),
        // What protects the pool from threats has refused the request, whoever's it is.
        ("security reasons", .forbidden),
        ("user password cannot be reset", .passwordChangeRequired), ("current status is confirmed", .conflict),
        ("contact administrator to reset password", .forbidden), ("session can only be used once", .flowStateNotFound),
        ("session is expired", .flowStateExpired), ("invalid session", .flowStateNotFound),
        // In a dozen wordings, and all about the app.
        ("secret", .clientSecretInvalid), ("signup is not permitted", .signUpDisabled),
        ("unauthorized attribute", .forbidden),
        ("invalid passkey", .passkeyRefused), ("incorrect username or password", .invalidCredentials),
        ("flow not enabled", .flowNotAllowed),
        // Identity pools
        ("token is not from a supported provider", .identityProviderNotFound),
        ("unauthenticated access is not supported", .anonymousDisabled), ("access to identity", .identityNotFound),
        ("invalid login token", .identityTokenInvalid), ("logins don't match", .identityTokenInvalid),
        ("ambiguous role mapping rules", .forbidden), ("no role could be chosen", .forbidden),
        ("requested role is not", .forbidden),
    ]

    private static func invalidParameter(_ words: String) -> AuthErrorCode {
        for (part, code) in invalidParameterWords where words.contains(part) { return code }
        return .invalidRequest
    }

    static let invalidParameterWords: [(String, AuthErrorCode)] = [
        ("flow not enabled", .flowNotAllowed), ("auth method not supported", .flowNotAllowed),
        ("already confirmed", .conflict), ("cannot reset password", .emailNotVerified),
        ("invalid email address", .invalidEmail), ("invalid phone number", .invalidPhone),
        ("username should be an email", .invalidEmail), ("username should be either an email", .invalidEmail),
        ("username should be a phone number", .invalidPhone),
        ("delivery config set to turn on sms", .phoneNotVerified),
        ("delivery config set to turn on email", .emailNotVerified), ("not verified software token", .factorNotFound),
        ("mfa is not enabled for this user pool", .factorDisabled),
        ("at 'password' failed", .weakPassword), ("at 'proposedpassword' failed", .weakPassword),
    ]

    /// What each exception says by itself.
    static let byType: [String: AuthErrorCode] = [
        "UserNotConfirmedException": .emailNotVerified, "PasswordResetRequiredException": .passwordChangeRequired,
        "InvalidPasswordException": .weakPassword, "PasswordHistoryPolicyViolationException": .samePassword,
        "CodeMismatchException": .oneTimeTokenInvalid, "ExpiredCodeException": .oneTimeTokenInvalid,
        "EnableSoftwareTokenMFAException": .oneTimeTokenInvalid,
        "TooManyRequestsException": .rateLimited, "LimitExceededException": .rateLimited,
        "TooManyFailedAttemptsException": .rateLimited, "ThrottlingException": .rateLimited,
        "RequestLimitExceeded": .rateLimited,
        "UserLambdaValidationException": .forbidden, "UnexpectedLambdaException": .unavailable,
        "InvalidLambdaResponseException": .unavailable, "InternalErrorException": .unavailable,
        "InternalFailure": .unavailable, "ServiceUnavailable": .unavailable,
        "ForbiddenException": .forbidden, "AccessDeniedException": .forbidden,
        "UnsupportedOperationException": .unsupported, "OperationNotEnabledException": .unsupported,
        "UnsupportedTokenTypeException": .unsupported, "FeatureUnavailableInTierException": .unsupported,
        "UserPoolAddOnNotEnabledException": .unsupported, "UnknownOperationException": .unsupported,
        "MFAMethodNotFoundException": .factorNotFound, "SoftwareTokenMFANotFoundException": .factorDisabled,
        "WebAuthnNotEnabledException": .unsupported, "WebAuthnConfigurationMissingException": .unsupported,
        "WebAuthnCredentialNotSupportedException": .unsupported,
        "WebAuthnChallengeNotFoundException": .flowStateNotFound, "WebAuthnClientMismatchException": .invalidRequest,
        "WebAuthnOriginNotAllowedException": .invalidRequest,
        "WebAuthnRelyingPartyMismatchException": .invalidRequest,
        "UnauthorizedException": .clientSecretInvalid, "RefreshTokenReuseException": .refreshTokenReused,
        "TokenRevokedException": .tokensRevoked, "UnsupportedUserStateException": .conflict,
        "ConcurrentModificationException": .conflict, "DeviceKeyExistsException": .conflict,
        "InvalidUserPoolConfigurationException": .internalFailure,
        "InvalidSmsRoleAccessPolicyException": .internalFailure,
        "InvalidSmsRoleTrustRelationshipException": .internalFailure,
        "InvalidEmailRoleAccessPolicyException": .internalFailure,
        "ValidationException": .invalidRequest, "SerializationException": .invalidRequest,
        "ResourceConflictException": .identityAlreadyLinked,
        "DeveloperUserAlreadyRegisteredException": .identityAlreadyLinked,
        "InvalidIdentityPoolConfigurationException": .internalFailure,
        "ExternalServiceException": .identityProviderUnavailable, "ExpiredTokenException": .identityTokenInvalid,
    ]

    /// What a password lacks, by the words of `InvalidPasswordException`.
    private static func violations(_ words: String) -> [PasswordViolation] {
        let known: [(String, PasswordViolation)] = [
            ("not long enough", .minimumLength), ("uppercase", .uppercase), ("lowercase", .lowercase),
            ("numeric", .number), ("symbol", .symbol),
        ]
        return known.filter { words.contains($0.0) }.map(\.1)
    }
}
