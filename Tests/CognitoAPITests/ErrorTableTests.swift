// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import CognitoAPI

@Suite("ErrorTable") struct ErrorTableTests {
    /// The exceptions of the service's model that this dialect may answer, and the errors common to the vendor's
    /// services.
    private static let known: Set<String> = [
        "AliasExistsException", "CodeDeliveryFailureException", "CodeMismatchException",
        "ConcurrentModificationException", "ExpiredCodeException",
        "GroupExistsException", "InternalErrorException", "InvalidParameterException", "InvalidPasswordException",
        "LimitExceededException", "NotAuthorizedException", "ResourceNotFoundException", "TooManyRequestsException",
        "SoftwareTokenMFANotFoundException", "UnsupportedOperationException", "UnsupportedUserStateException",
        "UserNotConfirmedException",
        "UserNotFoundException", "UsernameExistsException",
        "UserLambdaValidationException", "UnexpectedLambdaException",
        "AccessDeniedException", "SerializationException", "UnknownOperationException", "UnrecognizedClientException",
    ]

    @Test("D-5 every error of the domain has an exception of the model and a text")
    func total() {
        for code in AuthErrorCode.allKnown {
            let entry = ErrorTable.entries[code]
            #expect(entry != nil, "\(code.rawValue)")
            #expect(Self.known.contains(entry?.exception ?? ""), "\(code.rawValue): \(entry?.exception ?? "")")
            #expect(!(entry?.message.isEmpty ?? true), "\(code.rawValue)")
        }
        #expect(ErrorTable.entries.count == AuthErrorCode.allKnown.count)
    }

    @Test("G-15.7 G-15.8 every error says a key and its text in the reader's language")
    func told() {
        for code in AuthErrorCode.allKnown {
            for language in MessageLanguage.allCases {
                let told = WireError(AuthError(code)).localized(in: language)
                #expect(told.text == MessageCatalog.text(told.key, in: language), "\(code.rawValue)")
            }
        }
    }

    @Test("G-15.8 R14.70 what goes out in the service's same words goes out alike in all, whoever makes it")
    func alike() {
        var keys: [String: MessageKey] = [:]
        for code in AuthErrorCode.allKnown {
            let error = WireError(AuthError(code, reason: "private", field: "email"))
            for made in [error, WireError(error.exception, error.message)] where code != .invalidRequest {
                let key = made.localized(in: .de).key
                let known = keys.updateValue(key, forKey: made.exception + made.message) ?? key
                #expect(known == key, "\(code.rawValue): \(made.message)")
            }
        }
        #expect(keys.count < AuthErrorCode.allKnown.count, "no two errors share their words")
        let locks = [AuthErrorCode.accountLocked, .factorLocked].map {
            WireError(AuthError($0, retryAfter: .minutes(15))).localized(in: .de).key
        }
        #expect(Set(locks) == [.accountLocked])
    }

    @Test("G-15.8 what this dialect refuses by itself is told by the words that go out, and no more")
    func ownRefusals() {
        let refusals: [(WireError, AuthErrorCode)] = [
            (.notAuthorized("User is disabled."), .userBanned), (.codeMismatch, .oneTimeTokenInvalid),
            (.notAuthorized("Incorrect username or password."), .invalidCredentials), (.userNotFound, .userNotFound),
            (.notAuthorized("Something else."), .forbidden), (.parameter("x"), .invalidRequest),
            (.attemptLimit, .rateLimited), (WireError("NeverHeardOfException", "x"), .invalidRequest),
        ]
        for (error, code) in refusals {
            #expect(error.localized(in: .de).key == code.messageKey, "\(error.message)")
        }
    }

    @Test("An error that nobody listed is the server's own fault")
    func unknown() {
        let error = WireError(AuthError(AuthErrorCode(rawValue: "something_new")))
        #expect(error.exception == "InternalErrorException")
        #expect(error.isServerFault)
    }

    @Test("G-1.3 an unknown user and a wrong password have one text, and banned users are told so")
    func texts() {
        #expect(WireError(AuthError(.invalidCredentials)) == .notAuthorized("Incorrect username or password."))
        #expect(WireError(AuthError(.userBanned)) == .notAuthorized("User is disabled."))
        #expect(WireError(AuthError(.emailNotVerified)).message == "User is not confirmed.")
        #expect(WireError(AuthError(.usernameExists)).message == "User already exists")
    }

    @Test(
        "A password's first broken rule is said in the service's words",
        arguments: [
            (.minimumLength, "Password not long enough"),
            (.uppercase, "Password must have uppercase characters"),
            (.lowercase, "Password must have lowercase characters"),
            (.number, "Password must have numeric characters"),
            (.symbol, "Password must have symbol characters"),
        ] as [(PasswordViolation, String)])
    func passwords(violation: PasswordViolation, rule: String) {
        let error = WireError(AuthError(.weakPassword, violations: [.characters, violation]))
        #expect(error == WireError("InvalidPasswordException", "Password did not conform with policy: \(rule)"))
    }
}
