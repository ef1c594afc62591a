// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes
import HummingbirdTokenAuth

/// The app's own protected API: the user's profile and activities, for whoever holds an access token of a trusted
/// issuer.
public struct AppAPI: Sendable {
    let ports: AccountPorts
    let authentication: BearerAuthentication
    let administrators: AccessPolicy

    /// - Parameter administrators: the groups whose members may use `/v1/admin/*`; one is enough (C-4).
    public init(
        ports: AccountPorts, keys: KeyRing, issuers: any TrustedIssuers, administrators: Set<String> = ["admin"]
    ) {
        self.ports = ports
        self.administrators = .requireGroups(anyOf: administrators)
        authentication = BearerAuthentication(ports: ports, keys: keys, issuers: issuers)
    }
}
