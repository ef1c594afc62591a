// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes

extension SelfHostedEnvironment {
    /// The variables that are honoured.
    static let variables =
        server + tokens + signUp + passwords + sessions + messages + factors + oauthServer
        + federation + providers + limits + mailKinds + hookVariables + databaseVariables

    static let supported = Dictionary(variables.map { ($0.name, $0) }) { first, _ in first }

    /// The variables that set a Directory's setting, by its stored path.
    public static func variables(for path: String) -> [String] {
        variables.filter { $0.settings.contains(path) }.map(\.name)
    }

    private static let server: [SelfHostedVariable] = [
        .server("API_EXTERNAL_URL") { environment, value throws(AuthError) in environment.externalURL = value },
        // The names that the platform's reader makes of its own structure, and one that people take for them.
        .server("GOTRUE_API_API_EXTERNAL_URL") { environment, value throws(AuthError) in
            environment.externalURL = value
        },
        .server("GOTRUE_API_EXTERNAL_URL") { environment, value throws(AuthError) in environment.externalURL = value },
        .server("PORT") { environment, value throws(AuthError) in environment.port = try port(value) },
        .server("GOTRUE_API_PORT") { environment, value throws(AuthError) in environment.port = try port(value) },
        .server("GOTRUE_API_HOST") { environment, value throws(AuthError) in environment.host = value },
        SelfHostedVariable(name: "GOTRUE_SITE_URL", settings: ["siteURL", "mail.siteName"]) {
            environment, value throws(AuthError) in
            try SelfHostedVariable.set("siteURL", .string(value), in: &environment)
        },
        .list("GOTRUE_URI_ALLOW_LIST", "redirectAllowList"),
    ]

    private static let tokens: [SelfHostedVariable] = [
        .server("GOTRUE_JWT_SECRET") { environment, value throws(AuthError) in environment.sharedSecret = Secret(value)
        },
        .server("GOTRUE_JWT_KEYS") { environment, value throws(AuthError) in environment.keyList = Secret(value) },
        // As older versions spell it. Where both are there, the newer one is read last and counts.
        .server("GOTRUE_JWT_VALIDMETHODS") { environment, value throws(AuthError) in
            environment.algorithms = Set(list(value))
        },
        .server("GOTRUE_JWT_VALID_METHODS") { environment, value throws(AuthError) in
            environment.algorithms = Set(list(value))
        },
        .whole("GOTRUE_JWT_EXP", "sessions.accessTokenLifetime"),
        .text("GOTRUE_JWT_AUD", "audience"),
        .text("GOTRUE_JWT_ISSUER", "issuer"),
        .list("GOTRUE_JWT_ADMIN_ROLES", "adminRoles"),
    ]

    private static let signUp: [SelfHostedVariable] = [
        .flag("GOTRUE_DISABLE_SIGNUP", "signUp.enabled", isNegated: true),
        .flag("GOTRUE_EXTERNAL_EMAIL_ENABLED", "signUp.emailEnabled"),
        .flag("GOTRUE_EXTERNAL_EMAIL_MAGIC_LINK_ENABLED", "signUp.emailLinkEnabled"),
        .flag("GOTRUE_EXTERNAL_PHONE_ENABLED", "signUp.phoneEnabled"),
        .flag("GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED", "signUp.anonymousEnabled"),
        .flag("GOTRUE_MAILER_AUTOCONFIRM", "signUp.emailAutoConfirm"),
        .flag("GOTRUE_SMS_AUTOCONFIRM", "signUp.phoneAutoConfirm"),
        SelfHostedVariable(
            name: "GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS", settings: ["signUp.unverifiedSignIn"]
        ) { environment, value throws(AuthError) in
            let word: DirectorySettings.UnverifiedSignIn = try flag(value) ? .allow : .refuse
            try SelfHostedVariable.set("signUp.unverifiedSignIn", .string(word.rawValue), in: &environment)
        },
    ]

