// SPDX-License-Identifier: Apache-2.0

import JOSE

/// Whom the provider plays. The raw value is the segment of its paths, and what scripts call it.
public enum Vendor: String, Sendable, CaseIterable {
    case google
    case apple
    case microsoft
    /// Any provider that goes by OpenID Connect and nothing else.
    case openID = "openid"
    case gitHub = "github"
    case facebook

    /// As people know it.
    public var title: String {
        switch self {
        case .google: "Google"
        case .apple: "Apple"
        case .microsoft: "Microsoft"
        case .openID: "OpenID"
        case .gitHub: "GitHub"
        case .facebook: "Facebook"
        }
    }

    /// What it signs its ID tokens with; `nil` for one that has none.
    var algorithm: JWSAlgorithm? {
        switch self {
        case .google, .apple, .microsoft, .facebook: .rs256
        case .openID: .es256
        case .gitHub: nil
        }
    }

    /// Whether it says itself where its endpoints are (OpenID Connect Discovery 1.0).
    public var hasDiscovery: Bool { redeemsForIDTokens }

    /// Whether its codes are redeemed for an ID token. Those of Facebook are for phones alone (Limited Login).
    var redeemsForIDTokens: Bool { self != .gitHub && self != .facebook }

    /// Whether it says in its answer to the browser who it is (RFC 9207).
    var namesItself: Bool { self == .google || self == .openID || self == .gitHub }

    /// By which name. GitHub's is beside its endpoint, as an Enterprise Server's is, and in no token.
    func answerIssuer(url: String, tenant: String) -> String {
        self == .gitHub
            ? url + DevelopmentIdentityProvider.path + "/" + rawValue : issuer(url: url, tenant: tenant)
    }

    /// Who it says it is: what the real one says, so that identities stay what they are when the port changes. "Any"
    /// provider is at the place that it says, as OpenID Connect Discovery 1.0, section 4.3, wants it.
    ///
    /// - Parameters:
    ///   - url: of this server.
    ///   - tenant: of Microsoft's directories.
    func issuer(url: String, tenant: String) -> String {
        switch self {
        case .google: "https://accounts.google.com"
        case .apple: "https://appleid.apple.com"
        case .microsoft: "https://login.microsoftonline.com/\(tenant)/v2.0"
        case .openID: url + DevelopmentIdentityProvider.path + "/openid"
        case .gitHub: "https://github.com"
        case .facebook: "https://www.facebook.com"
        }
    }

    /// Seconds that its ID tokens are good for.
    var idTokenLifetime: Int64 { self == .apple ? 86_400 : 3_600 }
}
