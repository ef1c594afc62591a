// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A mail ready to be sent.
public struct RenderedMail: Sendable {
    /// Unique among all mails; the left part of the `Message-ID`.
    public var id: String
    public var recipient: EmailAddress
    public var subject: String
    public var text: String
    public var html: String?

    public init(id: String, recipient: EmailAddress, subject: String, text: String, html: String?) {
        self.id = id
        self.recipient = recipient
        self.subject = subject
        self.text = text
        self.html = html
    }
}
