// SPDX-License-Identifier: Apache-2.0

extension OmittedVariable {
    /// Every variable of the platform's that is not taken over (supabase/auth, `internal/conf`, v2.196). A test holds
    /// this and ``SelfHostedEnvironment/supported`` to the list of all of them.
    static let table = [
        database, server, keys, providers, factors, hooks, protections, sessions, mail, texts, limits, experiments,
    ].reduce(into: [String: OmittedVariable]()) { $0.merge($1) { first, _ in first } }

    /// - Parameter names: what stands behind `GOTRUE_` and `prefix`.
    private static func group(
        _ prefix: String, _ names: [String], _ variable: OmittedVariable
    ) -> [String: OmittedVariable] {
        Dictionary(names.map { ("GOTRUE_" + prefix + $0, variable) }) { first, _ in first }
    }

    private static func all(_ groups: [String: OmittedVariable]...) -> [String: OmittedVariable] {
        groups.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }

    private static let database = all(
        group(
            "DB_",
            [
                "DRIVER", "CONN_PERCENTAGE", "MAX_POOL_SIZE",
                "MAX_IDLE_POOL_SIZE", "CONN_MAX_LIFETIME", "CONN_MAX_IDLE_TIME", "HEALTH_CHECK_PERIOD",
                "MIGRATIONS_PATH", "CLEANUP_ENABLED", "ADVISOR_ENABLED", "ADVISOR_SAMPLING_INTERVAL",
                "ADVISOR_OBSERVATION_INTERVAL",
            ], .needless("connections are Latchkey's own, and so are its tables")),
        group("", ["DATABASE_URL"], .needless("it is GOTRUE_DB_DATABASE_URL that says where the database is")),
        group("DB_", ["NAMESPACE"], .needless("the platform itself reads it nowhere: it is DB_NAMESPACE")),
        group(
            "INDEX_WORKER_", ["ENSURE_USER_SEARCH_INDEXES_EXIST", "MAX_USERS_THRESHOLD"],
            .needless("indices are part of the schema")))

    private static let server = all(
        group("API_", ["ENDPOINT"], .needless("operations are where API_EXTERNAL_URL says")),
        group("API_", ["REQUEST_ID_HEADER"], .needless("each request is given an identifier, in X-Request-Id")),
        group("INTERNAL_", ["HTTP_TIMEOUT"], .needless("calls to others have limits of their own")),
        group("API_", ["MAX_REQUEST_DURATION"], .needless("header, body and connection have limits of their own")),
        group(
            "LOG_", ["LEVEL", "FILE", "DISABLE_COLORS", "QUOTE_EMPTY_FIELDS", "TSFORMAT", "FIELDS", "SQL"],
            .needless("use the server's own log settings")),
        group(
            "TRACING_",
            ["ENABLED", "EXPORTER", "OTEL_EXPORTER_OTLP_PROTOCOL", "HOST", "PORT", "SERVICE_NAME", "TAGS"],
            .needless("use the server's own telemetry settings")),
        group(
            "METRICS_",
            [
                "ENABLED", "EXPORTER", "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_PROMETHEUS_HOST",
                "OTEL_EXPORTER_PROMETHEUS_PORT",
            ], .needless("use the server's own metrics settings")),
        group("PROFILER_", ["ENABLED", "HOST", "PORT"], .needless("not part of this server")),
        group(
            "RELOADING_",
            [
                "NOTIFY_ENABLED", "POLLERENABLED", "POLLER_ENABLED", "POLLER_INTERVAL", "SIGNAL_ENABLED",
                "SIGNAL_NUMBER", "GRACE_PERIOD_INTERVAL",
            ], .needless("settings are read at start")),
        group("", ["OPERATOR_TOKEN"], .needless("the platform itself asks for it nowhere")),
        group("AUDIT_LOG_", ["DISABLE_POSTGRES"], .feature("an audit log that is kept elsewhere; it is always kept")),
        group("CORS_", ["ALLOWED_HEADERS"], .needless("headers that a browser asks for are allowed")))

    private static let keys = all(
        group("JWT_", ["KEY_ID"], .needless("keys name themselves")),
        group("JWT_", ["ADMIN_GROUP_NAME"], .needless("use GOTRUE_JWT_ADMIN_ROLES")),
        group(
            "JWT_", ["DEFAULT_GROUP_NAME"],
            .restriction("users are given the role authenticated", unless: "authenticated")))

    /// Those that there is nothing of here; the others are taken over.
    private static let providerNames = [
        "BITBUCKET", "DISCORD", "SNAPCHAT", "FIGMA", "FLY", "KAKAO", "NOTION", "LINKEDIN", "LINKEDIN_OIDC", "SPOTIFY",
        "SLACK", "SLACK_OIDC", "TWITTER", "TWITCH", "VERCEL_MARKETPLACE", "WORKOS", "X", "ZOOM",
    ]
    private static let providerDetails = ["CLIENT_ID", "SECRET", "REDIRECT_URI", "URL", "API_URL"]
    private static let otherProviders = "sign-in through this provider"

