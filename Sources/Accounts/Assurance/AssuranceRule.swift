// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What only a session may do that was raised by a second factor, where its user has one: the one rule for all of it. It asks
/// the store, since a factor may have been set up after the caller's session was read.
///
/// - A password, an address, a number, an identity is changed or taken away.
/// - A factor is set up or removed, and backup codes are made.
/// - The account is deleted, or everything that is known of it handed out.
struct AssuranceRule {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    /// - Throws: ``AuthErrorCode/insufficientAssurance``, also for a token that names no session: nothing says what its
    ///   holder has proved.
    func require(_ authenticated: AuthenticatedUser) throws {
        guard try Self.isMet(by: authenticated, step.call, step.tx) else { throw AuthError(.insufficientAssurance) }
    }

    /// Whether ``require(_:)`` would let them, for who asks beforehand.
    static func isMet(by authenticated: AuthenticatedUser, _ call: CallContext, _ tx: any StoreReading) throws -> Bool {
        guard try FactorStanding(of: authenticated.user, call.settings, tx).isSet else { return true }
        guard let id = authenticated.session?.id, let session = try tx.session(id, in: call.directory.id) else {
            return false
        }
        return session.userID == authenticated.user.id && session.assurance >= .aal2
    }
}
