// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension ClientAuthorization {
    /// What is left of something that was granted once an operator has taken scopes or resources from the client:
    /// nobody is given what nobody may ask for any more. `nil` where nothing is left of what it was for; without its
    /// resources a token would be for this server, which was not granted either.
    func held(_ grant: ClientGrant) -> ClientGrant? {
        var held = grant
        held.scopes.removeAll { !scopes.containsOctets(of: $0) }
        held.resources.removeAll { !resources.containsOctets(of: $0) }
        guard held.scopes.isEmpty == grant.scopes.isEmpty, held.resources.isEmpty == grant.resources.isEmpty else {
            return nil
        }
        return held
    }

    /// What its user still agrees to of it, who may have been asked again since and have left something out. `nil`
    /// where nothing is left. Of a client whose users are not asked, and where nobody has been, all is.
    func agreed(_ grant: ClientGrant, in session: Session, _ tx: any AuthorizationReading) throws -> ClientGrant? {
        guard consent != .notAsked, let client = session.clientID,
            let agreed = try tx.consent(of: session.userID, to: client, in: session.directoryID)
        else { return grant }
        var left = grant
        left.scopes.removeAll { !agreed.scopes.containsOctets(of: $0) }
        return left.scopes.isEmpty == grant.scopes.isEmpty ? left : nil
    }
}
