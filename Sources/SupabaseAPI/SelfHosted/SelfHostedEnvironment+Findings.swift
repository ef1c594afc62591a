// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension SelfHostedEnvironment {
    /// Judges a variable of the platform that is not in ``supported``.
    static func finding(for name: String, _ value: String) -> Finding {
        if let reason = notNeeded[name] ?? notNeededPrefixes.first(where: { name.hasPrefix($0.prefix) })?.reason {
            return Finding(kind: .notNeeded, name: name, reason: reason)
        }
        guard let feature = unsupportedPrefixes.first(where: { name.hasPrefix($0.prefix) })?.reason else {
            return Finding(kind: .unknown, name: name, reason: "no such setting is known")
        }
        // Switched off, or left empty, it asks for nothing.
        if value.isEmpty || ["false", "FALSE", "False", "f", "0"].contains(value) {
            return Finding(kind: .notNeeded, name: name, reason: "")
        }
        return Finding(kind: .unsupported, name: name, reason: feature)
    }

    private static let notNeeded: [String: String] = [
        "GOTRUE_DB_DRIVER": "Latchkey keeps its own database",
        "GOTRUE_DATABASE_URL": "Latchkey keeps its own database",
        "GOTRUE_DB_DATABASE_URL": "Latchkey keeps its own database",
        "GOTRUE_JWT_DEFAULT_GROUP_NAME": "the role of a user is authenticated unless it is set",
        "GOTRUE_JWT_ADMIN_GROUP_NAME": "use GOTRUE_JWT_ADMIN_ROLES",
        "GOTRUE_JWT_KEY_ID": "keys name themselves",
        "GOTRUE_JWT_VALID_METHODS": "each key is used with its own algorithm only",
        "GOTRUE_RATE_LIMIT_HEADER": "set the trusted proxies of the server instead: a header alone can be forged",
        "GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION": "there is one form of refresh token",
        "GOTRUE_SECURITY_REFRESH_TOKEN_UPGRADE_PERCENTAGE": "there is one form of refresh token",
        "GOTRUE_MAILER_EMAIL_BACKGROUND_SENDING": "mail always goes through the outbox",
        "GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION": "authorization codes live five minutes",
        "GOTRUE_MAILER_EXTERNAL_HOSTS": "links are built from API_EXTERNAL_URL only",
    ]

    private static let notNeededPrefixes: [(prefix: String, reason: String)] = [
        ("GOTRUE_DB_", "Latchkey keeps its own database"),
        ("GOTRUE_LOG_", "use the server's own log settings"),
        ("GOTRUE_TRACING_", "use the server's own telemetry settings"),
        ("GOTRUE_METRICS_", "use the server's own metrics settings"),
        ("GOTRUE_PROFILER_", "not part of this server"),
        ("GOTRUE_RELOADING_", "settings are read at start"),
        ("GOTRUE_INDEX_WORKER_", "indices are part of the schema"),
        ("GOTRUE_MAILER_NOTIFICATIONS_", "notifications of changed credentials are always sent"),
    ]

    private static let unsupportedPrefixes: [(prefix: String, reason: String)] = [
        ("GOTRUE_EXTERNAL_SAML", "SAML sign-in"),
        ("GOTRUE_SAML_", "SAML sign-in"),
        ("GOTRUE_EXTERNAL_", "sign-in through other providers"),
        ("GOTRUE_CUSTOM_OAUTH_", "sign-in through other providers"),
        ("GOTRUE_OAUTH_SERVER_", "the platform's OAuth server"),
        ("GOTRUE_RATE_LIMIT_SSO", "single sign-on"),
        ("GOTRUE_RATE_LIMIT_WEB3", "sign-in with a wallet"),
        ("GOTRUE_RATE_LIMIT_PASSKEY", "passkeys"),
        ("GOTRUE_RATE_LIMIT_O_AUTH", "the platform's OAuth server"),
        ("GOTRUE_MFA_", "second factors"),
        ("GOTRUE_SESSIONS_ALLOW_LOW_AAL", "second factors"),
        ("GOTRUE_SESSIONS_TAGS", "tagged sessions"),
        ("GOTRUE_WEBAUTHN_", "passkeys"),
        ("GOTRUE_PASSKEY_", "passkeys"),
        ("GOTRUE_HOOK_", "hooks"),
        ("GOTRUE_PASSWORD_HIBP_", "the online list of breached passwords; a built-in list is used"),
        ("GOTRUE_SECURITY_CAPTCHA_", "captchas"),
        ("GOTRUE_SECURITY_DATABASE_ENCRYPTION_", "encryption of password hashes"),
        ("GOTRUE_SECURITY_DB_ENCRYPTION_", "encryption of password hashes"),
        ("GOTRUE_SECURITY_MANUAL_LINKING_ENABLED", "linking identities by hand"),
        ("GOTRUE_SECURITY_SB_FORWARDED_FOR_ENABLED", "the platform's own forwarding header"),
        ("GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE", "reuse of every refresh token"),
        ("GOTRUE_MAILER_TEMPLATES_", "mail templates fetched from a URL"),
        ("GOTRUE_MAILER_TEMPLATE_", "mail templates fetched from a URL"),
        ("GOTRUE_MAILER_EMAIL_VALIDATION_", "validation of addresses by a service"),
        ("GOTRUE_SMTP_HEADERS", "further mail headers"),
        ("GOTRUE_SMTP_LOGGING_ENABLED", "a log of mail sessions"),
        ("GOTRUE_SMS_", "text message providers; only GOTRUE_SMS_TEST_OTP's numbers can be sent codes"),
        ("GOTRUE_CORS_ALLOWED_HEADERS", "further CORS headers"),
        ("GOTRUE_API_MAX_REQUEST_DURATION", "a limit on the length of requests"),
        ("GOTRUE_OPERATOR_TOKEN", "the operator's token"),
        ("GOTRUE_AUDIT_LOG_", "another place for the audit log"),
        ("GOTRUE_EXPERIMENTAL_", "experimental features of the platform"),
    ]
}
