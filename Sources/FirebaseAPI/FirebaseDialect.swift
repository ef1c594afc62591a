// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

/// What this dialect stands on, and how it is set up.
///
/// A project of the platform is a Directory, called by its name; a tenant is a Directory that says which one it is a
/// part of. What the SDKs call an API key is a publishable key of the Directory.
public struct FirebaseDialect: Dialect {
    public struct Settings: Sendable {
        public var url: ServerURL
        /// Whether the `Bearer owner` of SDKs in emulator mode is an administrator. For development only.
        public var acceptsOwnerToken: Bool
        /// Whether an API key that nobody made names the default Directory. For development only.
        public var acceptsAnyKey: Bool
        /// Whether a custom token that nobody has signed, which SDKs in emulator mode make, signs its user in. For
        /// development only.
        public var acceptsUnsignedTokens: Bool

        public init(
            url: ServerURL, acceptsOwnerToken: Bool = false, acceptsAnyKey: Bool = false,
            acceptsUnsignedTokens: Bool = false
        ) {
            self.url = url
            self.acceptsOwnerToken = acceptsOwnerToken
            self.acceptsAnyKey = acceptsAnyKey
            self.acceptsUnsignedTokens = acceptsUnsignedTokens
        }
    }

    /// Labels what is kept of users here: custom claims, in the operators' half, and what they are called.
    public static let name = DialectName("firebase")
    /// What its vendor calls identity providers otherwise, by the vendor's word.
    public static var providerNames: [String: String] { ProviderID.renamed }
    /// How many characters the platform gives a user's identifier.
    static let identifierLength = 28
    /// For how long who has shown one factor may show the second.
    static let stepLifetime = TimeSpan.minutes(5)
    /// A message that is asked for is sent, or the app is told that it was not.
    static let habits: MessageHabits = {
        var habits = MessageHabits()
        habits.resendInterval = .zero
        habits.tellsLimits = true
        return habits
    }()
    /// None that other dialects' clients do not read as well.
    public let responseHeaders: [String] = []

    let accounts: AccountFlows
    let tokens: OwnTokens
    let settings: Settings
    let issuers: KnownIssuers
    let certificates: CertificateCatalog
    let cookieCertificates: CertificateCatalog

    public init(accounts: AccountFlows, tokens: OwnTokens, settings: Settings) {
        self.tokens = tokens
        self.accounts = accounts
        self.settings = settings
        issuers = KnownIssuers(settings.url)
        certificates = CertificateCatalog(accounts.keys)
        cookieCertificates = CertificateCatalog(accounts.keys, of: .sessionCookies)
    }

    var keys: KeyRing { accounts.keys }
    var directories: DirectoryCatalog { accounts.directories }

    static let issuerPrefix = "https://securetoken.google.com/"
    static let cookieIssuerPrefix = "https://session.firebase.google.com/"

    /// The `iss` of the Directory's ID tokens: a tenant's are its project's.
    public func issuer(of directory: Directory) -> String { Self.issuerPrefix + directory.projectID }

    /// The name of the Directory that an issuer of this form is about: the project's, also for the tokens of its
    /// tenants, which name theirs in `firebase.tenant`.
    func directoryName(inIssuer issuer: String) -> String? {
        guard issuer.hasPrefix(Self.issuerPrefix) else { return nil }
        return String(issuer.dropFirst(Self.issuerPrefix.count))
    }
}

extension Directory {
    /// The project that the Directory is, or is a tenant of.
    var projectID: String { settings.partOf ?? name }
    /// `nil` for a project itself.
    var tenantID: String? { settings.partOf == nil ? nil : name }
}