    private static let passwords: [SelfHostedVariable] = [
        .whole("GOTRUE_PASSWORD_MIN_LENGTH", "password.minimumLength"),
        .characters("GOTRUE_PASSWORD_REQUIRED_CHARACTERS", "password.requiredCharacters"),
        .flag(
            "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION", "password.changeNeedsReauthentication"),
        .flag(
            "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD", "password.changeNeedsCurrentPassword"),
    ]

    private static let sessions: [SelfHostedVariable] = [
        .flag("GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED", "sessions.rotationEnabled"),
        .whole("GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", "sessions.reuseInterval"),
        .limit("GOTRUE_SESSIONS_TIMEBOX", "sessions.timebox"),
        .limit("GOTRUE_SESSIONS_INACTIVITY_TIMEOUT", "sessions.inactivityTimeout"),
        .flag("GOTRUE_SESSIONS_SINGLE_PER_USER", "sessions.singlePerUser"),
    ]

    private static let messages: [SelfHostedVariable] = [
        .flag("GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED", "oneTime.secureEmailChange"),
        SelfHostedVariable(
            name: "GOTRUE_MAILER_OTP_EXP",
            settings: ["oneTime.confirmationLifetime", "oneTime.recoveryLifetime", "oneTime.codeLifetime"]
        ) { environment, value throws(AuthError) in
            let lifetime = try whole(value, in: 1...604_800)
            try SelfHostedVariable.set("oneTime.confirmationLifetime", .integer(lifetime), in: &environment)
            try SelfHostedVariable.set("oneTime.recoveryLifetime", .integer(min(lifetime, 3600)), in: &environment)
            // A code that authenticates lives ten minutes at most (NIST SP 800-63B, section 3.1.3.2).
            try SelfHostedVariable.set("oneTime.codeLifetime", .integer(min(lifetime, 600)), in: &environment)
        },
        SelfHostedVariable(name: "GOTRUE_SMS_TEST_OTP", settings: ["oneTime.testCodes"]) {
            environment, value throws(AuthError) in
            try SelfHostedVariable.set("oneTime.testCodes", .object(try testCodes(value)), in: &environment)
        },
        SelfHostedVariable(name: "GOTRUE_SMS_TEST_OTP_VALID_UNTIL", settings: ["oneTime.testCodesEnd"]) {
            environment, value throws(AuthError) in
            guard let end = Instant(rfc3339: value) else {
                throw AuthError(.invalidRequest, reason: "expected a time such as 2026-12-31T23:59:59Z")
            }
            try SelfHostedVariable.set("oneTime.testCodesEnd", .integer(end.seconds), in: &environment)
        },
        .whole("GOTRUE_MAILER_OTP_LENGTH", "oneTime.codeLength"),
        SelfHostedVariable(name: "GOTRUE_SMTP_MAX_FREQUENCY", settings: ["oneTime.resendInterval"]) {
            environment, value throws(AuthError) in
            guard let interval = try interval(value) else { return }
            try SelfHostedVariable.set("oneTime.resendInterval", .integer(interval), in: &environment)
        },
        // Mails and text messages have these in common here: what is stricter holds, where there are numbers at all.
        .server("GOTRUE_SMS_MAX_FREQUENCY") { environment, value throws(AuthError) in
            environment.texts.resendInterval = try interval(value) ?? Int64(SelfHostedEnvironment.resendInterval)
        },
        .server("GOTRUE_SMS_OTP_EXP") { environment, value throws(AuthError) in
            environment.texts.codeLifetime = try whole(value, in: 1...604_800)
        },
        .server("GOTRUE_SMS_OTP_LENGTH") { environment, value throws(AuthError) in
            environment.texts.codeLength = try whole(value, in: 6...10)
        },
        .server("GOTRUE_SMS_PROVIDER") { environment, value throws(AuthError) in
            let known = ["twilio", "vonage", "messagebird"]
            guard known.contains(value) else {
                throw AuthError(.invalidRequest, reason: "expected \(known.joined(separator: ", "))")
            }
            environment.textProvider = value
        },
        SelfHostedVariable(name: "GOTRUE_SMS_TEMPLATE", settings: ["mail.texts"]) {
            environment, value throws(AuthError) in try word(&environment) { $0.texts["sms"] = value }
        },
        textProvider("TWILIO_ACCOUNT_SID", "twilio") { $0.account = $1 },
        textProvider("TWILIO_AUTH_TOKEN", "twilio") { $0.secret = Secret($1) },
        textProvider("TWILIO_MESSAGE_SERVICE_SID", "twilio") { $0.sender = $1 },
        textProvider("VONAGE_API_KEY", "vonage") { $0.account = $1 },
        textProvider("VONAGE_API_SECRET", "vonage") { $0.secret = Secret($1) },
        textProvider("VONAGE_FROM", "vonage") { $0.sender = $1 },
        textProvider("MESSAGEBIRD_ACCESS_KEY", "messagebird") { $0.secret = Secret($1) },
        textProvider("MESSAGEBIRD_ORIGINATOR", "messagebird") { $0.sender = $1 },
        .server("GOTRUE_SMTP_HOST") { environment, value throws(AuthError) in environment.smtpFields.host = value },
        .server("GOTRUE_SMTP_PORT") { environment, value throws(AuthError) in
            environment.smtpFields.port = try port(value)
        },
        .server("GOTRUE_SMTP_USER") { environment, value throws(AuthError) in environment.smtpFields.user = value },
        .server("GOTRUE_SMTP_PASS") { environment, value throws(AuthError) in
            environment.smtpFields.password = Secret(value)
        },
        .server("GOTRUE_SMTP_ADMIN_EMAIL") { environment, value throws(AuthError) in
            environment.smtpFields.admin = value
        },
        SelfHostedVariable(name: "GOTRUE_SMTP_SENDER_NAME", settings: ["mail.siteName"]) {
            environment, value throws(AuthError) in
            environment.smtpFields.senderName = value
            try SelfHostedVariable.set("mail.siteName", .string(value), in: &environment)
        },
    ]

