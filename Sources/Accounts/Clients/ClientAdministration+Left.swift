// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension ClientAdministration {
    /// Remembers what an operator's change has taken from a client that has registered itself: it writes the rest of
    /// itself anew, and what it leaves out for a time is told by this from what it may not have.
    static func remember(from before: ClientSettings, to client: Client, _ step: FlowStep) throws {
        let (before, after) = (before.authorization, client.settings.authorization)
        guard
            before.grants != after.grants || before.scopes != after.scopes || before.redirectURIs != after.redirectURIs
                || before.signOutURIs != after.signOutURIs,
            var registration = try step.tx.selfRegistration(of: client.id, in: step.directory)
        else { return }
        let known = registration.left
        registration.left.grants = left(of: known.grants, from: before.grants, to: after.grants)
        registration.left.scopes = left(of: known.scopes, from: before.scopes, to: after.scopes)
        registration.left.redirectURIs = left(of: known.redirectURIs, from: before.redirectURIs, to: after.redirectURIs)
        registration.left.signOutURIs = left(of: known.signOutURIs, from: before.signOutURIs, to: after.signOutURIs)
        if registration.left != known { try step.tx.update(registration) }
    }

    /// What was added is left too, and so is what was left before and is not among what is taken now: the client does
    /// without.
    private static func left<Value: Hashable>(of known: [Value]?, from before: [Value], to after: [Value]) -> [Value]? {
        let taken = Set(before).subtracting(after)
        guard known != nil || !taken.isEmpty else { return nil }
        let kept = (known ?? before).filter { !taken.contains($0) }
        return kept + after.filter { !kept.contains($0) }
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
