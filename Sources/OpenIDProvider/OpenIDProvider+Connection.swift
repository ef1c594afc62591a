// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

extension OpenIDProvider {
    /// The name of the client that every development Directory has.
    private static let developmentClient = "development app"
    /// Where an app on this machine is, on whichever port (RFC 8252, section 7.3).
    private static let callbacks = ["http://127.0.0.1/callback", "http://[::1]/callback"]

    public func connection(for call: CallContext) async throws -> @Sendable () -> ConnectionSettings {
        let client = try await developmentClient(call).id.rawValue
        return { [settings] in
            let url = settings.url.text
            return ConnectionSettings(
                name: "openid", title: "OpenID Connect",
                values: [
                    ("issuer", "Issuer", url), ("discovery", "Discovery", url + Route.discoveryPath),
                    ("clientId", "Client ID, of an app on this machine", client),
                    ("callbackUrl", "Callback URL, on any port", "http://127.0.0.1:3000/callback"),
                ],
                environment: [("OIDC_ISSUER", url), ("OIDC_CLIENT_ID", client)])
        }
    }

    /// An app without a secret, whose users are not asked for consent. One that is there keeps what it was given.
    private func developmentClient(_ call: CallContext) async throws -> Client {
        let administration = accounts.clientAdministration
        if let present = try await administration.list(call: call).first(where: { $0.name == Self.developmentClient }) {
            return present
        }
        var registration = ClientRegistration()
        registration.name = Self.developmentClient
        registration.authentication = .publicClient
        registration.redirectURIs = Self.callbacks
        registration.postLogoutURIs = ["http://127.0.0.1/", "http://[::1]/"]
        registration.consent = .notAsked
        return try await administration.register(registration, call: call)
    }
}
