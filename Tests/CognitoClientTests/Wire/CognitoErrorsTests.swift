// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import CognitoClient
import Testing

struct CognitoErrorsTests {
    /// What the operations of an app may answer, by the service's model (user pools and identity pools).
    static let exceptions = [
        "AliasExistsException", "CodeDeliveryFailureException", "CodeMismatchException",
        "ConcurrentModificationException", "EnableSoftwareTokenMFAException", "ExpiredCodeException",
        "ForbiddenException", "InternalErrorException", "InvalidEmailRoleAccessPolicyException",
        "InvalidLambdaResponseException", "InvalidParameterException", "InvalidPasswordException",
        "InvalidSmsRoleAccessPolicyException", "InvalidSmsRoleTrustRelationshipException",
        "InvalidUserPoolConfigurationException", "LimitExceededException", "MFAMethodNotFoundException",
        "NotAuthorizedException", "PasswordHistoryPolicyViolationException", "PasswordResetRequiredException",
        "RefreshTokenReuseException", "ResourceNotFoundException", "SoftwareTokenMFANotFoundException",
        "TooManyFailedAttemptsException", "TooManyRequestsException", "UnauthorizedException",
        "UnexpectedLambdaException", "UnsupportedOperationException", "UnsupportedTokenTypeException",
        "UserLambdaValidationException", "UserNotConfirmedException", "UserNotFoundException",
        "UsernameExistsException", "UnsupportedUserStateException", "DeviceKeyExistsException",
        "OperationNotEnabledException", "FeatureUnavailableInTierException", "UserPoolAddOnNotEnabledException",
        "WebAuthnChallengeNotFoundException", "WebAuthnClientMismatchException",
        "WebAuthnConfigurationMissingException", "WebAuthnCredentialNotSupportedException",
        "WebAuthnNotEnabledException", "WebAuthnOriginNotAllowedException", "WebAuthnRelyingPartyMismatchException",
        "DeveloperUserAlreadyRegisteredException", "ExternalServiceException",
        "InvalidIdentityPoolConfigurationException", "ResourceConflictException", "UnknownOperationException",
        "ValidationException", "ThrottlingException", "ExpiredTokenException",
    ]

    @Test("R13.3 Every exception of the service is a code that has a text", arguments: exceptions)
    func known(type: String) {
        let codes = Set(AuthErrorCode.allKnown + AuthErrorCode.allOfClient)
        for purpose in CognitoErrors.Purpose.allCases {
            let error = CognitoErrors.error(type, "", for: purpose)
            #expect(codes.contains(error.code), "\(type) is \(error.code.rawValue)")
            #expect(error.reason?.hasPrefix(type) == true)
        }
    }

