// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An authorization code in the hands of whoever redeems it: one that the server keeps, or one that its bearer does
/// (``SealedCode``). What became of it is known of both.
struct PresentedCode: Sendable {
    /// A stored one is 43 characters long.
    private static let maximumStoredLength = 64

    var code: AuthorizationCode
    private let sealed: SealedCode?

    /// `nil` for a text that stands for nothing in the call's Directory.
    init?(_ text: String, _ call: CallContext, _ tx: any StoreReading) throws {
        guard text.utf8.count > Self.maximumStoredLength else {
            let hash = OneTimeToken.hash(link: text)
            guard let stored = try tx.authorizationCode(hash: hash, in: call.directory.id) else { return nil }
            (code, sealed) = (stored, nil)
            return
        }
        guard let opened = SealedCode(text, in: call.directory) else { return nil }
        (code, sealed) = (opened.content, opened)
        if let session = try tx.session(opened.session, in: code.directoryID) {
            (code.usedAt, code.sessionID) = (session.createdAt, session.id)
        } else if try tx.isSpent(opened.nonce, in: code.directoryID) {
            code.usedAt = code.createdAt
        }
    }

    /// Whether it is as good as it was, of one whose session is known.
    func isUnused(in tx: any StoreReading) throws -> Bool {
        guard let sealed else { return false }
        return try tx.session(sealed.session, in: code.directoryID) == nil
            && !tx.isSpent(sealed.nonce, in: code.directoryID)
    }

    /// The name of the session that the code becomes, where it has been chosen already.
    var session: SessionID? { sealed?.session }

    /// Whether all codes of the user's have ended since it was given.
    func isEnded(for user: User) -> Bool { sealed.map { $0.endedCodes != user.endedCodes } ?? false }

    /// Marks it as used up.
    ///
    /// - Parameter session: what it has become, which is stored; `nil` where it became none.
    /// - Returns: whether it was good until now.
    func use(becoming session: SessionID?, _ step: FlowStep) throws -> Bool {
        guard let sealed else { return try step.tx.use(code.id, session: session, at: step.now) }
        if session == sealed.session { return true }
        return try step.tx.spend(sealed.nonce, in: step.directory, until: sealed.content.expiresAt)
    }
}
