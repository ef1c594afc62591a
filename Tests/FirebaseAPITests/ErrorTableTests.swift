// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Testing

@testable import FirebaseAPI

@Suite struct ErrorTableTests {
    @Test("Every code of the domain has an entry, in the form that clients take apart")
    func isTotal() throws {
        for code in AuthErrorCode.allKnown {
            let entry = try #require(ErrorTable.entries[code], "\(code.rawValue) is not in the table")
            #expect((400..<600).contains(entry.status.code))
            #expect(!entry.message.isEmpty)
        }
        #expect(Set(ErrorTable.entries.keys) == Set(AuthErrorCode.allKnown), "the table knows codes that are none")
    }

    @Test("Only the server's own faults are 5xx: some SDKs try those again, up to four times")
    func onlyFaultsAreRetried() {
        let faults: Set<AuthErrorCode> = [
            .overloaded, .unavailable, .internalFailure, .identityProviderUnavailable,
        ]
        for (code, entry) in ErrorTable.entries {
            #expect((entry.status.code >= 500) == faults.contains(code), "\(code.rawValue)")
        }
    }

    @Test("A code of this API is capitals, then a colon between blanks; 400, and without a status")
    func codes() {
        for (code, entry) in ErrorTable.entries where entry.statusName == nil {
            #expect(entry.status.code == 400, "\(code.rawValue)")
            #expect(
                entry.code.utf8.allSatisfy { (65...90).contains($0) || $0 == UInt8(ascii: "_") }, "\(entry.message)")
            #expect(WireError(AuthError(code)).body(in: .en)["error"]?.objectValue?["status"] == nil)
        }
    }

    @Test("Codes that name what only a right password may reveal are not those of a wrong one")
    func verdicts() {
        #expect(ErrorTable.entry(for: .invalidCredentials).code == "INVALID_LOGIN_CREDENTIALS")
        #expect(ErrorTable.entry(for: .userBanned).code == "USER_DISABLED")
        #expect(ErrorTable.entry(for: .emailNotVerified).code == "UNVERIFIED_EMAIL")
        #expect(ErrorTable.entry(for: AuthErrorCode(rawValue: "none_of_ours")).status.code == 500)
    }

    @Test("G-15.7 G-15.8 every error says a key and its text in the reader's language")
    func told() {
        for code in AuthErrorCode.allKnown {
            for language in MessageLanguage.allCases {
                let (key, text) = Self.told(WireError(AuthError(code)), in: language)
                let known = key.flatMap { MessageCatalog.text(MessageKey(rawValue: $0), in: language) }
                #expect(known != nil && text == known, "\(code.rawValue)")
            }
        }
    }

    @Test("G-15.8 R14.70 what goes out in the platform's same words goes out alike in all, whoever makes it")
    func alike() {
        var keys: [String: String] = [:]
        for code in AuthErrorCode.allKnown {
            let error = WireError(AuthError(code, reason: "private", field: "email"))
            let own = WireError(
                error.status, error.message, reason: error.reason, statusName: error.statusName)
            for made in [error, own] {
                let words = "\(made.status.code) \(made.message) \(made.reason) \(made.statusName ?? "")"
                let key = Self.told(made, in: .de).key ?? ""
                #expect(keys.updateValue(key, forKey: words) ?? key == key, "\(code.rawValue): \(words)")
            }
        }
        #expect(keys.count < AuthErrorCode.allKnown.count, "no two errors share their words")
        let locks = [AuthErrorCode.accountLocked, .factorLocked].map {
            Self.told(WireError(AuthError($0, retryAfter: .minutes(15))), in: .de).key
        }
        #expect(Set(locks) == [MessageKey.accountLocked.rawValue])
    }

    @Test(
        "G-15.8 what this dialect refuses by itself is told by what its code says, and no more",
        arguments: [
            ("EMAIL_NOT_FOUND", "auth.error_user_not_found"),
            ("INVALID_LOGIN_CREDENTIALS", "auth.error_invalid_credentials"),
            ("OPERATION_NOT_ALLOWED", "auth.error_unsupported"), ("INVALID_CONFIG", "auth.error_invalid_request"),
        ])
    func ownRefusals(code: String, key: String) {
        let told = Self.told(WireError(code, "An explanation"), in: .de)
        #expect(told.key == key && told.text == MessageCatalog.text(MessageKey(rawValue: key), in: .de))
    }

    private static func told(_ error: WireError, in language: MessageLanguage) -> (key: String?, text: String?) {
        let details = error.body(in: language)["error"]?.objectValue?["details"]?.arrayValue ?? []
        func detail(_ type: String) -> JSONObject? {
            details.compactMap(\.objectValue).first { $0["@type"] == .string("type.googleapis.com/google.rpc." + type) }
        }
        #expect(detail("LocalizedMessage")?["locale"]?.stringValue == language.rawValue)
        return (
            detail("ErrorInfo")?["metadata"]?.objectValue?["messageKey"]?.stringValue,
            detail("LocalizedMessage")?["message"]?.stringValue
        )
    }

    @Test(
        "G-15.7 the body carries the message twice, as the platform's does, and for people what Google's APIs have for it"
    )
    func body() throws {
        let json = WireError("EMAIL_EXISTS").body(in: .de)
        #expect(
            json.text
                == #"{"error":{"code":400,"message":"EMAIL_EXISTS","errors":[{"message":"EMAIL_EXISTS","#
                + #""reason":"invalid","domain":"global"}],"details":["#
                + #"{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"ERROR_EMAIL_EXISTS","#
                + #""domain":"latchkey","metadata":{"messageKey":"auth.error_email_exists"}},"#
                + #"{"@type":"type.googleapis.com/google.rpc.LocalizedMessage","locale":"de","#
                + #""message":"Ein Konto mit dieser E-Mail existiert bereits"}]}}"#)
    }
}
