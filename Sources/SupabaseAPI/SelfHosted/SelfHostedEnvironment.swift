// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The environment of the platform's own auth container, read so that Latchkey can take its place: the `GOTRUE_*`
/// variables, `API_EXTERNAL_URL`, `PORT` and their like.
///
/// Nothing is dropped in silence: every variable that is not understood, or understood and not supported yet, is named
/// in ``findings``; a value that cannot be read is an error, and so is one that asks for a protection which would be
/// missing. What can be made of one is what a server can start with: keys are read and judged here too.
public struct SelfHostedEnvironment: Sendable {
    public struct Finding: Sendable, Equatable {
        public enum Kind: String, Sendable {
            /// No such variable is known.
            case unknown
            /// Known, and asking for something that Latchkey does not do yet.
            case unsupported
            /// Known, and without meaning here; the reason says why.
            case notNeeded = "not needed"
            /// Taken over, and fit for a developer's machine only.
            case insecure
        }

        public var kind: Kind
        public var name: String
        public var reason: String
    }

    /// How mail leaves the server.
    public struct SMTP: Sendable {
        public var host: String
        public var port: Int
        public var username: String?
        public var password: Secret<String>?
        public var senderAddress: String
        public var senderName: String?
    }

    /// Who carries text messages, where one of the vendors does that this server knows.
    public struct TextProvider: Sendable {
        /// The account or the key that the vendor knows the sender by, beside the secret.
        public var account: String?
        public var secret: Secret<String>?
        /// Whom messages come from.
        public var sender: String?
    }

    public internal(set) var settings: DirectorySettings
    /// The vendor's name, in lower case; `nil` where none is named.
    public internal(set) var textProvider: String?
    public internal(set) var textProviders: [String: TextProvider] = [:]
    public internal(set) var externalURL: String?
    public internal(set) var port: Int?
    public internal(set) var host: String?
    public internal(set) var smtp: SMTP?
    /// The keys that the other parts of the platform share; `nil` where there are none, and the server's own are used.
    public internal(set) var keys: ImportedKeys?
    /// Whether what is signed with the HS256 secret alone is believed: see ``SharedSecretTokens``.
    public internal(set) var honoursSharedSecret = false
    /// The headers in which the gateway says who calls, the first that is there. Where there are none, nobody is
    /// counted by address: whoever calls is the gateway.
    public internal(set) var addressHeaders: [String] = []
    /// The identity providers that are switched on, by name.
    public internal(set) var providers: [SelfHostedProvider] = []
    /// The hooks that are switched on.
    public internal(set) var hooks: [SelfHostedHook] = []
    public internal(set) var database = Database()
    public internal(set) var findings: [Finding] = []

    /// The HS256 secret that every part of the platform shares.
    var sharedSecret: Secret<String>?
    /// A JSON array of private JWKs, one of which signs.
    var keyList: Secret<String>?
    /// The JWS algorithms that are taken; `nil` for those of the keys.
    var algorithms: Set<String>?
    var rateLimitHeader: String?
    var readsForwardedFor = false
    var smtpFields = SMTPFields()
    var texts = Texts()
    /// By the part of the variables that names them.
    var providerFields: [String: SelfHostedProvider.Fields] = [:]
    /// By ``SelfHostedHook/hook``.
    var hookFields: [String: SelfHostedHook.Fields] = [:]
    /// The app of the team's whose tokens name it, beside those of the web.
    var appleBundleID: String?

    /// What the platform says of text messages apart from mails.
    struct Texts: Sendable {
        var resendInterval: Int64?
        var codeLifetime: Int64?
        var codeLength: Int64?
    }

    struct SMTPFields: Sendable {
        var host = ""
        var port = 587
        var user = ""
        var password = Secret("")
        var admin = ""
        var senderName = ""
    }

