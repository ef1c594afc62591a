// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A way to hand letters over before they are mails or text messages, or to have them in other words: whoever it is may
/// not be responsible for one.
public protocol LetterTransport: Sendable {
    /// Hands it over, and returns once the other side has taken it.
    ///
    /// - Parameters:
    ///   - isText: whether it would be a text message.
    ///   - isCarried: whether anybody would carry it without this one.
    /// - Returns: the letter as it goes on, where it is not this one's to hand over; `nil` once it was.
    /// - Throws: ``ProgramTransportError``. Any other error counts as a passing one.
    func deliver(
        _ letter: Letter, isText: Bool, isCarried: Bool, in directory: DirectoryID, id: OutboxMessageID,
        at now: Instant
    ) async throws -> Letter?
}
