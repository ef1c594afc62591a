// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

extension SelfHostedEnvironment {
    typealias Setting = @Sendable (inout SelfHostedEnvironment, String) throws -> Void

    /// The variables that are honoured, by name.
    static let supported: [String: Setting] = [
        server, tokens, signUp, passwords, sessions, messages, limits, messageSettings,
    ]
    .reduce(into: [:]) { all, group in all.merge(group) { first, _ in first } }

    private static let server: [String: Setting] = [
        "API_EXTERNAL_URL": { environment, value in environment.externalURL = value },
        "GOTRUE_API_EXTERNAL_URL": { environment, value in environment.externalURL = value },
        "PORT": { environment, value in environment.port = try port(value) },
        "GOTRUE_API_PORT": { environment, value in environment.port = try port(value) },
        "GOTRUE_API_HOST": { environment, value in environment.host = value },
        "GOTRUE_SITE_URL": { environment, value in environment.settings.siteURL = value },
        "GOTRUE_URI_ALLOW_LIST": { environment, value in
            environment.settings.redirectAllowList = list(value)
        },
    ]

    private static let tokens: [String: Setting] = [
        "GOTRUE_JWT_SECRET": { environment, value in environment.sharedSecret = Secret(value) },
        "GOTRUE_JWT_KEYS": { environment, value in environment.keyList = Secret(value) },
        "GOTRUE_JWT_EXP": { environment, value in
            environment.settings.sessions.accessTokenLifetime = try whole(value, in: 1...604_800)
        },
        "GOTRUE_JWT_AUD": { environment, value in environment.settings.audience = value },
        "GOTRUE_JWT_ISSUER": { environment, value in environment.settings.issuer = value },
        "GOTRUE_JWT_ADMIN_ROLES": { environment, value in
            environment.settings.adminRoles = list(value)
        },
    ]

    private static let signUp: [String: Setting] = [
        "GOTRUE_DISABLE_SIGNUP": { environment, value in
            environment.settings.signUp.enabled = try !flag(value)
        },
        "GOTRUE_EXTERNAL_EMAIL_ENABLED": { environment, value in
            environment.settings.signUp.emailEnabled = try flag(value)
        },
        "GOTRUE_EXTERNAL_PHONE_ENABLED": { environment, value in
            environment.settings.signUp.phoneEnabled = try flag(value)
        },
        "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED": { environment, value in
            environment.settings.signUp.anonymousEnabled = try flag(value)
        },
        "GOTRUE_MAILER_AUTOCONFIRM": { environment, value in
            environment.settings.signUp.emailAutoConfirm = try flag(value)
        },
        "GOTRUE_SMS_AUTOCONFIRM": { environment, value in
            environment.settings.signUp.phoneAutoConfirm = try flag(value)
        },
        "GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS": { environment, value in
            environment.settings.signUp.allowUnverifiedSignIn = try flag(value)
        },
    ]

    private static let passwords: [String: Setting] = [
        "GOTRUE_PASSWORD_MIN_LENGTH": { environment, value in
            environment.settings.password.minimumLength = Int(try whole(value, in: 6...128))
        },
        "GOTRUE_PASSWORD_REQUIRED_CHARACTERS": { environment, value in
            environment.settings.password.requiredCharacters = requiredCharacters(value)
        },
        "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION": { environment, value in
            environment.settings.password.changeNeedsReauthentication = try flag(value)
        },
        "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD": { environment, value in
            environment.settings.password.changeNeedsCurrentPassword = try flag(value)
        },
    ]

    private static let sessions: [String: Setting] = [
        "GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED": { environment, value in
            environment.settings.sessions.rotationEnabled = try flag(value)
        },
        "GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL": { environment, value in
            environment.settings.sessions.reuseInterval = try whole(value, in: 0...3600)
        },
        "GOTRUE_SESSIONS_TIMEBOX": { environment, value in
            environment.settings.sessions.timebox = try seconds(value)
        },
        "GOTRUE_SESSIONS_INACTIVITY_TIMEOUT": { environment, value in
            environment.settings.sessions.inactivityTimeout = try seconds(value)
        },
        "GOTRUE_SESSIONS_SINGLE_PER_USER": { environment, value in
            environment.settings.sessions.singlePerUser = try flag(value)
        },
    ]

