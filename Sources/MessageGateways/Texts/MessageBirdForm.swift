// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// MessageBird's SMS API, `POST /messages` (https://developers.messagebird.com/api/sms-messaging). `reference` is for
/// the operator; it has no key by which it would recognise a repeated message.
struct MessageBirdForm: TextGatewayForm {
    static let defaultURL: String? = "https://rest.messagebird.com"

    let key: Secret<String>
    let sender: String

    func call(for message: TextMessage) -> GatewayCall {
        var call = GatewayCall(
            path: "/messages",
            object: [
                "originator": .string(sender), "recipients": [.string(message.number.digits)],
                "body": .string(message.text), "datacoding": "auto", "reference": .string(message.id),
            ])
        call.fields.append(("Authorization", "AccessKey \(key.reveal())"))
        return call
    }

    func verdict(on answer: GatewayAnswer) -> Verdict {
        let object = answer.object
        if (200..<300).contains(answer.status) {
            guard object?["id"]?.stringValue?.isEmpty == false else { return .later(answer, code: "unreadable") }
            return .taken
        }
        guard answer.status == 400 || answer.status == 422,
            let fault = object?["errors"]?.arrayValue?.first?.objectValue, let code = fault["code"]?.integerValue
        else { return .later(answer) }
        // 9 and 10 are a parameter that is missing or invalid, and 20 one that names nobody. Any other is the
        // operator's.
        let parameter = fault["parameter"]?.stringValue ?? ""
        let isOfMessage = parameter.hasPrefix("recipient") || parameter == "body"
        return [9, 10, 20].contains(code) && isOfMessage
            ? .refused(answer, code: "\(code)_\(parameter)") : .later(answer, code: "\(code)")
    }
}
