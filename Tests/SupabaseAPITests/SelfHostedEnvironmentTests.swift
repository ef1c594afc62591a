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

    @Test(
        "R10.3 R14.70 the container's text message provider is taken over, with its words; one that nobody here speaks is refused"
    )
    func textProvider() throws {
        let environment = try SelfHostedEnvironment([
            "GOTRUE_SMS_PROVIDER": "twilio", "GOTRUE_SMS_TWILIO_ACCOUNT_SID": "AC1",
            "GOTRUE_SMS_TWILIO_AUTH_TOKEN": "hunter2", "GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID": "MG1",
            "GOTRUE_SMS_VONAGE_FROM": "Acme", "GOTRUE_SMS_TEMPLATE": "Your code is {{ .Code }}",
        ])
        let twilio = environment.textProviders["twilio"]
        #expect(environment.textProvider == "twilio" && twilio?.account == "AC1" && twilio?.sender == "MG1")
        #expect(twilio?.secret?.reveal() == "hunter2" && !"\(environment)".contains("hunter2"))
        #expect(environment.settings.mail.texts == ["sms": "Your code is {{ .Code }}"])
        #expect(environment.findings.isEmpty)
        #expect(throws: AuthError(.invalidRequest)) { try SelfHostedEnvironment(["GOTRUE_SMS_PROVIDER": "pigeon"]) }
    }

    @Test("Each variable that is not taken over is named with its reason; one that asks for what is so is not")
    func findings() throws {
        let environment = try SelfHostedEnvironment([
            "GOTRUE_EXTERNAL_GOOGLE_ENABLED": "true", "GOTRUE_EXTERNAL_APPLE_ENABLED": "false",
            "GOTRUE_TYPO": "x", "GOTRUE_DB_DRIVER": "postgres",
            "PATH": "/bin",
        ])
        let kinds = Dictionary(uniqueKeysWithValues: environment.findings.map { ($0.name, $0.kind) })
        #expect(
            kinds == [
                "GOTRUE_EXTERNAL_GOOGLE_ENABLED": .unsupported,
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
            ("GOTRUE_SESSIONS_TIMEBOX", "0s"), ("GOTRUE_SESSIONS_INACTIVITY_TIMEOUT", "0"),
            ("GOTRUE_SESSIONS_TIMEBOX", "0h0m"), ("GOTRUE_SESSIONS_INACTIVITY_TIMEOUT", "900ms"),
            ("GOTRUE_SMS_TEMPLATE", "A text without what it is sent for"),
            ("GOTRUE_SMS_TEMPLATE", "{{ .Code }} of {{ .Nobody }}"),
            ("GOTRUE_MAILER_SUBJECTS_RECOVERY", "Reset {{ .Nobody }}"),
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
            "true", "false", "7", "17", "30s", "400s", "5/7s", "https://shop.example", "14155550100:123456",
            "2026-12-31T23:59:59Z", "Your code is {{ .Code }}",
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

    @Test(
        "R10.1 each variable of the platform is taken over, or named, or refused where a protection would be missing",
        arguments: PlatformVariables.all)
    func everyVariable(name: String) throws {
        let isTaken = SelfHostedEnvironment.supported[name] != nil
        #expect(isTaken != (OmittedVariable.table[name] != nil), "in one of the two, and not in both")
        guard let omitted = OmittedVariable.table[name] else { return }
        #expect(!omitted.reason.isEmpty)
        for value in ["true", "false", "7", "some text"] {
            let verdict = omitted.verdict(value)
            switch verdict {
            // Nothing is said only where what is asked for is so: something switched off, or the one value there is.
            case .agrees:
                #expect(value == "false" && name.hasAny(Self.switches) || Self.agreeing[name] == value)
                #expect(try SelfHostedEnvironment([name: value]).findings.isEmpty)
            case .named:
                let findings = try SelfHostedEnvironment([name: value]).findings
                #expect(findings == [.init(kind: omitted.kind, name: name, reason: omitted.reason)])
            case .refused:
                let error = #expect(throws: AuthError.self) { try SelfHostedEnvironment([name: value]) }
                #expect(error?.field == name && error?.description.contains("some text") == false)
            }
            #expect(
                (verdict == .refused)
                    == (Self.protections.contains(name) && value != "false"
                        || Self.restrictions.contains(name)),
                "\(value)")
        }
        #expect(try SelfHostedEnvironment([name: ""]).findings.isEmpty)
    }

    /// How the names of switches end.
    private static let switches = ["_ENABLED", "_ENCRYPT", "_EMAIL_OPTIONAL", "_SKIP_NONCE_CHECK"]

    /// Values that say what is so here.
    private static let agreeing = [
        "GOTRUE_MAILER_NOTIFICATIONS_PASSWORD_CHANGED_ENABLED": "true",
        "GOTRUE_MAILER_NOTIFICATIONS_EMAIL_CHANGED_ENABLED": "true",
        "GOTRUE_MAILER_NOTIFICATIONS_IDENTITY_LINKED_ENABLED": "true",
        "GOTRUE_MAILER_NOTIFICATIONS_IDENTITY_UNLINKED_ENABLED": "true",
        "GOTRUE_MAILER_NOTIFICATIONS_MFA_FACTOR_ENROLLED_ENABLED": "true",
        "GOTRUE_MAILER_NOTIFICATIONS_MFA_FACTOR_UNENROLLED_ENABLED": "true",
        "GOTRUE_MAILER_NOTIFICATIONS_PHONE_CHANGED_ENABLED": "true", "GOTRUE_MAILER_EMAIL_BACKGROUND_SENDING": "true",
        "GOTRUE_AUDIT_LOG_DISABLE_POSTGRES": "false",
        "GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS": "false", "GOTRUE_PASSWORD_HIBP_FAIL_CLOSED": "false",
        "GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE": "false", "GOTRUE_MAILER_EMAIL_VALIDATION_EXTENDED": "false",
    ]
    /// What protects when it is switched on.
    private static let protections: Set = [
        "GOTRUE_SECURITY_CAPTCHA_ENABLED", "GOTRUE_PASSWORD_HIBP_ENABLED", "GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPT",
        "GOTRUE_MAILER_EMAIL_VALIDATION_EXTENDED",
    ]
    /// What protects with any value.
    private static let restrictions: Set = [
        "GOTRUE_EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES", "GOTRUE_JWT_DEFAULT_GROUP_NAME",
        "GOTRUE_MAILER_EMAIL_VALIDATION_SERVICE_URL", "GOTRUE_MAILER_EMAIL_VALIDATION_BLOCKED_MX",
        "GOTRUE_SESSIONS_ALLOW_LOW_AAL", "GOTRUE_EXPERIMENTAL_PROVIDERS_WITH_OWN_LINKING_DOMAIN",
        "GOTRUE_EXPERIMENTAL_PROVIDER_LINKING_DOMAINS",
    ]

    @Test("R10.1 false under a prefix of something known is not taken for nothing where nobody knows the name")
    func unknownFalse() throws {
        for name in ["GOTRUE_EXTERNAL_EMAIL_SOMETHING_ENABLED", "GOTRUE_SECURITY_NEW_CHECK", "GOTRUE_MFA_X"] {
            let findings = try SelfHostedEnvironment([name: "false"]).findings
            #expect(findings.map(\.name) == [name] && findings.first?.kind == .unknown)
        }
        #expect(
            try !SelfHostedEnvironment(["GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED": "false"])
                .settings.signUp.emailLinkEnabled)
    }

    @Test("R10.3 the limits of requests and of /token govern what they govern on the platform")
    func limits() throws {
        let limits = try SelfHostedEnvironment([
            "GOTRUE_RATE_LIMIT_OTP": "7", "GOTRUE_RATE_LIMIT_TOKEN_REFRESH": "9",
            "GOTRUE_RATE_LIMIT_O_AUTH_DYNAMIC_CLIENT_REGISTER": "3",
        ]).settings.limits
        #expect(limits.clientRegistration == .init(count: 3, seconds: 300))
        #expect(try SelfHostedEnvironment([:]).settings.limits.clientRegistration == .init(count: 10, seconds: 300))
        #expect(limits.oneTimeToken == .init(count: 7, seconds: 300) && limits.signUp == limits.oneTimeToken)
        #expect(limits.tokenRefresh == .init(count: 9, seconds: 300) && limits.signIn == limits.tokenRefresh)
        let headers = try SelfHostedEnvironment([
            "GOTRUE_RATE_LIMIT_HEADER": "My-Client", "GOTRUE_SECURITY_SB_FORWARDED_FOR_ENABLED": "true",
        ]).addressHeaders
        #expect(headers == ["Sb-Forwarded-For", "My-Client"])
        #expect(try SelfHostedEnvironment([:]).addressHeaders.isEmpty)
    }

    @Test("R10.3 of what the platform says of text messages apart, the stricter value holds, where there are numbers")
    func texts() throws {
        let variables = [
            "GOTRUE_SMS_MAX_FREQUENCY": "90s", "GOTRUE_SMS_OTP_EXP": "120", "GOTRUE_SMS_OTP_LENGTH": "8",
            "GOTRUE_SMTP_MAX_FREQUENCY": "5s",
        ]
        let without = try SelfHostedEnvironment(variables).settings.oneTime
        #expect(without.resendInterval == 5 && without.codeLifetime == nil && without.codeLength == 6)
        let with = try SelfHostedEnvironment(variables.merging(["GOTRUE_EXTERNAL_PHONE_ENABLED": "true"]) { $1 })
            .settings.oneTime
        #expect(with.resendInterval == 90 && with.codeLifetime == 120 && with.codeLength == 8)
    }

    @Test("R10.3 what is said of mails alone makes no text message come sooner than a minute after the last")
    func intervalOfTexts() throws {
        func interval(_ variables: [String: String]) throws -> Int? {
            try SelfHostedEnvironment(variables.merging(["GOTRUE_EXTERNAL_PHONE_ENABLED": "true"]) { $1 })
                .settings.oneTime.resendInterval
        }
        #expect(try interval(["GOTRUE_SMTP_MAX_FREQUENCY": "5s"]) == 60)
        #expect(try interval(["GOTRUE_SMTP_MAX_FREQUENCY": "90s"]) == 90)
        #expect(try interval(["GOTRUE_SMTP_MAX_FREQUENCY": "5s", "GOTRUE_SMS_MAX_FREQUENCY": "10s"]) == 10)
        #expect(try interval(["GOTRUE_SMS_MAX_FREQUENCY": "10s"]) == 60)
        // What the dialect has, and others have of their own.
        #expect(try interval([:]) == nil)
    }

    @Test("R10.3 no time between two messages is a minute, as on the platform", arguments: ["0s", "0", "0h0m"])
    func noInterval(text: String) throws {
        // What the dialect has where nothing is said.
        #expect(try SelfHostedEnvironment(["GOTRUE_SMTP_MAX_FREQUENCY": text]).settings.oneTime.resendInterval == nil)
        let texts = try SelfHostedEnvironment([
            "GOTRUE_SMTP_MAX_FREQUENCY": "5s", "GOTRUE_SMS_MAX_FREQUENCY": text,
            "GOTRUE_EXTERNAL_PHONE_ENABLED": "true",
        ]).settings.oneTime
        #expect(texts.resendInterval == 60)
        // Of less than a second nothing is left, and it is a word.
        let brief = try SelfHostedEnvironment(["GOTRUE_SMTP_MAX_FREQUENCY": "1ms"]).settings.oneTime
        #expect(brief.resendInterval == 0)
    }
}

extension String {
    fileprivate func hasAny(_ suffixes: [String]) -> Bool { suffixes.contains { hasSuffix($0) } }
}