    @Test(
        "G-11 Terms that stand before a session are named with their page, which stands in no reason and ends no session"
    )
    func terms() async throws {
        let page = "https://login.example.com/account/terms?agreement=sealed"
        let transport = Recorded.service { _, _ in
            Recorded.refusal("NotAuthorizedException", "The current terms must be agreed to first: \(page)")
        }
        let backend = CognitoBackend(
            Recorded.configuration, transport: transport, clock: ManualClock(now: Recorded.date))
        let error = await #expect(throws: AuthError(.termsNotAgreed)) {
            try await backend.signIn(.password(identifier: "ada", password: Secret("x")))
        }
        #expect(error?.page == page && error?.reason == nil)
        await #expect(throws: AuthError(.termsNotAgreed)) { try await backend.refresh(Recorded.tokens()) }
        #expect(!AuthErrorCode.termsNotAgreed.endsSession)
    }

    @Test("R13.3 An exception that nobody here knows stays readable")
    func unknown() {
        let error = CognitoErrors.error("MadeUpException", "So\nit is", for: .signIn)
        #expect(error.code.rawValue == "MadeUpException" && error.reason == "MadeUpException: So it is")
        // What reads as one of the library's own codes is somebody else's, and ends nothing.
        for word in AuthErrorCode.allKnown.filter(\.endsSession) + AuthErrorCode.allOfClient {
            #expect(CognitoErrors.error(word.rawValue, "", for: .refresh).code == .internalFailure)
        }
        #expect(CognitoErrors.error("X", String(repeating: "m ", count: 5_000), for: .open).reason?.count == 200)
        // It may quote what it was sent.
        let quoting = CognitoErrors.error(
            "InvalidParameterException", "user ada@example.com, code eyJhbGciOi8x is bad", for: .open)
        #expect(quoting.reason == "InvalidParameterException: user [redacted] code [redacted] is bad")
    }

    @Test(
        "R13.3 C-8 C-11 F10 Only what says that a refresh token is over ends a session, and says which way",
        arguments: [
            ("NotAuthorizedException", "Refresh Token has expired", SignOutReason.sessionExpired as SignOutReason?),
            ("NotAuthorizedException", "Refresh Token has been revoked", .sessionRevoked),
            ("NotAuthorizedException", "Invalid Refresh Token", .sessionRevoked),
            ("NotAuthorizedException", "Invalid Refresh Token.", .sessionRevoked),
            ("NotAuthorizedException", "User is disabled.", .accountDisabled),
            ("NotAuthorizedException", "Refresh Token has different Client", .sessionRevoked),
            ("RefreshTokenReuseException", "", .sessionRevoked),
            ("UserNotFoundException", "User does not exist.", .accountDeleted),
            ("PasswordResetRequiredException", "Password reset required for the user", .sessionRevoked),
            ("UserNotConfirmedException", "User is not confirmed.", .sessionRevoked),
            ("NotAuthorizedException", "Client abc is configured for secret but secret was not received", nil),
            ("NotAuthorizedException", "Unable to verify secret hash for client abc", nil),
            ("NotAuthorizedException", "SecretHash does not match for the client: abc", nil),
            ("NotAuthorizedException", "Unable to verify secret for client abc", nil),
            ("NotAuthorizedException", "Request not allowed due to security reasons.", nil),
            ("NotAuthorizedException", "Client abc is configured with secret but SECRET_HASH was not received", nil),
            ("NotAuthorizedException", "Password attempts exceeded", nil),
            ("TooManyRequestsException", "Rate exceeded", nil),
            ("LimitExceededException", "Attempt limit exceeded, please try after some time.", nil),
            ("InternalErrorException", "", nil), ("UnexpectedLambdaException", "", nil),
            ("ForbiddenException", "", nil),
            ("ResourceNotFoundException", "User pool client abc does not exist.", nil),
            ("InvalidParameterException", "REFRESH_TOKEN_AUTH flow not enabled for this client", nil),
            ("UnsupportedOperationException", "", nil), ("ThrottlingException", "", nil),
        ])
    func refresh(type: String, message: String, reason: SignOutReason?) {
        let code = CognitoErrors.error(type, message, for: .refresh).code
        #expect(SignOutReason(refusal: code) == reason)
    }

    @Test(
        "R13.3 The service's texts say which of its meanings an exception has",
        arguments: [
            ("NotAuthorizedException", "Incorrect username or password.", .signIn, .invalidCredentials),
            ("UserNotFoundException", "User does not exist.", .signIn, .invalidCredentials),
            ("UserNotFoundException", "Username/client id combination not found.", .open, .userNotFound),
            ("NotAuthorizedException", "User is disabled.", .signIn, .userBanned),
            ("UserNotConfirmedException", "User is not confirmed.", .signIn, .emailNotVerified),
            ("UsernameExistsException", "User already exists", .open, .usernameExists),
            ("UsernameExistsException", "An account with the given email already exists.", .open, .emailExists),
            ("AliasExistsException", "An account with the given email already exists.", .open, .emailExists),
            ("NotAuthorizedException", "Password attempts exceeded", .signIn, .rateLimited),
            (
                "CodeMismatchException", "Invalid verification code provided, please try again.", .open,
                .oneTimeTokenInvalid
            ),
            (
                "ExpiredCodeException", "Invalid code provided, please request a code again.", .open,
                .oneTimeTokenInvalid
            ),
            ("CodeMismatchException", "Invalid code received for user", .signIn, .oneTimeTokenInvalid),
            (
                "NotAuthorizedException", "Temporary password has expired and must be reset by an administrator.",
                .signIn, .temporaryPasswordExpired
            ),
            (
                "NotAuthorizedException", "User account has expired, it must be reset by an administrator.", .signIn,
                .temporaryPasswordExpired
            ),
            ("NotAuthorizedException", "Unable to login because of security reasons.", .signIn, .forbidden),
            ("NotAuthorizedException", "User cannot be confirmed. Current status is CONFIRMED", .open, .conflict),
            ("InvalidParameterException", "User is already confirmed.", .open, .conflict),
            (
                "InvalidParameterException", "USER_PASSWORD_AUTH flow not enabled for this client", .signIn,
                .flowNotAllowed
            ),
            ("InvalidParameterException", "Initiate Auth method not supported", .signIn, .flowNotAllowed),
            ("InvalidParameterException", "Missing required parameter USERNAME", .signIn, .invalidRequest),
            (
                "InvalidParameterException",
                "Cannot reset password for the user as there is no registered/verified email or phone_number", .open,
                .emailNotVerified
            ),
            ("ResourceNotFoundException", "User pool client abc does not exist.", .signIn, .clientNotFound),
            ("InvalidParameterException", "Username should be an email.", .open, .invalidEmail),
            (
                "InvalidParameterException", "Username should be either an email or a phone number.", .open,
                .invalidEmail
            ),
            ("InvalidParameterException", "Username should be a phone number.", .open, .invalidPhone),
            (
                "PasswordResetRequiredException", "Password reset required for the user", .signIn,
                .passwordChangeRequired
            ),
            ("NotAuthorizedException", "A client attempted to write unauthorized attribute", .account, .forbidden),
            ("NotAuthorizedException", "Access Token has been revoked", .account, .tokensRevoked),
            ("NotAuthorizedException", "Access Token has expired", .account, .tokenExpired),
            ("NotAuthorizedException", "Invalid Access Token", .account, .tokenInvalid),
            ("NotAuthorizedException", "Access Token does not have required scopes", .account, .forbidden),
            ("NotAuthorizedException", "Contact administrator to reset password.", .open, .forbidden),
            ("NotAuthorizedException", "SignUp is not permitted for this user pool", .open, .signUpDisabled),
            (
                "NotAuthorizedException", "Invalid session for the user, session can only be used once.", .signIn,
                .flowStateNotFound
            ),
            ("NotAuthorizedException", "Invalid session for the user, session is expired.", .signIn, .flowStateExpired),
            ("SoftwareTokenMFANotFoundException", "User has not verified software token mfa", .signIn, .factorDisabled),
            ("CodeMismatchException", "Invalid code received for user", .factor, .factorCodeInvalid),
            ("CodeMismatchException", "Invalid verification code provided.", .open, .oneTimeTokenInvalid),
            ("ExpiredCodeException", "Your software token has already been used once.", .factor, .factorCodeUsed),
            ("NotAuthorizedException", "Password attempts exceeded", .factor, .factorLocked),
            (
                "NotAuthorizedException", "The user must sign in with a second factor.", .account,
                .insufficientAssurance
            ),
            (
                "NotAuthorizedException", "Invalid login token. Token expired: 1 >= 0", .identityPool,
                .identityTokenInvalid
            ),
            (
                "NotAuthorizedException", "Token is not from a supported provider of this identity pool.",
                .identityPool, .identityProviderNotFound
            ),
            (
                "NotAuthorizedException", "Unauthenticated access is not supported for this identity pool.",
                .identityPool, .anonymousDisabled
            ),
            ("NotAuthorizedException", "Access to Identity 'x' is forbidden.", .identityPool, .identityNotFound),
            ("ResourceNotFoundException", "Identity 'x' not found.", .identityPool, .identityNotFound),
            (
                "ResourceConflictException",
                "Logins don't match. Please include at least one valid login for this identity or identity pool.",
                .identityPool, .identityAlreadyLinked
            ),
            ("ResourceNotFoundException", "IdentityPool 'x' not found.", .identityPool, .notFound),
            (
                "NotAuthorizedException",
                "The ambiguous role mapping rules for: accounts.google.com denied this request.", .identityPool,
                .forbidden
            ),
            ("NotAuthorizedException", "No role could be chosen for the identity.", .identityPool, .forbidden),
        ] as [(String, String, CognitoErrors.Purpose, AuthErrorCode)])
    func texts(type: String, message: String, purpose: CognitoErrors.Purpose, code: AuthErrorCode) {
        #expect(CognitoErrors.error(type, message, for: purpose).code == code)
    }

    @Test("R13.3 What a new password lacks is told rule by rule")
    func password() {
        func violations(_ rule: String) -> [PasswordViolation] {
            CognitoErrors.error(
                "InvalidPasswordException", "Password did not conform with policy: Password \(rule)", for: .open
            ).violations
        }
        #expect(violations("not long enough") == [.minimumLength])
        #expect(violations("must have uppercase characters") == [.uppercase])
        #expect(violations("must have lowercase characters") == [.lowercase])
        #expect(violations("must have numeric characters") == [.number])
        #expect(violations("must have symbol characters") == [.symbol])
    }
}
