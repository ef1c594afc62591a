// SPDX-License-Identifier: Apache-2.0

import CPostgres

/// Ends what a connection is doing, from another thread.
///
/// `@unchecked`: libpq's `PGcancel` is a copy of what is needed, made once and never changed, and `PQcancel` may be
/// called from any thread at any time (libpq, "Canceling Queries in Progress"). It is freed with the last reference.
final class PostgresCancellation: @unchecked Sendable {
    private static let messageLength = 256

    private let cancel: OpaquePointer

    init(_ cancel: OpaquePointer) {
        self.cancel = cancel
    }

    deinit {
        PQfreeCancel(cancel)
    }

    /// Opens a connection of its own to say so, and blocks meanwhile. Whether it was heard is seen by how the statement
    /// ends.
    func set() {
        var message = [CChar](repeating: 0, count: Self.messageLength)
        _ = PQcancel(cancel, &message, CInt(message.count))
    }
}
