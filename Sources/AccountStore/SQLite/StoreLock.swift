// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// Keeps a second server off the same database file: an advisory lock on a file beside it, which the system drops when
/// the process ends, however it ends.
public final class StoreLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `AuthErrorCode.conflict` when another process holds the lock, `.unavailable` when the file beside the
    ///   database can't be made.
    public init(databaseAt path: String) throws(AuthError) {
        let lockPath = path + ".lock"
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw AuthError(.unavailable, reason: "\(lockPath): can't be opened")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw AuthError(.conflict, reason: "\(path) is in use by another latchkey server")
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }
}
