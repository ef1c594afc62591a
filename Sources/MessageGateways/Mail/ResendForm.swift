// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail

/// Resend's API, `POST /emails` (https://resend.com/docs/api-reference/emails/send-email), which others speak too. The
/// message's identifier is its idempotency key: a mail that it has taken within a day is not sent again.
struct ResendForm: MailGatewayForm {
    static let defaultURL = "https://api.resend.com"

    /// https://resend.com/docs/api-reference/errors. What is wrong with the sender is the operator's to mend.
    private static let refusals: Set<String> = [
        "validation_error", "missing_required_field", "invalid_parameter", "invalid_attachment",
    ]

    let key: Secret<String>
    let sender: MailSender

    func call(for mail: RenderedMail) -> GatewayCall {
        var object: JSONObject = [
            "from": .string(sender.text), "to": [.string(mail.recipient.rawValue)],
            "subject": .string(mail.subject), "text": .string(mail.text),
            "headers": ["Auto-Submitted": "auto-generated"],
        ]
        if let html = mail.html { object["html"] = .string(html) }
        var call = GatewayCall(path: "/emails", object: object)
        call.fields += [("Authorization", "Bearer \(key.reveal())"), ("Idempotency-Key", mail.id)]
        return call
    }

    func verdict(on answer: GatewayAnswer) -> Verdict {
        let object = answer.object
        if (200..<300).contains(answer.status) {
            guard object?["id"]?.stringValue?.isEmpty == false else { return .later(answer, code: "unreadable") }
            return .taken
        }
        let name = object?["name"]?.stringValue
        let isOfMail = answer.status == 400 || answer.status == 422
        return isOfMail && Self.refusals.contains(name ?? "")
            ? .refused(answer, code: name) : .later(answer, code: name)
    }
}
