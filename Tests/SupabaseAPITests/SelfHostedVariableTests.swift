// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import SupabaseAPI

/// Variables of the platform's container that its own reader takes in a way of its own.
@Suite struct SelfHostedVariableTests {
    @Test(
        "R10.1 of two spellings of a variable the one counts that the platform's own reader takes, and the other is named"
    )
    func spellings() throws {
        let environment = try SelfHostedEnvironment([
            "API_EXTERNAL_URL": "https://one.example", "GOTRUE_API_EXTERNAL_URL": "https://two.example",
            "GOTRUE_API_PORT": "9998", "PORT": "9999", "DB_NAMESPACE": "accounts", "GOTRUE_DB_NAMESPACE": "other",
        ])
        #expect(environment.externalURL == "https://one.example" && environment.port == 9998)
        #expect(environment.database.namespace == "accounts")
        #expect(
            environment.findings.map(\.name) == ["GOTRUE_API_EXTERNAL_URL", "GOTRUE_DB_NAMESPACE", "PORT"])
        #expect(environment.findings.allSatisfy { $0.kind == .notNeeded && !$0.reason.isEmpty })
        let whole = try SelfHostedEnvironment([
            "API_EXTERNAL_URL": "https://one.example", "GOTRUE_API_API_EXTERNAL_URL": "https://three.example",
            "DB_NAMESPACE": "accounts", "GOTRUE_DB_DB_NAMESPACE": "auth", "PORT": "9999", "GOTRUE_API_PORT": "",
        ])
        #expect(whole.externalURL == "https://three.example" && whole.database.namespace == "auth")
        #expect(whole.port == 9999 && whole.findings.map(\.name) == ["API_EXTERNAL_URL", "DB_NAMESPACE"])
        // One that says the same is no matter, and the only one counts whatever it is called.
        let same = try SelfHostedEnvironment(["PORT": "9999", "GOTRUE_API_PORT": "9999"])
        #expect(same.port == 9999 && same.findings.isEmpty)
        #expect(try SelfHostedEnvironment(["GOTRUE_DB_NAMESPACE": "other"]).database.namespace == "auth")
        let only = try SelfHostedEnvironment(["GOTRUE_API_EXTERNAL_URL": "https://two.example"])
        #expect(only.externalURL == "https://two.example" && only.findings.isEmpty)
    }

    @Test(
        "R10.1 R14.2 how long a question for a factor waits is a number of seconds, as the platform's own reader has it"
    )
    func challengeLifetime() throws {
        for (text, seconds) in [("300", 300), ("450.5", 451), ("10", 300), ("0", 300), ("400s", 400), ("60s", 60)] {
            let settings = try SelfHostedEnvironment(["GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION": text]).settings
            #expect(settings.factors.challengeLifetime == seconds, "\(text)")
        }
        for text in ["-1", "1e30", "nan", "inf", "soon", "7200"] {
            let error = #expect(throws: AuthError.self) {
                try SelfHostedEnvironment(["GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION": text])
            }
            #expect(error?.field == "GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION")
        }
    }

    @Test("R10.1 subjects of mails about identities and second factors are taken over as those of the others are")
    func notices() throws {
        let names = [
            "IDENTITY_LINKED": "identity_linked", "IDENTITY_UNLINKED": "identity_unlinked",
            "MFA_FACTOR_ENROLLED": "factor_added", "MFA_FACTOR_UNENROLLED": "factor_removed",
        ]
        let environment = try SelfHostedEnvironment(
            Dictionary(uniqueKeysWithValues: names.keys.map { ("GOTRUE_MAILER_SUBJECTS_\($0)_NOTIFICATION", $0) }))
        for (name, kind) in names { #expect(environment.settings.mail.subjects[kind] == name) }
        #expect(environment.findings.isEmpty)
    }

    @Test("R10.1 a short name that the platform reads as well is named where its whole one is missing")
    func bareNames() throws {
        for (name, whole) in [
            ("DATABASE_URL", "GOTRUE_DB_DATABASE_URL"), ("RP_ID", "GOTRUE_WEBAUTHN_RP_ID"),
            ("REQUEST_ID_HEADER", "GOTRUE_API_REQUEST_ID_HEADER"),
        ] {
            let finding = try #require(try SelfHostedEnvironment([name: "app.example"]).findings.first)
            #expect(finding.name == name && finding.kind == .notNeeded && finding.reason.contains(whole))
            #expect(try SelfHostedEnvironment([name: ""]).findings.isEmpty)
            let both = try SelfHostedEnvironment([name: "app.example", whole: "app.example"])
            #expect(!both.findings.contains { $0.name == name })
        }
    }
}