    private static let messages: [String: Setting] = [
        "GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED": { environment, value in
            environment.settings.oneTime.secureEmailChange = try flag(value)
        },
        "GOTRUE_MAILER_OTP_EXP": { environment, value in
            let lifetime = try whole(value, in: 1...604_800)
            environment.settings.oneTime.confirmationLifetime = lifetime
            environment.settings.oneTime.recoveryLifetime = min(lifetime, 3600)
            // A code that authenticates lives ten minutes at most (NIST SP 800-63B, section 3.1.3.2).
            environment.settings.oneTime.codeLifetime = min(lifetime, 600)
        },
        "GOTRUE_MAILER_OTP_LENGTH": { environment, value in
            environment.settings.oneTime.codeLength = Int(try whole(value, in: 6...10))
        },
        "GOTRUE_SMTP_MAX_FREQUENCY": { environment, value in
            environment.settings.oneTime.resendInterval = try seconds(value)
        },
        "GOTRUE_SMTP_HOST": { environment, value in environment.smtpFields.host = value },
        "GOTRUE_SMTP_PORT": { environment, value in environment.smtpFields.port = try port(value) },
        "GOTRUE_SMTP_USER": { environment, value in environment.smtpFields.user = value },
        "GOTRUE_SMTP_PASS": { environment, value in environment.smtpFields.password = Secret(value) },
        "GOTRUE_SMTP_ADMIN_EMAIL": { environment, value in environment.smtpFields.admin = value },
        "GOTRUE_SMTP_SENDER_NAME": { environment, value in
            environment.smtpFields.senderName = value
            environment.settings.mail.siteName = value
        },
    ]

    private static let limits: [String: Setting] = [
        "GOTRUE_RATE_LIMIT_EMAIL_SENT": { environment, value in
            environment.settings.limits.mailSent = try rate(value, per: 3600)
        },
        "GOTRUE_RATE_LIMIT_SMS_SENT": { environment, value in
            environment.settings.limits.messagesSent = try rate(value, per: 3600)
        },
        "GOTRUE_RATE_LIMIT_VERIFY": { environment, value in
            environment.settings.limits.verify = try rate(value, per: 300)
        },
        "GOTRUE_RATE_LIMIT_TOKEN_REFRESH": { environment, value in
            environment.settings.limits.tokenRefresh = try rate(value, per: 300)
        },
        "GOTRUE_RATE_LIMIT_ANONYMOUS_USERS": { environment, value in
            environment.settings.limits.anonymous = try rate(value, per: 3600)
        },
        "GOTRUE_RATE_LIMIT_OTP": { environment, value in
            environment.settings.limits.oneTimeToken = try rate(value, per: 300)
        },
    ]

    /// The variables that come once for each kind of mail.
    private static var messageSettings: [String: Setting] {
        let kinds = [
            ("INVITE", "invite"), ("CONFIRMATION", "confirmation"), ("RECOVERY", "recovery"),
            ("MAGIC_LINK", "magic_link"), ("EMAIL_CHANGE", "email_change"), ("REAUTHENTICATION", "reauthentication"),
            ("PASSWORD_CHANGED_NOTIFICATION", "password_changed"), ("EMAIL_CHANGED_NOTIFICATION", "email_changed"),
            ("PHONE_CHANGED_NOTIFICATION", "phone_changed"),
        ]
        var settings: [String: Setting] = [:]
        for (suffix, kind) in kinds {
            settings["GOTRUE_MAILER_SUBJECTS_" + suffix] = { environment, value in
                environment.settings.mail.subjects[kind] = value
            }
            settings["GOTRUE_MAILER_URLPATHS_" + suffix] = { environment, value in
                environment.settings.mail.paths[kind] = value
            }
        }
        return settings
    }
}
