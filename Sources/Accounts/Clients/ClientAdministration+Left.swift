// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension ClientAdministration {
    /// What a client is registered for, by lists of which an operator writes each whole.
    public enum List: Sendable, CaseIterable {
        case grants
        case scopes
        case redirectURIs
        case signOutURIs
    }

    /// Remembers which lists an operator has written of a client that has registered itself. It writes the rest of
    /// itself anew, and may leave out for a time what it has: so what the operator took is told by the list that they
    /// wrote, and not by what the client had at that moment.
    ///
    /// - Parameter lists: that were written, whether or not that changed them.
    static func remember(_ lists: Set<List>, of client: Client, _ step: FlowStep) throws {
        guard !lists.isEmpty, var registration = try step.tx.selfRegistration(of: client.id, in: step.directory) else {
            return
        }
        let (known, own) = (registration.left, client.settings.authorization)
        if lists.contains(.grants) { registration.left.grants = own.grants }
        if lists.contains(.scopes) { registration.left.scopes = own.scopes }
        if lists.contains(.redirectURIs) { registration.left.redirectURIs = own.redirectURIs }
        if lists.contains(.signOutURIs) { registration.left.signOutURIs = own.signOutURIs }
        if registration.left != known { try step.tx.update(registration) }
    }

    /// The lists that one change has altered.
    static func lists(from before: ClientSettings, to after: ClientSettings) -> Set<List> {
        let (before, after) = (before.authorization, after.authorization)
        return Set(
            List.allCases.filter { list in
                switch list {
                case .grants: before.grants != after.grants
                case .scopes: before.scopes != after.scopes
                case .redirectURIs: before.redirectURIs != after.redirectURIs
                case .signOutURIs: before.signOutURIs != after.signOutURIs
                }
            })
    }

    /// Takes scopes from what lets programs register themselves, so that no new client gets them either, and from
    /// every client that has done so, also from those that do without them for a time.
    static func take(_ scopes: Set<String>, _ step: FlowStep) throws {
        for var token in try step.tx.initialAccessTokens(in: step.directory)
        where !scopes.isDisjoint(with: token.scopes) {
            token.scopes.removeAll(where: scopes.contains)
            try step.tx.update(token)
        }
        for var registration in try step.tx.selfRegistrations(in: step.directory) {
            guard let left = registration.left.scopes, !scopes.isDisjoint(with: left) else { continue }
            registration.left.scopes = left.filter { !scopes.contains($0) }
            try step.tx.update(registration)
        }
    }
}

extension ClientRegistration {
    /// Those that it says, whatever it says of them.
    var lists: Set<ClientAdministration.List> {
        var lists: Set<ClientAdministration.List> = []
        if grants != nil { lists.insert(.grants) }
        if scopes != nil { lists.insert(.scopes) }
        if redirectURIs != nil { lists.insert(.redirectURIs) }
        if postLogoutURIs != nil { lists.insert(.signOutURIs) }
        return lists
    }
}
