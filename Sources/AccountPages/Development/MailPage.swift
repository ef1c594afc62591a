// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// `/dev/mail`: the outbox as a list, each message rendered on a page of its own.
enum MailPage {
    static let listTemplate = """
        <h1>Mail</h1>
        <p class="lead">What the server would have sent, newest first. The same as
        <a href="/dev/mail.json">JSON</a>.</p>
        <section>
        {{^messages}}<p class="empty">Nothing yet. Sign up, and the confirmation appears here.</p>{{/messages}}
        {{#hasMessages}}<table><thead><tr><th>To</th><th>Subject</th><th>Code</th><th>Sent</th></tr></thead><tbody>
        {{#messages}}<tr><td>{{recipient}}</td><td><a href="/dev/mail/{{id}}">{{subject}}</a></td>
        <td class="whole"><code>{{code}}</code></td><td class="whole">{{createdAt}}</td></tr>{{/messages}}
        </tbody></table>{{/hasMessages}}
        </section>
        """

    /// The HTML of the mail is shown in a frame that may run nothing and reach nothing.
    static let messageTemplate = """
        <h1>{{subject}}</h1>
        <p class="lead">To {{recipient}}, {{createdAt}}</p>
        <section><dl>
        {{#code}}<dt>Code</dt><dd><code>{{.}}</code></dd>{{/code}}
        {{#link}}<dt>Link</dt><dd><a href="{{.}}">{{.}}</a></dd>{{/link}}
        <dt>Kind</dt><dd><code>{{kind}}</code></dd>
        </dl></section>
        {{#html}}<section><h2>HTML</h2><iframe sandbox title="The message as HTML" srcdoc="{{.}}"></iframe></section>{{/html}}
        <section><h2>Text</h2><pre>{{text}}</pre></section>
        """

    struct Message {
        let id: String
        let recipient: String
        let kind: String
        let subject: String
        let text: String
        let html: String?
        let code: String?
        let link: String?
        let createdAt: String

        init(_ message: OutboxMessage) {
            id = message.id.rawValue
            recipient = message.recipient
            kind = message.kind
            subject = message.subject.isEmpty ? message.kind : message.subject
            text = message.text
            html = message.html
            code = message.code
            link = message.link
            createdAt = Instant(seconds: message.createdAt.seconds).rfc3339
        }
    }

    /// Stored, not computed: the templates see what a mirror sees.
    struct ListModel {
        let messages: [Message]
        let hasMessages: Bool

        init(messages: [Message]) {
            self.messages = messages
            hasMessages = !messages.isEmpty
        }
    }

    static func json(_ messages: [OutboxMessage]) -> JSONValue {
        .array(
            messages.map { message in
                [
                    "id": .string(message.id.rawValue), "to": .string(message.recipient),
                    "kind": .string(message.kind), "subject": .string(message.subject),
                    "text": .string(message.text), "html": message.html.map { .string($0) } ?? .null,
                    "code": message.code.map { .string($0) } ?? .null,
                    "link": message.link.map { .string($0) } ?? .null,
                    "tokenHash": message.tokenHash.map { .string($0) } ?? .null,
                    "createdAt": .string(message.createdAt.rfc3339),
                ]
            })
    }
}
