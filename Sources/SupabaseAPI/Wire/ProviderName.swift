// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// How this platform calls an identity provider, and which of ours that is: ``IdentityProvider/name``.
struct ProviderName: Sendable, Hashable {
    /// As clients write it, in lower case.
    let wire: String

    /// - Parameter text: a request's, in any case.
    init(_ text: String) { wire = text.lowercased() }

    /// - Parameter name: ``IdentityProvider/name``, which ``Identity/provider`` is too.
    init(of name: String) { wire = name == Self.microsoft.ours ? Self.microsoft.wire : name }

    /// As it is stored here. The platform calls one of them by the name of a product.
    var ours: String { wire == Self.microsoft.wire ? Self.microsoft.ours : wire }

    /// Whether it is one that an operator made up: those begin so on the platform, and nobody else's do.
    var isCustom: Bool { wire.hasPrefix(Self.customPrefix) }

    /// Whether the platform knows it, configured or not.
    var isKnown: Bool { isCustom || Self.known.contains(wire) }

    /// What the platform calls otherwise, by its word.
    static let renamed = [microsoft.wire: microsoft.ours]

    static let customPrefix = "custom:"
    private static let microsoft = (wire: "azure", ours: "microsoft")

    /// Those that the platform's settings name, in its order, but for the last.
    static let listed = [
        "apple", "azure", "bitbucket", "discord", "facebook", "snapchat", "figma", "fly", "github", "gitlab", "google",
        "keycloak", "kakao", "linkedin", "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc", "workos",
        "twitch", "twitter",
    ]
    private static let known = Set(listed + ["zoom", "x", "vercel_marketplace"])
}
