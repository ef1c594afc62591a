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

    /// Made by backends, of what a service answered.
    public init(tokens: TokenSet, user: SessionUser?, serverDate: Instant?) {
        self.tokens = tokens
        self.user = user
        self.serverDate = serverDate
    }
}
