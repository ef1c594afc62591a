// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit

/// What this dialect stands on, and how it is set up.
public struct SupabaseDialect: Dialect {
    /// Where the platform's container is asked whether it lives.
    public static let healthPath = "/health"

    public struct Settings: Sendable {
        public var url: ServerURL
        /// Where the operations are. Behind the platform's gateway, which strips `/auth/v1`, also at the root.
        public var pathPrefixes: [String]
        /// What stands between the server's URL and an operation in what clients are told: issuer and links.
        public var publicPrefix: String
        /// Whether each call must name its project by the `apikey` header. A gateway may have checked it already.
        public var requiresAPIKey: Bool
        /// Whether tokens are believed that the operator's own programs have signed with the secret they brought along:
        /// see ``SharedSecretTokens``.
        public var honoursSharedSecret: Bool

        public init(
            url: ServerURL, pathPrefixes: [String] = ["/auth/v1"], publicPrefix: String = "/auth/v1",
            requiresAPIKey: Bool = true, honoursSharedSecret: Bool = false
        ) {
            self.url = url
            self.pathPrefixes = pathPrefixes
            self.publicPrefix = publicPrefix
            self.requiresAPIKey = requiresAPIKey
            self.honoursSharedSecret = honoursSharedSecret
        }
    }

    public static let name = DialectName("supabase")
    /// What its vendor calls identity providers otherwise, by the vendor's word.
    public static var providerNames: [String: String] { ProviderName.renamed }

    /// The response headers that this dialect's clients read.
    public let responseHeaders: [String] = [
        HTTPField.Name.errorCode, .apiVersion, .refreshTokenRotated, .refreshTokenReuse, .refreshTokenReuseCause,
    ].map(\.rawName)

    let accounts: AccountFlows
    let tokens: OwnTokens
    let settings: Settings
    let provenTokens: ProvenTokens
    let issuers: KnownIssuers

    public init(accounts: AccountFlows, tokens: OwnTokens, settings: Settings) {
        self.tokens = tokens
        self.accounts = accounts
        self.settings = settings
        provenTokens = ProvenTokens(accounts.keys)
        issuers = KnownIssuers(settings.url)
    }

    var keys: KeyRing { accounts.keys }
    var directories: DirectoryCatalog { accounts.directories }

    /// The URL of this dialect for one Directory: the default one's, or `/directories/{name}` before the prefix.
    func baseURL(of directory: Directory) -> String {
        let place = directory.name == DirectoryCatalog.defaultName ? "" : "/directories/" + directory.name
        return settings.url.text + place + settings.publicPrefix
    }

    /// The `iss` of the Directory's tokens.
    public func issuer(of directory: Directory) -> String { directory.settings.issuer ?? baseURL(of: directory) }

    /// The name of the Directory that an issuer of this form is about; its keys and settings decide whether it is one.
    func directoryName(inIssuer issuer: String) -> String? {
        let start = settings.url.text + "/directories/"
        guard issuer.hasPrefix(start), issuer.hasSuffix(settings.publicPrefix) else { return nil }
        return String(issuer.dropFirst(start.count).dropLast(settings.publicPrefix.count))
    }
}
