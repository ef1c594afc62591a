// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// A provider as the platform's clients call it. In the store it has the one name that every dialect maps its own
/// spelling to (``AccountModel/IdentityProvider/name``), so that who comes by it is the same user whichever dialect
/// they come through.
struct ProviderID: Hashable, Sendable {
    /// `google.com`, `oidc.acme`.
    let text: String
    /// `google`, `oidc.acme`.
    let name: String

    /// By either spelling.
    init(_ text: String) {
        let known = Self.known.first { $0.text == text || $0.name == text }
        (self.text, name) = (known?.text ?? text, known?.name ?? text)
    }

    /// What the platform calls otherwise, by its word.
    static let renamed = Dictionary(known.map { ($0.text, $0.name) }) { first, _ in first }

    init(of identity: Identity) { self.init(identity.provider) }

    /// The platform's names for the kinds that are called alike everywhere; every other provider is called as its
    /// operator called it.
    private static let known: [(text: String, name: String)] = [
        ("google.com", "google"), ("apple.com", "apple"), ("microsoft.com", "microsoft"),
        ("facebook.com", "facebook"), ("github.com", "github"),
    ]
}
