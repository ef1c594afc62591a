// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension ClientAuthorization {
    /// What is left of something that was granted once an operator has taken scopes or resources from the client: nobody is
    /// given what nobody may ask for any more. `nil` where nothing is left of what it was for; without its resources a token
    /// would be for this server, which was not granted either.
    func held(_ grant: ClientGrant) -> ClientGrant? {
        var held = grant
        held.scopes.removeAll { !scopes.containsOctets(of: $0) }
        held.resources.removeAll { !resources.containsOctets(of: $0) }
        guard held.scopes.isEmpty == grant.scopes.isEmpty, held.resources.isEmpty == grant.resources.isEmpty else {
            return nil
        }
        return held
    }
}
