// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Testing

@testable import SupabaseAPI

@Suite struct SelfHostedEnvironmentTests {
    @Test("The container's settings become the Directory's")
    func settings() throws {
        let environment = try SelfHostedEnvironment([
            "API_EXTERNAL_URL": "https://auth.example.com", "PORT": "9999",
            "GOTRUE_SITE_URL": "https://app.example.com",
            "GOTRUE_URI_ALLOW_LIST": "https://*.example.com, myapp://callback", "GOTRUE_JWT_EXP": "1200",
            "GOTRUE_DISABLE_SIGNUP": "true", "GOTRUE_SMS_AUTOCONFIRM": "1", "GOTRUE_PASSWORD_MIN_LENGTH": "10",
            "GOTRUE_PASSWORD_REQUIRED_CHARACTERS": "abc:123:\\:;", "GOTRUE_SESSIONS_TIMEBOX": "24h",
            "GOTRUE_SESSIONS_INACTIVITY_TIMEOUT": "1h30m", "GOTRUE_SESSIONS_SINGLE_PER_USER": "true",
            "GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL": "15", "GOTRUE_RATE_LIMIT_EMAIL_SENT": "100/30m",
            "GOTRUE_RATE_LIMIT_VERIFY": "50", "GOTRUE_MAILER_SUBJECTS_RECOVERY": "Reset",
            "GOTRUE_SMTP_HOST": "mail.example.com", "GOTRUE_SMTP_ADMIN_EMAIL": "no-reply@example.com",
            "GOTRUE_SMTP_PASS": "hunter2-of-the-mailer",
        ])
        #expect(environment.externalURL == "https://auth.example.com")
        #expect(environment.port == 9999)
        let settings = environment.settings
        #expect(settings.siteURL == "https://app.example.com")
        #expect(settings.redirectAllowList == ["https://*.example.com", "myapp://callback"])
        #expect(settings.sessions.accessTokenLifetime == 1200)
        #expect(!settings.signUp.enabled && settings.signUp.phoneAutoConfirm)
        #expect(settings.password.minimumLength == 10)
        #expect(settings.password.requiredCharacters == ["abc", "123", ":;"])
        #expect(settings.sessions.timebox == 86_400 && settings.sessions.inactivityTimeout == 5400)
        #expect(settings.sessions.singlePerUser && settings.sessions.reuseInterval == 15)
        #expect(settings.limits.mailSent == .init(count: 100, seconds: 1800))
        #expect(settings.limits.verify == .init(count: 50, seconds: 300))
        #expect(settings.mail.subjects["recovery"] == "Reset")
        #expect(environment.smtp?.host == "mail.example.com" && environment.smtp?.port == 587)
        #expect(environment.findings.isEmpty)
        #expect(!"\(environment)".contains("hunter2"))
    }

    @Test("Each variable that is not taken over is named with its reason; one that asks for nothing is not")
    func findings() throws {
        let environment = try SelfHostedEnvironment([
            "GOTRUE_EXTERNAL_GOOGLE_ENABLED": "true", "GOTRUE_EXTERNAL_APPLE_ENABLED": "false",
            "GOTRUE_HOOK_SEND_EMAIL_ENABLED": "true", "GOTRUE_TYPO": "x", "GOTRUE_DB_DRIVER": "postgres",
            "PATH": "/bin",
        ])
        let kinds = Dictionary(uniqueKeysWithValues: environment.findings.map { ($0.name, $0.kind) })
        #expect(
            kinds == [
                "GOTRUE_EXTERNAL_GOOGLE_ENABLED": .unsupported, "GOTRUE_HOOK_SEND_EMAIL_ENABLED": .unsupported,
                "GOTRUE_TYPO": .unknown, "GOTRUE_DB_DRIVER": .notNeeded,
            ])
        for finding in environment.findings { #expect(!finding.reason.isEmpty) }
    }

    @Test(
        "A value that can't be read is an error that names the variable and not the value",
        arguments: [
            ("PORT", "70000x"), ("GOTRUE_JWT_EXP", "soon"), ("GOTRUE_DISABLE_SIGNUP", "maybe"),
            ("GOTRUE_SESSIONS_TIMEBOX", "1 day"), ("GOTRUE_RATE_LIMIT_EMAIL_SENT", "a/b"),
            ("GOTRUE_RATE_LIMIT_OTP", "-1"), ("GOTRUE_MAILER_OTP_LENGTH", "99"), ("GOTRUE_PASSWORD_MIN_LENGTH", "7001"),
            ("GOTRUE_SESSIONS_TIMEBOX", "90000000h"), ("GOTRUE_JWT_EXP", "-77"),
        ])
    func badValues(name: String, value: String) {
        let error = #expect(throws: AuthError.self) { try SelfHostedEnvironment([name: value]) }
        #expect(error?.field == name)
        #expect(error?.description.contains(value) == false)
    }

    @Test("R9.11 every setting of a Directory has its variables here, or is named as one without")
    func complete() {
        let paths = Set(DirectorySettings.table.map(\.path))
        let taken = Set(SelfHostedEnvironment.variables.flatMap(\.settings))
        #expect(taken.union(SelfHostedEnvironment.settingsWithoutVariable) == paths)
        #expect(taken.isDisjoint(with: SelfHostedEnvironment.settingsWithoutVariable))
        let names = SelfHostedEnvironment.variables.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test(
        "R9.11 a variable changes the settings that it names and no others",
        arguments: SelfHostedEnvironment.variables.map(\.name))
    func effects(name: String) throws {
        let variable = try #require(SelfHostedEnvironment.supported[name])
        let before = try SelfHostedEnvironment([:]).settings
        let paths = Set(variable.settings)
        var changed: Set<String> = []
        for value in [
            "true", "false", "7", "17", "30s", "5/7s", "https://shop.example", "14155550100:123456",
            "2026-12-31T23:59:59Z",
        ] {
            guard let after = try? SelfHostedEnvironment([name: value]).settings else { continue }
            changed.formUnion(
                DirectorySettings.table.filter { $0.value(in: after) != $0.value(in: before) }.map(\.path))
        }
        #expect(changed == paths)
    }

    @Test("A mail server without a sender is refused")
    func sender() {
        #expect(throws: AuthError(.invalidRequest)) {
            try SelfHostedEnvironment(["GOTRUE_SMTP_HOST": "mail.example.com"])
        }
    }
}
