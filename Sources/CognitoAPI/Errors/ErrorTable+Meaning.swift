// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension ErrorTable {
    /// What an error that this dialect makes by itself means to people: by the words that go out, so that nothing is
    /// told beside them that they do not say.
    static func meaning(of error: WireError) -> AuthErrorCode {
        if let (code, entry) = entries.first(where: { $1 == error }) { return entry.told?.code ?? code }
        return meanings[error.exception] ?? .invalidRequest
    }

    private static let meanings: [String: AuthErrorCode] = [
        "NotAuthorizedException": .forbidden, "UserNotConfirmedException": .emailNotVerified,
        "UserNotFoundException": .userNotFound, "UsernameExistsException": .usernameExists,
        "AliasExistsException": .usernameExists, "PasswordResetRequiredException": .passwordChangeRequired,
        "InvalidPasswordException": .weakPassword, "ResourceNotFoundException": .notFound,
        "CodeMismatchException": .oneTimeTokenInvalid, "ExpiredCodeException": .oneTimeTokenInvalid,
        "EnableSoftwareTokenMFAException": .factorCodeInvalid, "MFAMethodNotFoundException": .factorNotFound,
        "SoftwareTokenMFANotFoundException": .factorDisabled, "WebAuthnNotEnabledException": .flowNotAllowed,
        "LimitExceededException": .rateLimited, "TooManyRequestsException": .rateLimited,
        "AccessDeniedException": .forbidden, "UnauthorizedException": .clientSecretInvalid,
        "UnrecognizedClientException": .apiKeyInvalid, "RefreshTokenReuseException": .refreshTokenReused,
        "UnsupportedOperationException": .unsupported, "UnsupportedTokenTypeException": .unsupported,
        "FeatureUnavailableInTierException": .unsupported, "UnknownOperationException": .methodNotAllowed,
        "ConcurrentModificationException": .conflict, "ResourceConflictException": .identityAlreadyLinked,
        "DeveloperUserAlreadyRegisteredException": .identityAlreadyLinked,
        "ExternalServiceException": .identityProviderUnavailable,
        "CodeDeliveryFailureException": .textMessagesUnavailable,
        "UserLambdaValidationException": .hookRefused, "UnexpectedLambdaException": .hookFailed,
        "InvalidLambdaResponseException": .hookFailed, "InternalErrorException": .internalFailure,
    ]
}
