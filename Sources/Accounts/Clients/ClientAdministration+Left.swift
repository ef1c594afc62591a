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

    /// Takes scopes from every client that has registered itself, also from those that do without them for a time.
    /// Whatever else it was left, or the token that it was registered by says, stays.
    static func take(_ scopes: Set<String>, _ step: FlowStep) throws {
        let tokens = try step.tx.initialAccessTokens(in: step.directory)
        let bounds = Dictionary(tokens.map { ($0.id, $0.scopes) }) { first, _ in first }
        for var registration in try step.tx.selfRegistrations(in: step.directory) {
            let before = registration.left.scopes ?? bounds[registration.initialToken] ?? []
            let after = before.filter { !scopes.contains($0) }
            guard after.count < before.count else { continue }
            registration.left.scopes = after
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

extension SelfRegistration.Left {
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the field, for a place that was taken from the client, or is
    ///   another than those that were left to it.
    func requirePlaces(of registration: ClientRegistration) throws(AuthError) {
        for (field, left, places) in [
            ("redirect_uris", redirectURIs, registration.redirectURIs ?? []),
            ("post_logout_uris", signOutURIs, registration.postLogoutURIs ?? []),
        ] {
            guard let left, !Set(places).isSubset(of: left) else { continue }
            throw AuthError(.invalidRequest, reason: "a place that may not be registered any more", field: field)
        }
    }
}
