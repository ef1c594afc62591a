// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How many messages of one kind a recipient is sent, until one of them is answered (``SentMessage/Kind``).
///
/// What goes out on the word of an address is counted by the recipient alone: whoever has that many holds the last of
/// them, which does what another would. What an account wishes for is not (``SentMessage/isWishOfAccount``): the
/// messages of others' accounts are of no use to whoever has the address, and would keep them from their own. It is
/// counted by account and recipient, and by client and recipient, so that one client's many accounts fill no mailbox.
/// What makes an account is counted by the client alone. Nothing counts all accounts of all clients at one recipient:
/// whatever its size, strangers could use it up.
struct RecipientLimit: Sendable {
    /// One or two; the account's, or the recipient's, first.
    let ledgers: [LedgerLimit]
    private let call: CallContext

    init(_ message: SentMessage, _ call: CallContext) {
        let (kind, address) = (message.kind, message.recipient.address)
        func ledger(_ name: String, _ asker: String? = nil) -> LedgerLimit {
            LedgerLimit(
                name, call.settings.limits.messagesPerRecipient,
                [kind.name, asker, address].compactMap(\.self).joined(separator: " "), call)
        }
        ledgers =
            message.isWishOfAccount
            ? [
                message.account.map { ledger("message recipient of account", $0.rawValue) },
                ledger("message recipient of client", call.origin ?? ""),
            ].compactMap(\.self) : [ledger("message recipient")]
        self.call = call
    }

    /// `nil` where there is room. By one statement.
    func exhaustion(in tx: any AttemptReading) throws -> Exhaustion? {
        guard let first = ledgers.first, let last = ledgers.last else { return nil }
        guard ledgers.count > 1 else { return try first.exhaustion(in: tx) }
        let ends = try tx.attemptsEnds(first.key, last.key, in: call.directory.id)
        let (account, client) = (first.exhaustion(of: ends[first.key]), last.exhaustion(of: ends[last.key]))
        // Where clients can't be told apart, all of them are one: an account that has had nothing is not kept out.
        let hasNone = (ends[first.key] ?? call.now) <= call.now
        if call.origin == nil, hasNone { return account }
        return [account, client].compactMap(\.self).max { $0.wait < $1.wait }
    }

    /// Counts a message, where there is room; where there is none, it is sent for another reason.
    func take(in tx: any AttemptWriting) throws { for ledger in ledgers { _ = try ledger.take(in: tx) } }
    func giveBack(in tx: any AttemptWriting) throws { for ledger in ledgers { try ledger.giveBack(in: tx) } }
    func forget(in tx: any AttemptWriting) throws { for ledger in ledgers { try ledger.forget(in: tx) } }
}
