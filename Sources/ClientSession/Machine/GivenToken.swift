// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An access token as it was given to a caller, who says which one it was if a service refuses it.
///
/// The text alone does not say that: a service that signs without chance makes the same text twice within one second
/// (RS256 over the same claims without a `jti`), and the second is a new token all the same.
///
/// One object for all who wait for it: to copy its texts for each of a thousand callers, who go on on several
/// processors, would have these wait for each other's counting of references.
final class GivenToken: Sendable {
    let token: Secret<String>
    let stamp: TokenStamp
    /// Whose token it is: the claim `sub`.
    let subject: String

    init(token: Secret<String>, stamp: TokenStamp, subject: String) {
        self.token = token
        self.stamp = stamp
        self.subject = subject
    }

    func reveal() -> String { token.reveal() }
}

/// Which of the sets of tokens that this process has had, and of which session: what was asked for in one is not asked
/// for once more in another.
struct TokenStamp: Sendable, Hashable {
    var family: String
    var generation: Int
    var revision: Int64
}
