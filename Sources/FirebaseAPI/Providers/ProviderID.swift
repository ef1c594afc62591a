// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// A provider as the platform's clients call it. In the store it has the one name that every dialect maps its own spelling
/// to (``AccountModel/IdentityProvider/name``), so that who comes by it is the same user whichever dialect they come
/// through.
struct ProviderID: Hashable, Sendable {
    /// `google.com`, `oidc.acme`.
    let text: String
    /// `google`, `oidc.acme`.
    let name: String

    /// What a client says.
    init(_ text: String) {
        self.text = text
        name = Self.known.first { $0.text == text }?.name ?? text
    }

    /// What the store says.
    init(named name: String) {
        self.name = name
        text = Self.known.first { $0.name == name }?.text ?? name
    }

    init(of identity: Identity) { self.init(named: identity.provider) }

    /// The platform's names for the kinds that are called alike everywhere; every other provider is called as its operator
    /// called it.
    private static let known: [(text: String, name: String)] = [
        ("google.com", "google"), ("apple.com", "apple"), ("microsoft.com", "microsoft"),
        ("facebook.com", "facebook"), ("github.com", "github"),
    ]
}
