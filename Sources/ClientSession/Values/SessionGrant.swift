// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a sign-in or a refresh brings: tokens, whose they are, and what time the service says it is.
public struct SessionGrant: Sendable {
    /// What the session goes on with.
    public var tokens: TokenSet
    /// `nil` where an answer to a refresh does not repeat the user: the one known stays.
    public var user: SessionUser?
    /// The answer's `Date` (RFC 9110, section 6.6.1). `nil` where it has none.
    public var serverDate: Instant?
    /// Whether a session of its own came in the place of the one before: that is ended at the service once this one
    /// is stored, since nobody else ever would. `false` where ending the one might end the other of the same user too.
    /// `nil` leaves it to what was done: after a sign-in or a new proof the former is ended, after any other operation
    /// it goes on.
    public var replacesSession: Bool?

    /// Made by backends, of what a service answered.
    public init(tokens: TokenSet, user: SessionUser?, serverDate: Instant?) {
        self.tokens = tokens
        self.user = user
        self.serverDate = serverDate
    }
}
