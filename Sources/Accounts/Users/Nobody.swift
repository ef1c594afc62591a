// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Stands in each Directory for whoever is not there. What a call would do for somebody it does for nobody: the same
/// statements, which write as many rows, so that the time until the answer does not say who has an account.
///
/// Its row is that of a user who was deleted and is never purged: no name leads to it, no list and no count knows it,
/// and a proof of it is refused. It has one token of each purpose and one message, each of which the next one replaces.
enum Nobody {
    /// The user that stands for nobody. Made when it is first needed.
    static func user(_ step: FlowStep) throws -> User {
        let id: UserID = step.call.directory.derivedIdentifier("nobody", of: "user")
        if let user = try step.tx.user(id, in: step.directory) { return user }
        let user = blank(id, step.call)
        try step.tx.insert(user)
        return user
    }

    /// A new user of nobody's, not yet written: stands for an account that is opened.
    static func newcomer(_ call: CallContext) -> User {
        blank(call.directory.derivedIdentifier("nobody", of: "newcomer"), call)
    }

    /// The message as nobody's: of the same size, read by nobody and sent to nobody.
    static func message(_ message: OutboxMessage, _ call: CallContext) -> OutboxMessage {
        func blank(_ text: String) -> String { String(repeating: " ", count: text.utf8.count) }
        return OutboxMessage(
            id: call.directory.derivedIdentifier("nobody", of: message.channel.rawValue),
            directoryID: message.directoryID, channel: message.channel, kind: message.kind,
            recipient: blank(message.recipient), subject: blank(message.subject), text: blank(message.text),
            html: message.html.map(blank), code: message.code.map(blank), link: message.link.map(blank),
            tokenHash: message.tokenHash.map(blank), state: .discarded, dueAt: message.dueAt,
            createdAt: message.createdAt)
    }

    private static func blank(_ id: UserID, _ call: CallContext) -> User {
        var user = User(id: id, directoryID: call.directory.id, createdAt: call.now)
        user.deletedAt = User.forever
        return user
    }
}
