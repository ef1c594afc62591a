// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import ServerKit

extension OpenIDProvider {
    public func connection(for call: CallContext) async throws -> @Sendable () -> ConnectionSettings {
        { [settings] in
            let url = settings.url.text
            return ConnectionSettings(
                name: "openid", title: "OpenID Connect",
                values: [
                    ("issuer", "Issuer", url), ("discovery", "Discovery", url + Route.discoveryPath),
                ],
                environment: [("OIDC_ISSUER", url)])
        }
    }
}
