// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The networks that an account has been used from of late: that of a session, or that in which a recovery message was
/// answered. Only limits and locks ask. A neighbour of the owner's (in the same /24 or /48) gains no more by it than a
/// few guesses that are counted apart.
enum KnownNetwork {
    static let memory = TimeSpan.days(30)

    static func contains(_ call: CallContext, of user: UserID, in tx: any StoreReading) throws -> Bool {
        guard let network = call.device.truncatedAddress else { return false }
        let since = call.now - memory
        let hasSession = try tx.hasSession(of: user, in: call.directory.id, from: network, activeSince: since)
        // Asked in either case, so that an account without a session costs what one with a session does.
        let isProved = try isProved(call, of: user, in: tx)
        return hasSession || isProved
    }

    /// Whether a message that recovers or unlocks the account was answered in the caller's network of late: whoever did
    /// can read the owner's messages.
    static func isProved(_ call: CallContext, of user: UserID, in tx: any StoreReading) throws -> Bool {
        guard let network = call.device.truncatedAddress else { return false }
        let since = call.now - memory
        let events = try [AuditEvent.Action.passwordChanged, .accountUnlocked].flatMap { action in
            try tx.auditEvents(of: user, in: call.directory.id, action: action, until: nil, offset: 0, limit: 5)
        }
        let answers = [OneTimeToken.Purpose.recovery, .unlock].map { JSONValue.string($0.rawValue) }
        return events.contains { event in
            event.at >= since && event.truncatedAddress == network && answers.contains { $0 == event.details["by"] }
        }
    }
}
