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
        // The platform's own answer is a 500 where it was given no gateway for text messages, and where a trigger or a
        // key of the app's own says no.
        let own: Set<AuthErrorCode> = [
            .overloaded, .unavailable, .internalFailure, .textMessagesUnavailable, .identityProviderUnavailable,
            .changeRefused,
        ]
        for (code, entry) in ErrorTable.entries {
            #expect((entry.status.code >= 500) == own.contains(code), "\(code.rawValue)")
        }
    }

    @Test("An error is said in the form of the version that the client asked for")
    func versions() {
        let error = WireError(AuthError(.invalidCredentials))
        let told: JSONObject = [
            "message_key": "auth.error_invalid_credentials", "localized_message": "Ungültige E-Mail oder Passwort",
        ]
        #expect(
            error.body(version: .initial, in: .de)
                == (["code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"]
                as JSONObject).merging(told))
        #expect(
            error.body(version: .of20240101, in: .de)
                == (["code": "invalid_credentials", "message": "Invalid login credentials"] as JSONObject)
                .merging(told))
        #expect(APIVersion(header: "2024-01-01") == .of20240101)
        #expect(APIVersion(header: "2026-08-20") == .of20240101)
        for header in [nil, "", "2023-12-31", "x", "2024-1-1", "9999"] {
            #expect(APIVersion(header: header) == .initial)
        }
    }

    @Test("G-15.7 G-15.8 every error says a key and its text in the reader's language, in both forms")
    func told() {
        for code in AuthErrorCode.allKnown {
            for language in MessageLanguage.allCases {
                for version in [APIVersion.initial, .of20240101] {
                    let body = WireError(AuthError(code)).body(version: version, in: language)
                    let text = body["message_key"]?.stringValue
                        .flatMap { MessageCatalog.text(MessageKey(rawValue: $0), in: language) }
                    #expect(text != nil && body["localized_message"]?.stringValue == text, "\(code.rawValue)")
                }
            }
        }
    }

    @Test("G-15.8 R14.70 what goes out in the platform's same words goes out alike in all, whoever makes it")
    func alike() {
        var bodies: [String: String] = [:]
        for code in AuthErrorCode.allKnown {
            let error = WireError(AuthError(code, reason: "private", field: "email"))
            for made in [error, WireError(error.status, error.code, error.message)] {
                let body = made.body(version: .initial, in: .de)
                var words = body
                (words["message_key"], words["localized_message"]) = (nil, nil)
                let text = JSONValue.object(body).text
                #expect(bodies.updateValue(text, forKey: JSONValue.object(words).text) ?? text == text)
            }
        }
        #expect(bodies.count < AuthErrorCode.allKnown.count, "no two errors share their words")
    }

    @Test(
        "G-15.8 what this dialect refuses by itself is told by what its code says, and no more",
        arguments: [
            ("user_banned", 400, "auth.error_user_banned"), ("validation_failed", 400, "auth.error_invalid_request"),
            ("email_not_confirmed", 422, "auth.error_email_not_verified"),
            ("over_request_rate_limit", 429, "auth.error_rate_limit"), ("unexpected_failure", 500, "auth.error_server"),
            ("unheard_of", 400, "auth.error_invalid_request"), ("unheard_of", 500, "auth.error_server"),
        ])
    func ownRefusals(code: String, status: Int, key: String) {
        let body = WireError(.init(code: status), code, "Text").body(version: .initial, in: .de)
        #expect(body["message_key"]?.stringValue == key)
        #expect(body["localized_message"]?.stringValue == MessageCatalog.text(MessageKey(rawValue: key), in: .de))
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
            error.body(version: .initial, in: .en)["weak_password"] == ["reasons": ["length", "characters", "pwned"]])
        #expect(
            error.body(version: .initial, in: .en)["localized_message"]?.stringValue
                == "The password is too short. The password needs an upper-case letter. The password needs a digit. "
                + "This password is known to many. Please choose another.")
    }
}