    private static func textProvider(
        _ name: String, _ provider: String,
        _ take: @escaping @Sendable (inout SelfHostedEnvironment.TextProvider, String) -> Void
    ) -> SelfHostedVariable {
        .server("GOTRUE_SMS_" + name) { environment, value throws(AuthError) in
            take(&environment.textProviders[provider, default: .init()], value)
        }
    }

    private static let oauthServer: [SelfHostedVariable] = [
        .flag("GOTRUE_OAUTH_SERVER_ENABLED", "oauthServer.enabled"),
        .flag("GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION", "oauthServer.dynamicRegistration"),
        .text("GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH", "oauthServer.authorizationPath"),
        .duration("GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL", "oauthServer.authorizationLifetime"),
        .text("GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE", "oauthServer.defaultScope"),
    ]

    private static let limits: [SelfHostedVariable] = [
        .rate("GOTRUE_RATE_LIMIT_EMAIL_SENT", ["limits.mailSent"], per: 3600),
        .rate("GOTRUE_RATE_LIMIT_SMS_SENT", ["limits.messagesSent"], per: 3600),
        .rate("GOTRUE_RATE_LIMIT_VERIFY", ["limits.verify"], per: 300),
        // Of the whole of `/token`, whatever it is asked for.
        .rate("GOTRUE_RATE_LIMIT_TOKEN_REFRESH", ["limits.tokenRefresh", "limits.signIn"], per: 300),
        .rate("GOTRUE_RATE_LIMIT_ANONYMOUS_USERS", ["limits.anonymous"], per: 3600),
        .rate("GOTRUE_RATE_LIMIT_OTP", ["limits.oneTimeToken", "limits.signUp"], per: 300),
        .rate("GOTRUE_RATE_LIMIT_O_AUTH_DYNAMIC_CLIENT_REGISTER", ["limits.clientRegistration"], per: 300),
        .server("GOTRUE_RATE_LIMIT_HEADER") { environment, value throws(AuthError) in
            guard HTTPField.Name(value) != nil else {
                throw AuthError(.invalidRequest, reason: "expected the name of a header")
            }
            environment.rateLimitHeader = value
        },
        .server("GOTRUE_SECURITY_SB_FORWARDED_FOR_ENABLED") { environment, value throws(AuthError) in
            environment.readsForwardedFor = try flag(value)
        },
    ]

