// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Vonage's SMS API, `POST /sms/json` (https://developer.vonage.com/en/api/sms). It answers 200 to nearly everything,
/// and says in each message's `status` what became of it. It has no key by which it would recognise a repeated message;
/// `client-ref` is for the operator, who finds the outbox's identifier in reports.
struct VonageForm: TextGatewayForm {
    static let defaultURL: String? = "https://rest.nexmo.com"

    /// Of the message or its recipient (https://developer.vonage.com/en/api-errors/sms): incomplete, invalid, an
    /// unknown prefix, a barred number, too long, an unknown network, not on the list of a trial account, a number out
    /// of use.
    private static let refusals: Set<String> = ["2", "3", "6", "7", "12", "22", "29", "33"]

    let key: String
    let secret: Secret<String>
    let sender: String

    func call(for message: TextMessage) -> GatewayCall {
        var form = [
            ("api_key", key), ("api_secret", secret.reveal()), ("from", sender), ("to", message.number.digits),
            ("text", message.text), ("client-ref", String(message.id.prefix(40))),
        ]
        // Else what is not in the alphabet of GSM 03.38 would arrive as question marks.
        if !message.text.utf8.allSatisfy({ $0 < 0x80 }) { form.append(("type", "unicode")) }
        return GatewayCall(path: "/sms/json", form: form.map { (name: $0.0, value: $0.1) })
    }

    func verdict(on answer: GatewayAnswer) -> Verdict {
        guard answer.status == 200, let parts = answer.object?["messages"]?.arrayValue, !parts.isEmpty else {
            return .later(answer)
        }
        let states = parts.map { $0.objectValue?["status"]?.stringValue ?? "" }
        guard let fault = states.first(where: { $0 != "0" }) else { return .taken }
        // A long text is sent in parts. Once one is on its way, another try would send that again: the reader has what
        // arrived, and asks again if it is not enough.
        if states.contains("0") { return .refused(answer, code: "\(fault)_in_parts") }
        return Self.refusals.contains(fault) ? .refused(answer, code: fault) : .later(answer, code: fault)
    }
}
