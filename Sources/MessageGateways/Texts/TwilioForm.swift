// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Twilio's Programmable Messaging, `POST /2010-04-01/Accounts/{AccountSid}/Messages.json`
/// (https://www.twilio.com/docs/messaging/api/message-resource). It has no key by which it would recognise a repeated
/// message.
struct TwilioForm: TextGatewayForm {
    static let defaultURL: String? = "https://api.twilio.com"

    /// What is wrong with the recipient or with the text, and stays so (https://www.twilio.com/docs/api/errors). New
    /// codes appear, so that any other leaves the message to be tried again.
    private static let refusals: Set<Int64> = [
        21211,  // not a number
        21214, 21217,  // can't be reached
        21408,  // a region that the account does not send to
        21610,  // its owner wants no messages
        21612,  // can't be reached from this sender
        21614,  // not a mobile number
        21617,  // text too long
        21635,  // a landline
    ]

    let account: String
    let token: Secret<String>
    /// A number, an alphanumeric name, or a messaging service (`MG` and 32 hexadecimal digits).
    let sender: String

    func call(for message: TextMessage) -> GatewayCall {
        let isService = sender.hasPrefix("MG") && sender.utf8.count == 34
        var call = GatewayCall(
            path: "/2010-04-01/Accounts/\(PercentEncoding.encode(account.utf8))/Messages.json",
            form: [
                ("To", message.number.e164), (isService ? "MessagingServiceSid" : "From", sender),
                ("Body", message.text),
            ])
        call.authenticate(account, token)
        return call
    }

    func verdict(on answer: GatewayAnswer) -> Verdict {
        let object = answer.object
        if (200..<300).contains(answer.status) {
            guard object?["sid"]?.stringValue?.isEmpty == false else { return .later(answer, code: "unreadable") }
            // Created, and failed at once.
            if let code = object?["error_code"]?.integerValue { return judge(code, answer) }
            return .taken
        }
        guard answer.status == 400, let code = object?["code"]?.integerValue else {
            return .later(answer, code: object?["code"]?.integerValue.map { "\($0)" })
        }
        return judge(code, answer)
    }

    private func judge(_ code: Int64, _ answer: GatewayAnswer) -> Verdict {
        Self.refusals.contains(code) ? .refused(answer, code: "\(code)") : .later(answer, code: "\(code)")
    }
}
