// SPDX-License-Identifier: Apache-2.0

import Accounts
import ServerKit

extension Operation {
    /// Passkeys, which pools sign in by that name `WEB_AUTHN` among their first factors, and what a user signs in by.
    static let passkeys: [Operation] = [
        Operation("StartWebAuthnRegistration", .user, limit: .by(.user)) {
            try PasskeyEndpoints.requireEnabled($0)
            return try await PasskeyEndpoints.start($0)
        },
        Operation("CompleteWebAuthnRegistration", .user, limit: .by(.verify)) {
            try PasskeyEndpoints.requireEnabled($0)
            return try await PasskeyEndpoints.complete($0)
        },
        Operation("ListWebAuthnCredentials", .user, limit: .unlimited(.signedIn), PasskeyEndpoints.list),
        Operation("DeleteWebAuthnCredential", .user, limit: .by(.user), PasskeyEndpoints.delete),
        Operation("GetUserAuthFactors", .user, limit: .unlimited(.signedIn), UserAuthFactors.get),
        Operation("AdminGetUserAuthFactors", .pool, UserAuthFactors.ofNamed),
    ]
}
