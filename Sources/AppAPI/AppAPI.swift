// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// The app's own protected API: the user's profile and activities, for whoever holds an access token of a trusted
/// issuer.
public struct AppAPI: Sendable {
    let ports: AccountPorts
    let authentication: BearerAuthentication

    public init(ports: AccountPorts, keys: KeyRing, issuers: any TrustedIssuers) {
        self.ports = ports
        authentication = BearerAuthentication(ports: ports, keys: keys, issuers: issuers)
    }
}
