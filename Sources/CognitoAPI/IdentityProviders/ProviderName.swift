// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// What the service calls an identity provider. Here each has one name in all dialects (``IdentityProvider/name``), in
/// lower case; of the service's own words for the well-known ones there is a table, and any other name is spelled as it
/// is.
enum ProviderName {
    /// The user directory itself, among a client's providers.
    static let pool = "COGNITO"

    private static let known: KeyValuePairs<String, String> = [
        "Google": "google", "SignInWithApple": "apple", "Facebook": "facebook",
    ]

    /// What the service calls otherwise, by its word.
    static let renamed = Dictionary(known.map { ($0.key, $0.value) }) { first, _ in first }

    /// - Returns: `nil` for a name that no provider has.
    static func own(_ name: String) -> String? {
        if let own = known.first(where: { $0.key == name })?.value { return own }
        // What has another name there is not also known by ours.
        guard !known.contains(where: { $0.value == name }), IdentityProvider.isName(name) else { return nil }
        return name
    }

    /// `ProviderType` of a provider of this name. A name of the well-known ones is for their kind.
    static func type(of name: String) -> String { known.first { $0.value == name }?.key ?? "OIDC" }

    static func shown(_ name: String) -> String { known.first { $0.value == name }?.key ?? name }
}
