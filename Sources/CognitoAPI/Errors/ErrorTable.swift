// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How this dialect says each of the domain's errors: the exception of the service's model, and the text that clients
/// match on. The first authority is the model that the vendor's own SDK is made from; texts are those in common use.
struct ErrorTable {
    static func entry(for code: AuthErrorCode) -> WireError { entries[code] ?? internalError }

    private static let internalError = WireError("InternalErrorException", "An internal error has occurred.")
    private static let busy = WireError("TooManyRequestsException", "Rate exceeded")
    private static let aliasExists = WireError(
        "AliasExistsException", "An account with the given email already exists.")
    /// Said of an address and of a number alike: people are told of neither.
    private static let notConfirmed = WireError("UserNotConfirmedException", "User is not confirmed.")
        .told(as: AuthErrorCode(rawValue: "account_not_confirmed"))
    private static let sent = WireError.attemptLimit.told(as: .rateLimited)

    static let entries: [AuthErrorCode: WireError] = [
        // Input
        .invalidRequest: .parameter("The request is not valid."),
        .invalidJSON: WireError("SerializationException", "The request body could not be read as a JSON object"),
        .invalidEmail: .parameter("Invalid email address format."),
        .invalidPhone: .parameter("Invalid phone number format."),
        .weakPassword: WireError("InvalidPasswordException", "Password did not conform with policy"),
        .samePassword: WireError(
            "InvalidPasswordException", "The new password must be different from the old password."),
        .requestTooLarge: WireError("SerializationException", "The request body is too large"),
        .metadataTooLarge: .parameter("The attributes of the user would be too large."),
        .notFound: .notFound("Not found"),
        .methodNotAllowed: .unknownOperation,
        .unsupported: WireError("UnsupportedOperationException", "This operation is not supported by this server."),
        .conflict: WireError("ConcurrentModificationException", "The request conflicts with another one."),

        // Sign-in and accounts
        .invalidCredentials: .notAuthorized("Incorrect username or password."),
        .accountLocked: .notAuthorized("Password attempts exceeded"),
        .emailNotVerified: notConfirmed,
        .phoneNotVerified: notConfirmed,
        .userBanned: .notAuthorized("User is disabled."),
        .userNotFound: .userNotFound,
        .emailExists: aliasExists,
        .phoneExists: WireError("AliasExistsException", "An account with the given phone_number already exists."),
        .usernameExists: WireError("UsernameExistsException", "User already exists"),
        .signUpDisabled: .notAuthorized("SignUp is not permitted for this user pool"),
        .anonymousDisabled: WireError("UnsupportedOperationException", "Anonymous users are not supported."),
        .emailSignInDisabled: .notAuthorized("Email addresses are not enabled for this user pool."),
        .phoneSignInDisabled: .notAuthorized("Phone numbers are not enabled for this user pool."),
        .passwordChangeRequired: .notAuthorized("Temporary password must be changed."),
        .temporaryPasswordExpired: .notAuthorized(
            "Temporary password has expired and must be reset by an administrator."),

        // One-time tokens. The domain does not tell a wrong code from an expired one.
        .oneTimeTokenInvalid: .codeMismatch,
        .oneTimeCodesDisabled: .notAuthorized("Codes are not enabled for this user pool."),
        .flowStateNotFound: .notAuthorized("Invalid session for the user."),
        .flowStateExpired: .notAuthorized("Invalid session for the user, session is expired."),
        .codeVerifierMismatch: .parameter("Invalid code verifier."),
        .reauthenticationNeeded: .notAuthorized("The user must sign in again for this change."),
        .reauthenticationInvalid: WireError.codeMismatch.told(as: .oneTimeTokenInvalid),
        .currentPasswordRequired: .parameter("Missing required parameter PreviousPassword"),
        .currentPasswordInvalid: WireError.notAuthorized("Incorrect username or password.").told(
            as: .invalidCredentials),

        // Clients, sessions and tokens
        .clientNotFound: .notFound("User pool client does not exist."),
        .clientSecretInvalid: .notAuthorized("Unable to verify secret hash for client"),
        .flowNotAllowed: .parameter("Auth flow not enabled for this client"),
        .tokensRevoked: WireError.notAuthorized("Access Token has been revoked").told(as: .sessionNotFound),
        .tokenMissing: WireError.notAuthorized("Invalid Access Token").told(as: .tokenInvalid),
        .tokenInvalid: .notAuthorized("Invalid Access Token"),
        .tokenExpired: .notAuthorized("Access Token has expired"),
        .sessionNotFound: .notAuthorized("Access Token has been revoked"),
        .sessionExpired: .notAuthorized("Refresh Token has expired"),
        .refreshTokenNotFound: .notAuthorized("Invalid Refresh Token"),
        .refreshTokenReused: .notAuthorized("Refresh Token has been revoked"),
        .forbidden: WireError("AccessDeniedException", "The caller is not allowed to perform this operation."),
        .apiKeyInvalid: WireError(
            "UnrecognizedClientException", "The security token included in the request is invalid."),
        .insufficientAssurance: .notAuthorized("The user must sign in with a second factor."),

        // Other people's identity providers
        .identityProviderNotFound: .notFound("Identity provider does not exist."),
        .identityProviderDisabled: .parameter("Identity provider is not enabled for this user pool."),
        .identityProviderUnavailable: internalError.told(as: .internalFailure),
        .identityProviderRefused: .notAuthorized("The identity provider refused the sign-in."),
        .identityTokenInvalid: .notAuthorized("Invalid token of the identity provider."),
        .identityEmailMissing: .parameter("attributes required: [email]"),
        .identityAttributesMissing: .parameter("attributes required"),
        .identityNotFound: .notFound("The user is not linked to this identity."),
        .identityAlreadyLinked: .parameter("SourceUser is already linked to DestinationUser"),
        .needsConfirmation: aliasExists.told(as: .emailExists),
        .lastWayIn: .parameter("The user could not sign in any more."),

        // Second factors
        .secondFactorRequired: .notAuthorized("A second factor is required."),
        .factorEnrolmentRequired: .notAuthorized("A second factor must be set up first."),
        .factorNotFound: WireError("SoftwareTokenMFANotFoundException", "Software Token MFA not found"),
        .factorDisabled: .parameter("This kind of MFA is not enabled for this user pool."),
        .factorNameExists: .parameter("There is a device of this name already."),
        .factorExists: .parameter("This factor is set up already."),
        .tooManyFactors: WireError("LimitExceededException", "There are too many factors."),
        .factorChallengeNotFound: WireError(
            "ExpiredCodeException", "Invalid code provided, please request a code again."
        ).told(as: .factorChallengeExpired),
        .factorChallengeExpired: WireError(
            "ExpiredCodeException", "Invalid code provided, please request a code again."),
        .factorCodeInvalid: WireError("CodeMismatchException", "Invalid code received for user"),
        .factorCodeUsed: WireError(
            "ExpiredCodeException", "Your software token has already been used once."),
        .factorLocked: WireError.notAuthorized("Password attempts exceeded").told(as: .accountLocked),
        .noOtherFactor: .parameter("There is no other factor."),
        .passkeyRefused: .notAuthorized("Invalid passkey."),
        .deviceNotFound: .notFound("Device does not exist."),

        // Programs of the operator's
        .hookRefused: WireError("UserLambdaValidationException", "The request was refused."),
        .hookFailed: WireError("UnexpectedLambdaException", "The trigger gave no answer."),

        // Limits and faults
        .rateLimited: busy,
        .mailRateLimited: sent,
        .messageRateLimited: sent,
        .textMessagesUnavailable: WireError(
            "CodeDeliveryFailureException", "The verification code could not be delivered by SMS."),
        .overloaded: busy.told(as: .rateLimited),
        .unavailable: internalError,
        .internalFailure: internalError,

        // Terms
        .termsNotAgreed: .notAuthorized("The current terms must be agreed to first."),

        // What else stands in the database
        .changeRefused: .parameter("The database refuses this change of the user."),
    ]
}