    private static let providers = all(
        group("EXTERNAL_", providerNames.map { $0 + "_ENABLED" }, .feature(otherProviders)),
        group(
            "EXTERNAL_", providerNames.flatMap { name in providerDetails.map { "\(name)_\($0)" } },
            .detail(of: otherProviders)),
        group(
            "EXTERNAL_", providerNames.flatMap { ["\($0)_EMAIL_OPTIONAL", "\($0)_SKIP_NONCE_CHECK"] },
            .feature(otherProviders)),
        group(
            "EXTERNAL_", SelfHostedProvider.kinds.keys.map { $0 + "_API_URL" },
            .needless("what a provider's API is called follows from its URL")),
        group(
            "EXTERNAL_", ["APPLE_URL", "FACEBOOK_URL", "GOOGLE_URL"],
            .needless("this provider is where it always is")),
        group("EXTERNAL_", ["REDIRECTURL"], .detail(of: "one place that all sign-ins through providers lead to")),
        group(
            "EXTERNAL_", ["ALLOWED_ID_TOKEN_ISSUERS"],
            .detail(of: "ID tokens of issuers that are not configured, for clients that they name themselves")),
        group(
            "EXTERNAL_", ["OIDC_PROVIDER_CACHE_TTL"],
            .needless("a provider's keys and metadata are kept for as long as it says")),
        group("EXTERNAL_WEB3_", ["SOLANA_ENABLED", "ETHEREUM_ENABLED"], .feature("sign-in with a wallet")),
        group(
            "EXTERNAL_WEB3_", ["SOLANA_MAXIMUM_VALIDITY_DURATION", "ETHEREUM_MAXIMUM_VALIDITY_DURATION"],
            .detail(of: "sign-in with a wallet")),
        group(
            "CUSTOM_OAUTH_", ["EXTERNAL_URL"],
            .detail(of: "another host for those who come back from custom providers")),
        group("SAML_", ["ENABLED", "ALLOW_ENCRYPTED_ASSERTIONS"], .feature("SAML sign-in")),
        group(
            "SAML_",
            ["PRIVATE_KEY", "PRIVATE_KEY_NEXT", "RELAY_STATE_VALIDITY_PERIOD", "EXTERNAL_URL", "RATE_LIMIT_ASSERTION"],
            .detail(of: "SAML sign-in")))

    private static let factors = all(
        group(
            "MFA_", ["RATE_LIMIT_CHALLENGE_AND_VERIFY"],
            .needless("wrong codes are counted by user, by directory.factors.attempts")),
        group(
            "MFA_", ["MAX_VERIFIED_FACTORS"],
            .needless("GOTRUE_MFA_MAX_ENROLLED_FACTORS bounds all factors of a user")),
        group("MFA_", ["PHONE_OTP_LENGTH"], .needless("all codes are as long: GOTRUE_SMS_OTP_LENGTH")),
        group("MFA_", ["PHONE_MAX_FREQUENCY"], .needless("all messages rest as long: GOTRUE_SMS_MAX_FREQUENCY")),
        group("MFA_", ["PHONE_TEMPLATE"], .needless("GOTRUE_SMS_TEMPLATE words all messages with a code")),
        // There, a session that stays below what its user could show ends by itself.
        group(
            "SESSIONS_", ["ALLOW_LOW_AAL"],
            .restriction("an end of sessions that show no second factor in time")))

    private static let hooks = all(
        group(
            "HOOK_", SelfHostedHook.names.map { $0 + "_HOOKNAME" },
            .detail(of: "hooks that are functions of the platform's database")))

    private static let protections = all(
        group(
            "PASSWORD_HIBP_", ["ENABLED"],
            .protection("the online list of breached passwords; without it a built-in list is used")),
        group("PASSWORD_HIBP_", ["FAIL_CLOSED", "BLOOM_ENABLED"], .feature("the online list of breached passwords")),
        group(
            "PASSWORD_HIBP_", ["USER_AGENT", "BLOOM_ITEMS", "BLOOM_FALSE_POSITIVES"],
            .detail(of: "the online list of breached passwords")),
        group("SECURITY_CAPTCHA_", ["ENABLED"], .protection("captchas")),
        group("SECURITY_CAPTCHA_", ["PROVIDER", "SECRET", "TIMEOUT"], .detail(of: "captchas")),
        group(
            "SECURITY_DB_ENCRYPTION_", ["ENCRYPT"],
            .protection("encryption of hashes under this key; see latchkey master-key for the server's own")),
        group(
            "EXTERNAL_EMAIL_", ["AUTHORIZED_ADDRESSES"],
            .restriction("mail to these addresses only; mail is sent to whoever signs up")),
        group("MAILER_", ["EMAIL_VALIDATION_EXTENDED"], .protection("a closer look at addresses before mail is sent")),
        group(
            "MAILER_", ["EMAIL_VALIDATION_SERVICE_URL", "EMAIL_VALIDATION_BLOCKED_MX"],
            .restriction("a service that refuses addresses")),
        group("MAILER_", ["EMAIL_VALIDATION_SERVICE_HEADERS"], .detail(of: "a service that refuses addresses")))

