// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A way to hand letters over before they are mails or text messages: whoever it is may not be responsible for one.
public protocol LetterTransport: Sendable {
    /// Hands it over, and returns once the other side has taken it.
    ///
    /// - Parameter isText: whether it would be a text message.
    /// - Returns: `false` where it is not this one's, and goes as it would without it.
    /// - Throws: ``ProgramTransportError``. Any other error counts as a passing one.
    func deliver(
        _ letter: Letter, isText: Bool, in directory: DirectoryID, id: OutboxMessageID, at now: Instant
    ) async throws -> Bool
}
