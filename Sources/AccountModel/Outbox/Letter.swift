// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a person is told by mail or by a text message.
public struct Letter: Sendable, Hashable {
    /// The kind of mail, such as `recovery`; a text message has the purpose of its code.
    public var kind: String
    /// An email address or an E.164 number.
    public var recipient: String
    /// Empty for a text message.
    public var subject: String
    public var text: String
    public var html: String?
    /// What it asks its reader to type or to open. Erased with the texts once it is sent, unless the outbox is the
    /// transport.
    public var code: String?
    public var link: String?
    public var tokenHash: String?
    /// Whose account it is about: an address may be shared, be nobody's name, or be none that the account has any more.
    public var user: UserID?

    public init(
        kind: String, recipient: String, subject: String = "", text: String, html: String? = nil, code: String? = nil,
        link: String? = nil, tokenHash: String? = nil, user: UserID? = nil
    ) {
        self.kind = kind
        self.recipient = recipient
        self.subject = subject
        self.text = text
        self.html = html
        self.code = code
        self.link = link
        self.tokenHash = tokenHash
        self.user = user
    }
}
