// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

extension SelfHostedEnvironment {
    typealias Setting = @Sendable (inout SelfHostedEnvironment, String) throws(AuthError) -> Void

    /// The variables that are honoured, by name.
    static let supported: [String: Setting] = [
        // Where the server is
        "API_EXTERNAL_URL": { (environment, value) throws(AuthError) in environment.externalURL = value },
        "GOTRUE_API_EXTERNAL_URL": { (environment, value) throws(AuthError) in environment.externalURL = value },
        "PORT": { (environment, value) throws(AuthError) in environment.port = try port(value) },
        "GOTRUE_API_PORT": { (environment, value) throws(AuthError) in environment.port = try port(value) },
        "GOTRUE_API_HOST": { (environment, value) throws(AuthError) in environment.host = value },
        "GOTRUE_SITE_URL": { (environment, value) throws(AuthError) in environment.settings.siteURL = value },
        "GOTRUE_URI_ALLOW_LIST": { (environment, value) throws(AuthError) in
            environment.settings.redirectAllowList = list(value)
        },

        // Tokens
        "GOTRUE_JWT_SECRET": { (environment, value) throws(AuthError) in environment.sharedSecret = Secret(value) },
        "GOTRUE_JWT_KEYS": { (environment, value) throws(AuthError) in environment.keyList = Secret(value) },
        "GOTRUE_JWT_EXP": { (environment, value) throws(AuthError) in
            environment.settings.sessions.accessTokenLifetime = try whole(value, in: 1...604_800)
        },
        "GOTRUE_JWT_AUD": { (environment, value) throws(AuthError) in environment.settings.audience = value },
        "GOTRUE_JWT_ISSUER": { (environment, value) throws(AuthError) in environment.settings.issuer = value },
        "GOTRUE_JWT_ADMIN_ROLES": { (environment, value) throws(AuthError) in
            environment.settings.adminRoles = list(value)
        },

        // Who may sign up, and how
        "GOTRUE_DISABLE_SIGNUP": { (environment, value) throws(AuthError) in
            environment.settings.signUp.enabled = try !flag(value)
        },
        "GOTRUE_EXTERNAL_EMAIL_ENABLED": { (environment, value) throws(AuthError) in
            environment.settings.signUp.emailEnabled = try flag(value)
        },
        "GOTRUE_EXTERNAL_PHONE_ENABLED": { (environment, value) throws(AuthError) in
            environment.settings.signUp.phoneEnabled = try flag(value)
        },
        "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED": { (environment, value) throws(AuthError) in
            environment.settings.signUp.anonymousEnabled = try flag(value)
        },
        "GOTRUE_MAILER_AUTOCONFIRM": { (environment, value) throws(AuthError) in
            environment.settings.signUp.emailAutoConfirm = try flag(value)
        },
        "GOTRUE_SMS_AUTOCONFIRM": { (environment, value) throws(AuthError) in
            environment.settings.signUp.phoneAutoConfirm = try flag(value)
        },
        "GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS": { (environment, value) throws(AuthError) in
            environment.settings.signUp.allowUnverifiedSignIn = try flag(value)
        },

        // Passwords
        "GOTRUE_PASSWORD_MIN_LENGTH": { (environment, value) throws(AuthError) in
            environment.settings.password.minimumLength = Int(try whole(value, in: 6...128))
        },
        "GOTRUE_PASSWORD_REQUIRED_CHARACTERS": { (environment, value) throws(AuthError) in
            environment.settings.password.requiredCharacters = requiredCharacters(value)
        },
        "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION": { (environment, value) throws(AuthError) in
            environment.settings.password.changeNeedsReauthentication = try flag(value)
        },
        "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD": { (environment, value) throws(AuthError) in
            environment.settings.password.changeNeedsCurrentPassword = try flag(value)
        },

        // Sessions
        "GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED": { (environment, value) throws(AuthError) in
            environment.settings.sessions.rotationEnabled = try flag(value)
        },
        "GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL": { (environment, value) throws(AuthError) in
            environment.settings.sessions.reuseInterval = try whole(value, in: 0...3600)
        },
        "GOTRUE_SESSIONS_TIMEBOX": { (environment, value) throws(AuthError) in
            environment.settings.sessions.timebox = try seconds(value)
        },
        "GOTRUE_SESSIONS_INACTIVITY_TIMEOUT": { (environment, value) throws(AuthError) in
            environment.settings.sessions.inactivityTimeout = try seconds(value)
        },
        "GOTRUE_SESSIONS_SINGLE_PER_USER": { (environment, value) throws(AuthError) in
            environment.settings.sessions.singlePerUser = try flag(value)
        },

        // Messages
        "GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED": { (environment, value) throws(AuthError) in
            environment.settings.oneTime.secureEmailChange = try flag(value)
        },
        "GOTRUE_MAILER_OTP_EXP": { (environment, value) throws(AuthError) in
            let lifetime = try whole(value, in: 1...604_800)
            environment.settings.oneTime.confirmationLifetime = lifetime
            environment.settings.oneTime.recoveryLifetime = min(lifetime, 3600)
            // A code that authenticates lives ten minutes at most (NIST SP 800-63B, section 3.1.3.2).
            environment.settings.oneTime.codeLifetime = min(lifetime, 600)
        },
        "GOTRUE_MAILER_OTP_LENGTH": { (environment, value) throws(AuthError) in
            environment.settings.oneTime.codeLength = Int(try whole(value, in: 6...10))
        },
        "GOTRUE_SMTP_MAX_FREQUENCY": { (environment, value) throws(AuthError) in
            environment.settings.oneTime.resendInterval = try seconds(value)
        },
        "GOTRUE_SMTP_HOST": { (environment, value) throws(AuthError) in environment.smtpFields.host = value },
        "GOTRUE_SMTP_PORT": { (environment, value) throws(AuthError) in environment.smtpFields.port = try port(value) },
        "GOTRUE_SMTP_USER": { (environment, value) throws(AuthError) in environment.smtpFields.user = value },
        "GOTRUE_SMTP_PASS": { (environment, value) throws(AuthError) in environment.smtpFields.password = value },
        "GOTRUE_SMTP_ADMIN_EMAIL": { (environment, value) throws(AuthError) in environment.smtpFields.admin = value },
        "GOTRUE_SMTP_SENDER_NAME": { (environment, value) throws(AuthError) in
            environment.smtpFields.senderName = value
            environment.settings.mail.siteName = value
        },

        // Limits
        "GOTRUE_RATE_LIMIT_EMAIL_SENT": { (environment, value) throws(AuthError) in
            environment.settings.limits.mailSent = try rate(value, per: 3600)
        },
        "GOTRUE_RATE_LIMIT_SMS_SENT": { (environment, value) throws(AuthError) in
            environment.settings.limits.messagesSent = try rate(value, per: 3600)
        },
        "GOTRUE_RATE_LIMIT_VERIFY": { (environment, value) throws(AuthError) in
            environment.settings.limits.verify = try rate(value, per: 300)
        },
        "GOTRUE_RATE_LIMIT_TOKEN_REFRESH": { (environment, value) throws(AuthError) in
            environment.settings.limits.tokenRefresh = try rate(value, per: 300)
        },
        "GOTRUE_RATE_LIMIT_ANONYMOUS_USERS": { (environment, value) throws(AuthError) in
            environment.settings.limits.anonymous = try rate(value, per: 3600)
        },
        "GOTRUE_RATE_LIMIT_OTP": { (environment, value) throws(AuthError) in
            environment.settings.limits.oneTimeToken = try rate(value, per: 300)
        },
    ].merging(messageSettings) { first, _ in first }

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
            settings["GOTRUE_MAILER_SUBJECTS_" + suffix] = { (environment, value) throws(AuthError) in
                environment.settings.mail.subjects[kind] = value
            }
            settings["GOTRUE_MAILER_URLPATHS_" + suffix] = { (environment, value) throws(AuthError) in
                environment.settings.mail.paths[kind] = value
            }
        }
        return settings
    }
}
