// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import ServerKit

/// What the service calls those who vouch for logins: hosts, and below a user pool's its identifier.
struct LoginNames: Sendable {
    /// This server's own word on an identity, which the operator's programs hand to apps.
    static let ownToken = "cognito-identity.amazonaws.com"

    private static let known: KeyValuePairs<String, String> = [
        "accounts.google.com": "google", "appleid.apple.com": "apple", "graph.facebook.com": "facebook",
    ]
    private static let arn = "arn:aws"
    private static let arnPart = ":oidc-provider/"

    let dialect: CognitoDialect

    // MARK: Reading

    /// Whose name it is among those of the pool; `nil` for nobody's.
    func provider(_ name: String, in pool: IdentityPool) -> LoginProvider? {
        if let directory = directory(ofUserPool: name) { return .users(directory) }
        if let own = Self.upstream(name) { return .upstream(own) }
        if let source = pool.openIDSources.first(where: { $0.resource == name || Self.host(of: $0.resource) == name }) {
            return .upstream(source.provider)
        }
        return pool.developerProvider == name ? .developer(name) : nil
    }

    /// One of those that need no configuration to have a name; ours.
    static func upstream(_ name: String) -> String? { known.first { $0.key == name }?.value }

    /// `cognito-idp.{region}.amazonaws.com/{poolId}`, or the pool's issuer at this server without its scheme: what SDKs
    /// make of a token.
    func directory(ofUserPool name: String) -> DirectoryID? {
        guard let slash = name.lastIndex(of: "/") else { return nil }
        let place = name[..<slash]
        let own = dialect.settings.url.text.split(separator: "/", maxSplits: 2).last.map(String.init)
        guard place == Self.userPoolHost(dialect.region) || String(place) == own else { return nil }
        return dialect.directoryID(ofPool: String(name[name.index(after: slash)...]))
    }

    /// The configured provider that an ARN of the cloud's is about, by its issuer.
    static func provider(ofARN arn: String, among configured: [IdentityProvider]) -> String? {
        host(of: arn).flatMap { self.provider(ofIssuer: $0, among: configured) }
    }

    /// - Parameter name: an issuer, with or without its scheme.
    static func provider(ofIssuer name: String, among configured: [IdentityProvider]) -> String? {
        configured.first { provider in
            let issuer = provider.issuer ?? fixedIssuer(provider.kind)
            return issuer.map { bare($0) == bare(name) } ?? false
        }?.name
    }

    private static func fixedIssuer(_ kind: IdentityProvider.Kind) -> String? {
        switch kind {
        case .google: "https://accounts.google.com"
        case .apple: "https://appleid.apple.com"
        case .facebook: "https://www.facebook.com"
        case .microsoft, .openID, .github: nil
        }
    }

    /// The issuer of a provider as an ARN has it; of one whose issuer is not known, its name.
    static func place(of provider: IdentityProvider) -> String {
        bare(provider.issuer ?? fixedIssuer(provider.kind) ?? provider.name)
    }

    /// Without scheme, and without a slash at its end.
    private static func bare(_ issuer: String) -> String {
        var text = Substring(issuer)
        for scheme in ["https://", "http://"] where text.hasPrefix(scheme) { text = text.dropFirst(scheme.count) }
        return String(text.hasSuffix("/") ? text.dropLast() : text)
    }

    /// `arn:aws:iam::{account}:oidc-provider/{host and path}`: the last part.
    static func host(of resource: String) -> String? {
        let parts = resource.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        guard resource.hasPrefix(arn), parts.count == 6, parts[2] == "iam", parts[5].hasPrefix(arnPart.dropFirst()),
            parts[5].count > arnPart.count - 1
        else { return nil }
        return String(parts[5].dropFirst(arnPart.count - 1))
    }

    // MARK: Showing

    func shown(_ provider: LoginProvider, in pool: IdentityPool) -> String {
        switch provider {
        case .users(let directory): return shown(directory)
        case .developer(let name): return name
        case .upstream(let name):
            if let known = Self.known.first(where: { $0.value == name })?.key { return known }
            return pool.openIDSources.first { $0.provider == name }.flatMap { Self.host(of: $0.resource) } ?? name
        }
    }

    func shown(_ directory: DirectoryID) -> String {
        "\(Self.userPoolHost(dialect.region))/\(dialect.region)_\(directory.rawValue)"
    }

    /// As a mapping of roles is called: with the client where it is one's own, and an OpenID provider by its ARN.
    func shown(_ source: LoginSource, in pool: IdentityPool) -> String {
        if case .upstream(let name) = source.provider, !Self.known.contains(where: { $0.value == name }),
            let resource = pool.openIDSources.first(where: { $0.provider == name })?.resource
        {
            return resource
        }
        return shown(source.provider, in: pool) + (source.client.map { ":" + $0 } ?? "")
    }

    private static func userPoolHost(_ region: String) -> String {
        "cognito-idp.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
    }
}
