// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The ledger of spent nonces: what a sealed ticket or challenge, which the client carries, is good for once by, in
/// whichever process it is answered (ADR 0022).
public protocol NonceReading {
    func isSpent(_ nonce: [UInt8], in directory: DirectoryID) throws -> Bool
}

public protocol NonceWriting: NonceReading {
    /// Spends the nonce. Whether it was unspent until now: of two callers at once, in one process or two, one gets
    /// `true`. Belongs in the transaction of what it allows, so that a failure there leaves it unspent.
    ///
    /// - Parameter expiry: of the ticket, after which nobody takes it any more.
    func spend(_ nonce: [UInt8], in directory: DirectoryID, until expiry: Instant) throws -> Bool
    /// Deletes the nonces of tickets that expired before `instant`.
    func purgeNonces(expiredBefore instant: Instant, limit: Int) throws -> Int
}
