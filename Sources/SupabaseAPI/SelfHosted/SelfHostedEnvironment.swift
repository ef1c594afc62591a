// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// The environment of the platform's own auth container, read so that Latchkey can take its place: the `GOTRUE_*`
/// variables, `API_EXTERNAL_URL`, `PORT` and their like.
///
/// Nothing is dropped in silence: every variable that is not understood, or understood and not supported yet, is named
/// in ``findings``; a value that cannot be read is an error.
public struct SelfHostedEnvironment: Sendable {
    public struct Finding: Sendable, Equatable {
        public enum Kind: String, Sendable {
            /// No such variable is known.
            case unknown
            /// Known, and asking for something that Latchkey does not do yet.
            case unsupported
            /// Known, and without meaning here; the reason says why.
            case notNeeded = "not needed"
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

    public internal(set) var settings: DirectorySettings
    public internal(set) var externalURL: String?
    public internal(set) var port: Int?
    public internal(set) var host: String?
    public internal(set) var smtp: SMTP?
    /// The HS256 secret that every part of the platform shares.
    public internal(set) var sharedSecret: Secret<String>?
    /// A JSON array of private JWKs, one of which signs.
    public internal(set) var keyList: Secret<String>?
    public internal(set) var findings: [Finding] = []

    var smtpFields = SMTPFields()

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
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field is the variable and whose reason says what is wrong with
    ///   it. Values are not repeated in it.
    public init(_ variables: [String: String]) throws(AuthError) {
        settings = DirectorySettings()
        // What the platform's server assumes where nothing is said, so far as it is safe to assume it.
        settings.adminRoles = ["service_role", "supabase_admin"]
        settings.signUp.phoneEnabled = false
        settings.password.requiredCharacters = []
        settings.password.changeNeedsReauthentication = false
        settings.sessions.timebox = 0
        settings.sessions.inactivityTimeout = 0

        for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
            if let variable = Self.supported[name] {
                if value.isEmpty { continue }
                do throws(AuthError) {
                    try variable.take(&self, value)
                } catch {
                    throw AuthError(.invalidRequest, reason: error.reason ?? "not a valid value", field: name)
                }
            } else if name.hasPrefix("GOTRUE_") {
                findings.append(Self.finding(for: name, value))
            }
        }
        try finish()
    }

    private mutating func finish() throws(AuthError) {
        // Without a name to call it by, mails name the site.
        if smtpFields.senderName.isEmpty, let host = Self.host(of: settings.siteURL) { settings.mail.siteName = host }
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
        findings.removeAll { $0.kind == .notNeeded && $0.reason.isEmpty }
    }
}
