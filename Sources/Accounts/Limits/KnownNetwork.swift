// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The networks that an account has been used from of late: that of a session, or that in which a recovery message was
/// answered. Only limits ask. A neighbour of the owner's (in the same /24 or /48) gains no more by it than a few
/// guesses that are counted apart.
enum KnownNetwork {
    static let memory = Span.days(30)

    static func contains(_ call: CallContext, of user: UserID, in tx: any StoreReading) throws -> Bool {
        guard let network = call.device.truncatedAddress else { return false }
        let since = call.now - memory
        let hasSession = try tx.hasSession(of: user, in: call.directory.id, from: network, activeSince: since)
        // Asked in either case, so that an account without a session costs what one with a session does.
        let recoveries = try tx.auditEvents(
            of: user, in: call.directory.id, action: .passwordChanged, until: nil, offset: 0, limit: 5)
        return hasSession
            || recoveries.contains {
                $0.at >= since && $0.truncatedAddress == network && $0.details["by"] == "recovery"
            }
    }
}
