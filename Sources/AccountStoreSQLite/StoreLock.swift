// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Foundation

/// Keeps a second server off the same database file: an advisory lock on a file beside it, which the system drops when
/// the process ends, however it ends.
public final class StoreLock: Sendable {
    private let descriptor: Int32

    /// Makes the directories above the database where they are missing. Symbolic links to one database share its lock.
    ///
    /// - Throws: `AuthErrorCode.conflict` when another process holds the lock, `.unavailable` when the file beside the
    ///   database can't be made or locked.
    public init(databaseAt path: String) throws(AuthError) {
        let file = DatabaseFile(path: path)
        do {
            try file.makeDirectories()
        } catch {
            throw file.failure(error)
        }
        let lockPath = URL(fileURLWithPath: file.absolutePath).resolvingSymlinksInPath().path + ".lock"
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw AuthError(.unavailable, reason: "\(lockPath): can't be opened (\(String(cString: strerror(errno))))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let cause = errno
            close(descriptor)
            guard cause == EWOULDBLOCK else {
                throw AuthError(
                    .unavailable, reason: "\(lockPath): can't be locked (\(String(cString: strerror(cause))))")
            }
            throw AuthError(.conflict, reason: "\(path) is in use by another latchkey server")
        }
        self.descriptor = descriptor
    }

    deinit {
        // Closing alone would leave the lock to a child process that was forked meanwhile and has not yet become
        // another program: it holds a copy of the descriptor until then.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
