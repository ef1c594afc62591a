// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What was taken back from a restored store, or from one Directory of it.
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

    public static func + (left: RestoreAftermath, right: RestoreAftermath) -> RestoreAftermath {
        RestoreAftermath(
            sessions: left.sessions + right.sessions, proofs: left.proofs + right.proofs,
            messages: left.messages + right.messages)
    }
}

/// What a store has issued, of which each kind is taken back by itself.
public enum IssuedKind: Sendable, CaseIterable {
    case sessions
    /// Tokens that nobody keeps, by the time from which their user's are good.
    case tokens
    case oneTimeTokens
    /// The links that stop one go with the one-time tokens.
    case factorRecoveries
    case authorizationCodes
    case pendingAuthorizations
    case deviceAuthorizations
    case pendingFederations
    case messages
}

/// What came of some rows of a kind.
public struct RestoreTurn: Sendable {
    /// What was taken back, in the Directories that had some of it.
    public var taken: [DirectoryID: RestoreAftermath]
    /// The key of the last row that was looked at, and `nil` at the end of the kind.
    public var last: [String]?

    public init(taken: [DirectoryID: RestoreAftermath] = [:], last: [String]? = nil) {
        self.taken = taken
        self.last = last
    }
}

public protocol RestoreWriting {
    /// Takes back the next `limit` rows of a kind, of all Directories: ends live sessions, refuses users' tokens of
    /// before `validSince`, and deletes the links, the codes and the messages that nobody has used or sent yet.
    ///
    /// - Parameter last: where the turn before ended; `nil` for the first.
    func takeBack(
        _ kind: IssuedKind, after last: [String]?, limit: Int, validSince: Instant, at now: Instant
    ) throws -> RestoreTurn
}
