// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What was taken back from a restored Directory.
public struct RestoreAftermath: Sendable, Equatable {
    public var sessions = 0
    /// Links, codes and authorization codes.
    public var proofs = 0
    /// Messages that were still to be sent when the backup was taken.
    public var messages = 0

    public init(sessions: Int = 0, proofs: Int = 0, messages: Int = 0) {
        self.sessions = sessions
        self.proofs = proofs
        self.messages = messages
    }
}

public protocol RestoreWriting {
    /// Takes back all that the Directory had issued: ends its live sessions, refuses every user's tokens of before
    /// `validSince`, and deletes the links, the codes and the messages that nobody has used or sent yet.
    func takeBackEverything(
        in directory: DirectoryID, validSince: Instant, at now: Instant
    ) throws -> RestoreAftermath
}
