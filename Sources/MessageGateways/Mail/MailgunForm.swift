// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail

/// Mailgun's API, `POST /v3/{domain}/messages`
/// (https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages). A repeated mail has the
/// `Message-Id` of the first, by which mail readers show it once.
struct MailgunForm: MailGatewayForm {
    static let defaultURL = "https://api.mailgun.net"

    let domain: String
    let key: Secret<String>
    let sender: MailSender

    func call(for mail: RenderedMail) -> GatewayCall {
        var form = [
            ("from", sender.text), ("to", mail.recipient.rawValue), ("subject", mail.subject), ("text", mail.text),
            ("h:Message-Id", "<\(mail.id)@\(domain)>"), ("h:Auto-Submitted", "auto-generated"),
            // Its links would lead through the service, which is nobody's who may sign in as the reader.
            ("o:tracking", "no"), ("o:tracking-clicks", "no"), ("o:tracking-opens", "no"),
        ]
        if let html = mail.html { form.append(("html", html)) }
        var call = GatewayCall(
            path: "/v3/\(PercentEncoding.encode(domain.utf8))/messages", form: form.map { (name: $0.0, value: $0.1) })
        call.authenticate("api", key)
        return call
    }

    /// Of a 400 only the text says what is wrong; that the recipient is no address is worded so in its documentation.
    func verdict(on answer: GatewayAnswer) -> Verdict {
        let object = answer.object
        if answer.status == 200 {
            guard object?["id"]?.stringValue?.isEmpty == false else { return .later(answer, code: "unreadable") }
            return .taken
        }
        let message = object?["message"]?.stringValue ?? ""
        let isOfRecipient = ["to parameter is not a valid address", "'to' parameter is not a valid address"]
            .contains { message.hasPrefix($0) }
        if answer.status == 400, isOfRecipient { return .refused(answer, code: "recipient") }
        return answer.status == 413 ? .refused(answer) : .later(answer)
    }
}
