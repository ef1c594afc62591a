// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import CognitoAPI
import FirebaseAPI
import Hummingbird
import ServerKit
import SupabaseAPI

/// The dialects that one server speaks, over one set of users.
struct Dialects: Sendable {
    let supabase: SupabaseDialect
    let cognito: CognitoDialect
    let firebase: FirebaseDialect

    init(
        _ configuration: ServerConfiguration, isDevelopment: Bool, isSelfHosted: Bool, url: ServerURL,
        ports: AccountPorts, keys: KeyRing, directories: DirectoryCatalog
    ) {
        supabase = SupabaseDialect(
            ports: ports, keys: keys, directories: directories,
            // A gateway strips the prefix, so the container behind it answers without it too.
            settings: isSelfHosted
                ? .init(url: url, pathPrefixes: ["/auth/v1", ""], publicPrefix: "", requiresAPIKey: false)
                : .init(url: url, requiresAPIKey: configuration.requiresAPIKey))
        cognito = CognitoDialect(
            ports: ports, keys: keys, directories: directories, clients: ClientCatalog(store: ports.store),
            settings: .init(
                url: url, region: configuration.cognito.region, issuerStyle: configuration.cognito.issuerStyle,
                accessKeys: configuration.cognito.accessKeys, acceptsAnyAdministrator: isDevelopment))
        firebase = FirebaseDialect(
            ports: ports, keys: keys, directories: directories,
            settings: .init(url: url, acceptsOwnerToken: isDevelopment, acceptsAnyKey: isDevelopment))
    }

    /// The parts of the URL space, each with its way of saying errors.
    var surfaces: [Surface] { supabase.surfaces + cognito.surfaces + firebase.surfaces }

    func addRoutes(to router: Router<LatchkeyRequestContext>, routes: KnownRoutes) {
        supabase.addRoutes(to: router, routes: routes)
        cognito.addRoutes(to: router, routes: routes)
        firebase.addRoutes(to: router, routes: routes)
    }

    /// The headers that browsers may send and read across origins, besides those everyone may.
    static let requestHeaders =
        SupabaseDialect.requestHeaders + CognitoDialect.requestHeaders + FirebaseDialect.requestHeaders
    static let responseHeaders = SupabaseDialect.responseHeaders + CognitoDialect.responseHeaders
}
