// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

extension CognitoDialect {
    private static let developmentPool = "development"
    private static let role = "arn:aws:iam::000000000000:role/development"

    /// The identity pool that every development server has: it takes the tokens of the user pool's development client,
    /// those of the providers that the server plays, and guests. One that is there is left as it is.
    ///
    /// - Returns: its identifier as clients know it.
    func developmentIdentityPool(client: ClientID, _ call: CallContext) async throws -> String {
        let administration = accounts.identityPoolAdministration
        if let present = try await administration.list(after: nil, limit: 1000, call: call).first(where: {
            $0.name == Self.developmentPool
        }) {
            return wireID(present.id)
        }
        let providers = try await accounts.identityProviders.enabled(in: call.directory.id)
        let made = try await administration.create(call: call) { pool in
            pool.name = Self.developmentPool
            pool.allowsGuests = true
            pool.allowsClassicFlow = true
            pool.developerProvider = "login.development"
            pool.userSources = [.init(directory: call.directory.id, client: client)]
            pool.roles = .init(authenticated: Self.role, guest: Self.role + "-guest")
            for provider in providers {
                switch provider.kind {
                case .facebook: pool.clientIDs[provider.name] = provider.clientIDs.first
                case .google, .apple, .openID:
                    // Whatever client an app's SDK names.
                    pool.openIDSources.append(
                        .init(
                            provider: provider.name,
                            resource: "arn:aws:iam::000000000000:oidc-provider/\(LoginNames.place(of: provider))"))
                case .microsoft, .github: break
                }
            }
        }
        return wireID(made.id)
    }
}