    /// Reads `variables`. Variables that belong to nobody's configuration here (`PATH`, `HOME`) are passed over.
    ///
    /// - Parameter isDevelopment: whether the secrets that the platform's own local tooling uses for everybody are
    ///   taken.
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field is the variable and whose reason says what is wrong with
    ///   it. Values are not repeated in it.
    public init(_ variables: [String: String], isDevelopment: Bool = false) throws(AuthError) {
        settings = DirectorySettings()
        // The platform's gateway leads nobody to pages of this server's own.
        settings.siteURL = "http://localhost:3000"
        // What the platform's server assumes where nothing is said, so far as it is safe to assume it.
        settings.adminRoles = ["service_role", "supabase_admin"]
        settings.signUp.phoneEnabled = false
        settings.password.requiredCharacters = []
        settings.password.changeNeedsReauthentication = false
        settings.sessions.timebox = 0
        settings.sessions.inactivityTimeout = 0
        settings.limits.signIn = settings.limits.tokenRefresh

        for (name, value) in variables.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
            if isOverruled(name, value, in: variables) { continue }
            if let variable = Self.supported[name] {
                do throws(AuthError) {
                    try variable.take(&self, value)
                } catch {
                    throw AuthError(.invalidRequest, reason: error.reason ?? "not a valid value", field: name)
                }
            } else if name.hasPrefix("GOTRUE_") {
                try judge(name, value)
            } else {
                nameBare(name, in: variables)
            }
        }
        try finishMail()
        finishTexts()
        try finishProviders()
        try finishHooks()
        try finishKeys(isDevelopment: isDevelopment)
        try finishDatabase()
        addressHeaders = (readsForwardedFor ? [Self.forwardedFor] : []) + [rateLimitHeader].compactMap(\.self)
    }

    /// What holds in this dialect where nothing is said, in seconds.
    static let resendInterval = 60
    private static let codeLifetime = 600

    /// The header of the platform's own gateway.
    private static let forwardedFor = "Sb-Forwarded-For"

    private mutating func judge(_ name: String, _ value: String) throws(AuthError) {
        guard let omitted = OmittedVariable.table[name] else {
            return findings.append(Finding(kind: .unknown, name: name, reason: "no such setting is known"))
        }
        switch omitted.verdict(value) {
        case .agrees: break
        case .named: findings.append(Finding(kind: omitted.kind, name: name, reason: omitted.reason))
        case .refused:
            throw AuthError(
                .invalidRequest,
                reason: "asks for a protection that is not there (\(omitted.reason)); without the variable the server "
                    + "does without it",
                field: name)
        }
    }

    /// Mails and text messages have these in common. Where there are numbers, what is stricter holds for both.
    private mutating func finishTexts() {
        guard settings.signUp.phoneEnabled else { return }
        let intervals = [settings.oneTime.resendInterval, texts.resendInterval.map { Int($0) }]
        // Said of one of the two, the other has its own: a word about mails makes no text come sooner.
        if intervals.contains(where: { $0 != nil }) {
            settings.oneTime.resendInterval = intervals.map { $0 ?? Self.resendInterval }.max()
        }
        if let lifetime = texts.codeLifetime {
            settings.oneTime.codeLifetime = min(settings.oneTime.codeLifetime ?? Self.codeLifetime, Int(lifetime))
        }
        if let length = texts.codeLength {
            settings.oneTime.codeLength = max(settings.oneTime.codeLength, Int(length))
        }
    }

    private mutating func finishMail() throws(AuthError) {
        // Without a name to call it by, mails name the site.
        if smtpFields.senderName.isEmpty, let host = settings.siteURL.flatMap(Self.host) {
            settings.mail.siteName = host
        }
        if settings.signUp.emailAutoConfirm, settings.signUp.unverifiedSignIn == .allow {
            throw AuthError(
                .invalidRequest, reason: "the platform does not take it together with GOTRUE_MAILER_AUTOCONFIRM",
                field: "GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS")
        }
        if !smtpFields.host.isEmpty {
            guard !smtpFields.admin.isEmpty else {
                throw AuthError(
                    .invalidRequest, reason: "needed when GOTRUE_SMTP_HOST is set", field: "GOTRUE_SMTP_ADMIN_EMAIL")
            }
            smtp = SMTP(
                host: smtpFields.host, port: smtpFields.port,
                username: smtpFields.user.isEmpty ? nil : smtpFields.user,
                password: smtpFields.password.reveal().isEmpty ? nil : smtpFields.password,
                senderAddress: smtpFields.admin,
                senderName: smtpFields.senderName.isEmpty ? nil : smtpFields.senderName)
        }
    }
}
