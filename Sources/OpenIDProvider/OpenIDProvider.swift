// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import ServerKit

/// This server as an OpenID provider (OpenID Connect Core 1.0) and OAuth authorization server (RFC 6749) of its own: a
/// dialect whose vendor is the standard.
///
/// Its pages are elsewhere. It sends a browser to them by URL, with the identifier of what the browser is in the midst
/// of, and they send it back by `/oauth2/authorize/continue`; nothing that either is told by the other is believed.
public struct OpenIDProvider: Dialect {
    public struct Settings: Sendable {
        public var url: ServerURL

        public init(url: ServerURL) {
            self.url = url
        }
    }

    public static let name = DialectName("openid")

    /// What the provider says by headers, it says by those that every page may read.
    public let responseHeaders: [String] = []

    /// One object: each call carries its provider with it.
    private let parts: Parts

    private final class Parts: Sendable {
        let accounts: AccountFlows
        let tokens: OwnTokens
        let settings: Settings
        let dialects: [any ProviderDialect]
        let issuers: KnownIssuers
        let shown = ShownTokens()

        init(
            _ accounts: AccountFlows, _ tokens: OwnTokens, _ settings: Settings, _ dialects: [any ProviderDialect]
        ) {
            self.accounts = accounts
            self.tokens = tokens
            self.settings = settings
            self.dialects = dialects
            issuers = KnownIssuers(settings.url)
        }
    }

    /// - Parameter dialects: those whose clients have the provider's endpoints too, in words of their own.
    public init(
        accounts: AccountFlows, tokens: OwnTokens, settings: Settings, dialects: [any ProviderDialect] = []
    ) {
        parts = Parts(accounts, tokens, settings, dialects)
    }

    var accounts: AccountFlows { parts.accounts }
    var tokens: OwnTokens { parts.tokens }
    var settings: Settings { parts.settings }
    var dialects: [any ProviderDialect] { parts.dialects }
    var issuers: KnownIssuers { parts.issuers }
    var shown: ShownTokens { parts.shown }
    var keys: KeyRing { accounts.keys }
    var directories: DirectoryCatalog { accounts.directories }
    var clients: ClientCatalog { accounts.clients }
    var url: String { settings.url.text }

    /// The `iss` of a Directory's tokens: the server's own URL for the default one, else below `/directories`.
    func issuer(of directory: Directory) -> String {
        directory.name == DirectoryCatalog.defaultName ? url : url + "/directories/" + directory.name
    }

    /// The Directory that an issuer of this form is about; it need not exist.
    func directoryName(inIssuer issuer: String) -> String? {
        if issuer == url { return DirectoryCatalog.defaultName }
        let start = url + "/directories/"
        guard issuer.hasPrefix(start) else { return nil }
        let name = String(issuer.dropFirst(start.count))
        return name == DirectoryCatalog.defaultName ? nil : name
    }

    /// The Directory that an issuer names; `nil` for another's issuer.
    func directory(ofIssuer issuer: String, at now: Instant) async throws -> Directory? {
        guard let name = directoryName(inIssuer: issuer),
            let directory = try await directories.directory(named: name, at: now), self.issuer(of: directory) == issuer
        else { return nil }
        return directory
    }
}