    private static let sessions = all(
        group("SESSIONS_", ["TAGS"], .detail(of: "tagged sessions")),
        group(
            "SECURITY_REFRESH_TOKEN_", ["ALGORITHM_VERSION", "UPGRADE_PERCENTAGE"],
            .needless("there is one form of refresh token")),
        group("SECURITY_REFRESH_TOKEN_", ["ALLOW_REUSE"], .feature("reuse of every refresh token")))

    private static let mailKinds = [
        "INVITE", "CONFIRMATION", "RECOVERY", "EMAIL_CHANGE", "MAGIC_LINK", "REAUTHENTICATION",
        "PASSWORD_CHANGED_NOTIFICATION", "EMAIL_CHANGED_NOTIFICATION", "PHONE_CHANGED_NOTIFICATION",
        "IDENTITY_LINKED_NOTIFICATION", "IDENTITY_UNLINKED_NOTIFICATION", "MFA_FACTOR_ENROLLED_NOTIFICATION",
        "MFA_FACTOR_UNENROLLED_NOTIFICATION",
    ]

    private static let mail = all(
        group("MAILER_TEMPLATES_", mailKinds, .detail(of: "mail templates fetched from a URL")),
        group(
            "MAILER_TEMPLATE_", ["MAX_SIZE", "MAX_AGE", "RETRY_INTERVAL", "RELOADING_ENABLED", "RELOADING_MAX_IDLE"],
            .detail(of: "mail templates fetched from a URL")),
        group(
            "MAILER_NOTIFICATIONS_",
            [
                "PASSWORD_CHANGED_ENABLED", "EMAIL_CHANGED_ENABLED", "PHONE_CHANGED_ENABLED", "IDENTITY_LINKED_ENABLED",
                "IDENTITY_UNLINKED_ENABLED", "MFA_FACTOR_ENROLLED_ENABLED", "MFA_FACTOR_UNENROLLED_ENABLED",
            ],
            .needless("notifications of changed credentials are always sent", unless: "true")),
        group("MAILER_", ["EXTERNAL_HOSTS"], .needless("links are built from API_EXTERNAL_URL only")),
        group(
            "MAILER_", ["EMAIL_BACKGROUND_SENDING"], .needless("mail always goes through the outbox", unless: "true")),
        group("SMTP_", ["HEADERS"], .detail(of: "further mail headers")),
        group("SMTP_", ["LOGGING_ENABLED"], .feature("a log of mail sessions")))

    private static let textProviders = "other text message providers than Twilio, Vonage and MessageBird"

    private static let texts = all(
        group("SMS_", ["TWILIO_CONTENT_SID"], .detail(of: "messages by WhatsApp")),
        group(
            "SMS_",
            [
                "TWILIO_VERIFY_ACCOUNT_SID", "TWILIO_VERIFY_AUTH_TOKEN",
                "TWILIO_VERIFY_MESSAGE_SERVICE_SID", "TEXTLOCAL_API_KEY", "TEXTLOCAL_SENDER",
            ], .detail(of: textProviders)))

    private static let limits = all(
        group("RATE_LIMIT_", ["SSO"], .detail(of: "single sign-on")),
        group("RATE_LIMIT_", ["WEB3"], .detail(of: "sign-in with a wallet")),
        group(
            "RATE_LIMIT_", ["PASSKEY"],
            .needless("signing in by a passkey counts as any, which is GOTRUE_RATE_LIMIT_TOKEN_REFRESH")),
        group(
            "RATE_LIMIT_", ["OAUTH_DYNAMIC_CLIENT_REGISTER"],
            .needless("the platform spells it RATE_LIMIT_O_AUTH_DYNAMIC_CLIENT_REGISTER")))

    private static let experiments = all(
        group(
            "EXPERIMENTAL_",
            ["CURSOR_PAGINATION_ENABLED", "SCIM_ENABLED", "CREATE_EMAIL_IDENTITY_ON_PASSWORD_SET_ENABLED"],
            .feature("experimental features of the platform")),
        group(
            "EXPERIMENTAL_", ["PROVIDERS_WITH_OWN_LINKING_DOMAIN", "PROVIDER_LINKING_DOMAINS"],
            .restriction("providers whose users are kept apart from others of the same address")))
}
