// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import HummingbirdCore
import Testing

@testable import SupabaseAPI

@Suite struct ErrorTableTests {
    @Test("G-15.8 every code of the domain has a status, a code and a text here")
    func complete() {
        for code in AuthErrorCode.allKnown {
            #expect(ErrorTable.entries[code] != nil, "\(code.rawValue)")
        }
        #expect(ErrorTable.entries.count == AuthErrorCode.allKnown.count)
    }

    @Test("Only what is the server's or its operator's own fault is a 5xx")
    func statuses() {
        // The platform's own answer where it was given no gateway for text messages is a 500.
        let own: Set<AuthErrorCode> = [
            .overloaded, .unavailable, .internalFailure, .textMessagesUnavailable, .identityProviderUnavailable,
        ]
        for (code, entry) in ErrorTable.entries {
            #expect((entry.status.code >= 500) == own.contains(code), "\(code.rawValue)")
        }
    }

    @Test("An error is said in the form of the version that the client asked for")
    func versions() {
        let error = WireError(AuthError(.invalidCredentials))
        #expect(
            error.body(version: .initial)
                == ["code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"])
        #expect(
            error.body(version: .of20240101)
                == ["code": "invalid_credentials", "message": "Invalid login credentials"])
        #expect(APIVersion(header: "2024-01-01") == .of20240101)
        #expect(APIVersion(header: "2026-08-20") == .of20240101)
        for header in [nil, "", "2023-12-31", "x", "2024-1-1", "9999"] {
            #expect(APIVersion(header: header) == .initial)
        }
    }

    @Test("G-15.5 a weak password names every kind of reason once")
    func weakPasswords() {
        let error = WireError(
            AuthError(
                .weakPassword,
                violations: [.minimumLength, .uppercase, .number, .common]),
            settings: DirectorySettings().password)
        #expect(error.weakPasswordReasons == ["length", "characters", "pwned"])
        #expect(
            error.body(version: .initial)["weak_password"] == ["reasons": ["length", "characters", "pwned"]])
    }
}
