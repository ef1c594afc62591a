// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Tells a signed-in user what deleting their account means, before they do it (G-10.2).
public struct ExplainDeletion: Sendable {
    public struct Explanation: Sendable {
        /// Seconds in which signing in undoes it; 0 where it is for good at once.
        public var graceSeconds: Int64
        /// Whether they must first prove anew who they are.
        public var needsRecentSignIn: Bool
        /// Whether a second factor is to be shown first.
        public var needsSecondFactor: Bool
        /// Sessions that end, the present one among them: at most ``ExplainDeletion/most`` are counted.
        public var sessions: Int
        /// The identity providers that know the user no more.
        public var providers: [String]
        /// Second factors that go.
        public var factors: Int
    }

    public static let most = 100

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameter asksForProof: as of ``DeleteAccount``.
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound``.
    public func callAsFunction(
        _ authenticated: AuthenticatedUser, asksForProof: Bool, call: CallContext
    ) async throws -> Explanation {
        try await ports.store.read { tx in
            let user = try authenticated.usable(call, tx)
            let terms = DeletionTerms(of: user, call.settings)
            let identities = try tx.identities(of: user.id, in: user.directoryID)
            let factors = try FactorStanding(of: user, call.settings, tx)
            let level = authenticated.session?.assurance ?? .aal1
            return Explanation(
                graceSeconds: terms.grace?.seconds ?? 0,
                needsRecentSignIn: terms.needsProof(authenticated.session, asksForProof: asksForProof, at: call.now),
                needsSecondFactor: factors.isSet && level < .aal2,
                sessions: try tx.sessions(of: user.id, in: user.directoryID, after: nil, limit: Self.most)
                    .count { !$0.hasEnded(call) },
                providers: identities.filter { !LocalIdentities.isLocal($0) }.map(\.provider),
                factors: factors.usable.count)
        }
    }
}