    /// Words of an operator's, judged as those are that are stored: at the start they would be refused without their
    /// variable.
    private static func word(
        _ environment: inout SelfHostedEnvironment, _ change: (inout DirectorySettings.MailSettings) -> Void
    ) throws(AuthError) {
        var mail = environment.settings.mail
        change(&mail)
        try MessageWording.require(mail, changedFrom: environment.settings.mail)
        environment.settings.mail = mail
    }

    /// The variables that come once for each kind of mail.
    private static let mailKinds: [SelfHostedVariable] = [
        ("INVITE", "invite"), ("CONFIRMATION", "confirmation"), ("RECOVERY", "recovery"),
        ("MAGIC_LINK", "magic_link"), ("EMAIL_CHANGE", "email_change"), ("REAUTHENTICATION", "reauthentication"),
        ("PASSWORD_CHANGED_NOTIFICATION", "password_changed"), ("EMAIL_CHANGED_NOTIFICATION", "email_changed"),
        ("PHONE_CHANGED_NOTIFICATION", "phone_changed"), ("IDENTITY_LINKED_NOTIFICATION", "identity_linked"),
        ("IDENTITY_UNLINKED_NOTIFICATION", "identity_unlinked"), ("MFA_FACTOR_ENROLLED_NOTIFICATION", "factor_added"),
        ("MFA_FACTOR_UNENROLLED_NOTIFICATION", "factor_removed"),
    ].flatMap { (suffix: String, kind: String) -> [SelfHostedVariable] in
        [
            SelfHostedVariable(name: "GOTRUE_MAILER_SUBJECTS_" + suffix, settings: ["mail.subjects"]) {
                environment, value throws(AuthError) in try word(&environment) { $0.subjects[kind] = value }
            },
            SelfHostedVariable(name: "GOTRUE_MAILER_URLPATHS_" + suffix, settings: ["mail.paths"]) {
                environment, value throws(AuthError) in environment.settings.mail.paths[kind] = value
            },
        ]
    }

    /// The settings of a Directory that no variable of the platform is about. A test holds the two lists to the table.
    static let settingsWithoutVariable: Set<String> = [
        "title", "partOf", "attributesText", "signUp.concealsEmails", "signUp.caseSensitiveNames",
        "signUp.uniqueEmails", "signUp.uniquePhones", "sessions.requiresProofNonces",
        "mail.bodies", "mail.appLinks", "rsaKeyBits",
        "metadataLimit", "deletionGraceDays", "deletion.grace", "deletion.reauthentication", "sessions.newDeviceMail",
        "pages.logo", "pages.accent", "pages.accentDark", "pages.background", "pages.backgroundDark",
        "pages.privacyURL", "pages.termsURL", "pages.supportURL", "pages.texts",
        "password.blocklist", "password.srpEnabled", "password.temporaryLifetimeDays", "oneTime.linkConfirms",
        "oneTime.invitationLifetime", "oneTime.maximumAttempts", "oneTime.authorizationCodeLifetime",
        "oneTime.addressChangeNeedsReauthentication", "limits.messagesPerRecipient.count",
        "limits.messagesPerRecipient.seconds", "limits.signInPerIdentifier.count",
        "limits.signInPerIdentifier.seconds", "limits.signInPerAccount.count", "limits.signInPerAccount.seconds",
        "lockout.attempts", "lockout.window", "lockout.duration", "lockout.disclosure",
        "factors.email", "factors.backupCodes", "factors.issuer", "factors.demand",
        "factors.demandedGroups", "factors.enrolmentNeedsReauthentication", "factors.attempts", "factors.lockSeconds",
        "factors.totpDrift",
        "factors.recoveryWait", "factors.recoveryWindow", "factors.recoveryExcludedGroups",
        "passkeys.userVerification", "passkeys.attestation", "passkeys.counters",
        "passkeys.attestationRoots", "passkeys.models",
        "devices.tracked", "devices.rememberUnasked", "devices.spareFactor",
        "limits.providerEvents.count", "limits.providerEvents.seconds",
    ]
}
