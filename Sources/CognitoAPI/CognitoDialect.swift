// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit

/// What this dialect stands on, and how it is set up.
public struct CognitoDialect: Dialect {
    public struct Settings: Sendable {
        /// How the `iss` of tokens is spelled. The keys are under the server's own URL in either case.
        public enum IssuerStyle: String, Sendable, CaseIterable {
            /// `{url}/{poolId}`: what clients expect that were given an endpoint.
            case own
            /// `https://cognito-idp.{region}.amazonaws.com/{poolId}`: what verifiers expect that know no other.
            case aws
        }

        public var url: ServerURL
        /// Whether there is an OpenID provider beside it, and so a hosted UI: the pools' metadata names its endpoints.
        public var hasHostedUI = true
        /// The region that pool identifiers begin with. Clients need one; nothing here depends on it.
        public var region: String
        public var issuerStyle: IssuerStyle
        /// The secrets of the access keys whose signature administers every pool, by key identifier.
        public var accessKeys: [String: Secret<String>]
        /// Whether any access key administers, whatever its signature: for development only.
        public var acceptsAnyAdministrator: Bool

        public init(
            url: ServerURL, region: String = "us-east-1", issuerStyle: IssuerStyle = .own,
            accessKeys: [String: Secret<String>] = [:], acceptsAnyAdministrator: Bool = false
        ) {
            self.url = url
            self.region = region
            self.issuerStyle = issuerStyle
            self.accessKeys = accessKeys
            self.acceptsAnyAdministrator = acceptsAnyAdministrator
        }
    }

    /// Labels what is kept of users here: their attributes, those that only developers write in the operators' half.
    public static let name = DialectName("cognito")
    /// What its vendor calls identity providers otherwise, by the vendor's word.
    public static var providerNames: [String: String] { ProviderName.renamed }
    /// The response headers that this dialect's clients read. By the date they correct their clock before they sign.
    public let responseHeaders: [String] = [
        HTTPField.Name.amazonErrorType, .amazonErrorMessage, .amazonRequestID, .date,
    ].map(\.rawName)

    let accounts: AccountFlows
    let tokens: OwnTokens
    let settings: Settings
    let issuers: KnownIssuers

    public init(accounts: AccountFlows, tokens: OwnTokens, settings: Settings) {
        self.tokens = tokens
        self.accounts = accounts
        self.settings = settings
        issuers = KnownIssuers(settings.url)
    }

    var keys: KeyRing { accounts.keys }
    var directories: DirectoryCatalog { accounts.directories }
    var clients: ClientCatalog { accounts.clients }

    /// The region that pool identifiers begin with.
    public var region: String { settings.region }

    /// The pool identifier of a Directory: the region, and the Directory's own identifier.
    public func poolID(of directory: Directory) -> String { settings.region + "_" + directory.id.rawValue }

    /// The Directory that a pool identifier of this server's region names; it need not exist.
    public func directoryID(ofPool text: String) -> DirectoryID? {
        guard text.hasPrefix(settings.region + "_") else { return nil }
        let name = String(text.dropFirst(settings.region.count + 1))
        return DirectoryID.accepts(name) ? DirectoryID(name) : nil
    }

    /// The `iss` of the Directory's tokens.
    public func issuer(of directory: Directory) -> String {
        switch settings.issuerStyle {
        case .own: settings.url.text + "/" + poolID(of: directory)
        case .aws: Self.amazonURL(region: settings.region) + "/" + poolID(of: directory)
        }
    }

    /// The Directory that an issuer of this form is about; its keys decide whether it is one.
    func directoryID(inIssuer issuer: String) -> DirectoryID? {
        let base = settings.issuerStyle == .own ? settings.url.text : Self.amazonURL(region: settings.region)
        guard issuer.hasPrefix(base + "/") else { return nil }
        return directoryID(ofPool: String(issuer.dropFirst(base.count + 1)))
    }

    private static func amazonURL(region: String) -> String {
        "https://cognito-idp.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
    }
}
