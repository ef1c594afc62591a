// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import DevelopmentIdentityProvider
import ServerKit

/// The identity providers that a development server plays.
extension DevelopmentMode {
    static func identityProvider(
        _ configuration: ServerConfiguration, url: ServerURL, random: any RandomSource, keys: ProviderKeys
    ) -> DevelopmentIdentityProvider {
        DevelopmentIdentityProvider(
            .init(
                url: url, callers: callers(of: configuration), random: random, keys: keys,
                wait: { try await Task.sleep(for: .microseconds($0.microseconds)) },
                notify: { notification, _ in await NotificationPost(to: url).send(notification) }))
    }

    /// The providers as each Directory has them in development mode. They are stored nowhere, and one that is stored by
    /// the same name goes before. Where they are is known once the server is bound.
    ///
    /// - Parameter keys: `nil` for a server that plays none.
    static func standIns(
        _ keys: ProviderKeys?, url: ServerURL
    ) -> @Sendable (DirectoryID) -> [IdentityProvider] {
        { directory in
            guard let keys else { return [] }
            let base = url.text + DevelopmentIdentityProvider.path
            return Vendor.allCases.compactMap { vendor in
                standIn(vendor, at: "\(base)/\(vendor.rawValue)", in: directory, teamKey: keys.teamKey)
            }
        }
    }

    private static func standIn(
        _ vendor: Vendor, at place: String, in directory: DirectoryID, teamKey: Secret<String>
    ) -> IdentityProvider? {
        guard let kind = IdentityProvider.Kind(rawValue: vendor.rawValue) else { return nil }
        let registration = vendor.registration
        let start = Instant(seconds: 0)
        var provider = IdentityProvider(
            id: IdentityProviderID("development-\(vendor.rawValue)"), directoryID: directory, name: vendor.rawValue,
            kind: kind, clientIDs: [registration.clientID, registration.nativeClientID],
            secret: vendor == .apple ? teamKey : registration.secret, createdAt: start, updatedAt: start)
        switch vendor {
        // Known by its issuer alone.
        case .openID: (provider.issuer, provider.displayName) = (place, vendor.title)
        case .apple: (provider.appleTeamID, provider.appleKeyID) = (Registration.appleTeamID, Registration.appleKeyID)
        case .google, .microsoft, .gitHub, .facebook: break
        }
        guard vendor != .openID else { return provider }
        provider.endpoints.authorization = place + "/authorize"
        provider.endpoints.token = place + "/token"
        if vendor != .gitHub { provider.endpoints.jwks = place + "/keys" }
        switch vendor {
        case .google, .microsoft: provider.endpoints.userInfo = place + "/userinfo"
        case .gitHub: provider.endpoints.userInfo = place + "/user"
        case .facebook: provider.endpoints.userInfo = place + "/me"
        case .apple, .openID: break
        }
        if vendor == .google || vendor == .apple { provider.endpoints.revocation = place + "/revoke" }
        return provider
    }

    /// What an app of somebody else's is set up with to go there; the server's own is already.
    static func settings(of provider: DevelopmentIdentityProvider, url: String) -> ConnectionSettings {
        let base = url + DevelopmentIdentityProvider.path
        var values = [
            ("url", "Accounts, and who has agreed", base),
            ("idToken", "ID tokens for scripts (POST, JSON)", base + "/id-token"),
        ]
        for vendor in Vendor.allCases {
            let name = vendor.rawValue
            let place = "\(base)/\(name)"
            values += [
                (name + "ClientId", "\(vendor.title): client", vendor.registration.clientID),
                vendor == .apple
                    ? (name + "Key", "Apple: key of the team (until the server ends)", provider.teamKey.reveal())
                    : (name + "ClientSecret", "\(vendor.title): secret", vendor.registration.secret.reveal()),
                vendor.hasDiscovery
                    ? (
                        name + "Discovery", "\(vendor.title): discovery",
                        place + "/.well-known/openid-configuration"
                    )
                    : (name + "Authorize", "\(vendor.title): authorization", place + "/authorize"),
            ]
            // For who knows Google's endpoints by heart, and so asks no discovery.
            if vendor.hasDiscovery {
                values += [
                    (name + "Authorize", "\(vendor.title): authorization", place + "/authorize"),
                    (name + "Token", "\(vendor.title): token", place + "/token"),
                ]
            }
        }
        values += [
            ("appleTeamId", "Apple: team", Registration.appleTeamID),
            ("appleKeyId", "Apple: name of the key", Registration.appleKeyID),
        ]
        return ConnectionSettings(
            name: "identityProviders", title: "Identity providers, played by this server", values: values,
            snippets: [
                (
                    "Shell: an ID token as a phone's SDK gives it to an app; each is good for one sign-in",
                    """
                    id_token() {
                      curl -s \(base)/id-token -H 'Content-Type: application/json' \\
                        -d '{"provider": "google", "subject": "ada@example.com"}' | sed 's/.*"id_token":"\\([^"]*\\)".*/\\1/'
                    }
                    """
                )
            ])
    }
}
