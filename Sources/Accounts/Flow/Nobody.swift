// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Stands in each Directory for whoever is not there. What a call would do for somebody it does for nobody: the same
/// statements, which write as many rows, so that the time until the answer does not say who has an account.
///
/// Its row is that of a user who was deleted and is never purged: no name leads to it, no list and no count knows it,
/// and a proof of it is refused. It has one token of each purpose and one message, each of which the next one replaces.
enum Nobody {
    /// Stand in for the address and the number that somebody named: what is kept of nobody is nobody's.
    static var email: EmailAddress { get throws(AuthError) { try EmailAddress("nobody@nobody.invalid") } }
    static var phone: PhoneNumber { get throws(AuthError) { try PhoneNumber("+10000000000") } }

    /// A text of the same length that says nothing.
    static func blank(_ text: String) -> String { String(repeating: " ", count: text.utf8.count) }

    /// The user that stands for nobody. Made when it is first needed.
    static func user(_ step: FlowStep) throws -> User {
        let id = id(step.call)
        if let user = try step.tx.user(id, in: step.directory) { return user }
        let user = blank(id, ExternalIdentifiers(), step.call)
        try step.tx.insert(user)
        return user
    }

    private static func id(_ call: CallContext) -> UserID { call.directory.derivedIdentifier("nobody", of: "user") }

    /// A new user of nobody's, not yet written: stands for an account that is opened.
    ///
    /// - Parameter identifiers: what the account would be called elsewhere.
    static func newcomer(_ call: CallContext, called identifiers: ExternalIdentifiers = ExternalIdentifiers()) -> User {
        blank(call.directory.derivedIdentifier("nobody", of: "newcomer"), identifiers, call)
    }

    /// The message as nobody's: of the same size, read by nobody and sent to nobody.
    static func message(_ message: OutboxMessage, _ call: CallContext) -> OutboxMessage {
        var blanked = message
        blanked.id = call.directory.derivedIdentifier("nobody", of: message.channel.rawValue)
        blanked.state = .discarded
        switch message.content {
        case .mail(let letter): blanked.content = .mail(blank(letter, call))
        case .sms(let letter): blanked.content = .sms(blank(letter, call))
        case .webhook, .userSync, .upstreamRevocation, .clientLogout: break
        }
        return blanked
    }

    private static func blank(_ letter: Letter, _ call: CallContext) -> Letter {
        Letter(
            kind: letter.kind, recipient: blank(letter.recipient), subject: blank(letter.subject),
            text: blank(letter.text), html: letter.html.map(blank), code: letter.code.map(blank),
            link: letter.link.map(blank), tokenHash: letter.tokenHash.map(blank),
            user: letter.user.map { _ in id(call) })
    }

    private static func blank(_ id: UserID, _ identifiers: ExternalIdentifiers, _ call: CallContext) -> User {
        var user = User(
            id: id, directoryID: call.directory.id, externalIdentifiers: identifiers, createdAt: call.now)
        user.deletedAt = User.forever
        return user
    }
}
