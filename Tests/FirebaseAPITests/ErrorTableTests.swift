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
            #expect(WireError(AuthError(code)).body["error"]?.objectValue?["status"] == nil)
        }
    }

    @Test("Codes that name what only a right password may reveal are not those of a wrong one")
    func verdicts() {
        #expect(ErrorTable.entry(for: .invalidCredentials).code == "INVALID_LOGIN_CREDENTIALS")
        #expect(ErrorTable.entry(for: .userBanned).code == "USER_DISABLED")
        #expect(ErrorTable.entry(for: .emailNotVerified).code == "UNVERIFIED_EMAIL")
        #expect(ErrorTable.entry(for: AuthErrorCode(rawValue: "none_of_ours")).status.code == 500)
    }

    @Test("The body carries the message twice, as the platform's does")
    func body() throws {
        let json = WireError("EMAIL_EXISTS").body
        #expect(
            json.text
                == #"{"error":{"code":400,"message":"EMAIL_EXISTS","errors":[{"message":"EMAIL_EXISTS","#
                + #""reason":"invalid","domain":"global"}]}}"#)
    }
}
