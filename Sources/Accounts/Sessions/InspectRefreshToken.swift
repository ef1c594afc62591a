// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Finds out whose a refresh token is, or was: for a dialect that says why one is refused, or whose clients prove
/// themselves with the name of its holder. Refreshes nothing and changes nothing.
public struct InspectRefreshToken: Sendable {
    /// What the token was made for, as far as it is still there.
    public struct Holder: Sendable {
        /// Also one that has ended; `nil` once it is purged.
        public var session: Session?
        /// Also one who is deleted; `nil` once nothing is left of them.
        public var user: User?
        /// Whether the call's client could refresh its session by the token now.
        public var isGood = false
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// `nil` for a text that the call's Directory never made for its dialect: to whoever invents one nothing is told.
    public func callAsFunction(_ text: String, call: CallContext) async throws -> Holder? {
        guard let token = try await ports.refreshToken(text, in: call) else { return nil }
        return try await ports.store.read { tx in
            guard let session = try tx.session(token.session, in: call.directory.id) else { return Holder() }
            return Holder(
                session: session, user: try tx.user(session.userID, in: call.directory.id),
                isGood: try SessionIssuer.wouldRenew(token, call: call, in: tx))
        }
    }
}
