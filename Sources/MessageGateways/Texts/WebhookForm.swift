// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// The operator's own gateway: a JSON object, signed as Standard Webhooks have it
/// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). The identifier stays
/// the same over retries, so that the other side can tell a repeated message.
struct WebhookForm: TextGatewayForm {
    static let defaultURL: String? = nil

    private let key: SymmetricKey

    /// - Parameter secret: `whsec_` and at least 24 bytes in Base64.
    /// - Throws: ``AuthErrorCode/invalidRequest`` for any other.
    init(secret: Secret<String>) throws(AuthError) {
        let text = secret.reveal()
        guard text.hasPrefix("whsec_"), let bytes = Base64.decode(String(text.dropFirst(6))),
            (24...64).contains(bytes.count)
        else {
            throw AuthError(.invalidRequest, reason: "expected whsec_ and 24 to 64 octets in Base64")
        }
        key = SymmetricKey(data: bytes)
    }

    func call(for message: TextMessage) -> GatewayCall {
        var call = GatewayCall(
            path: "",
            object: [
                "type": "text_message", "timestamp": .string(message.time.rfc3339),
                "data": [
                    "id": .string(message.id), "to": .string(message.number.e164), "text": .string(message.text),
                ],
            ])
        let time = String(message.time.seconds)
        let signed = Array("\(message.id).\(time).".utf8) + call.body
        let signature = Base64.encode(Array(HMAC<SHA256>.authenticationCode(for: signed, using: key)))
        call.fields += [
            ("webhook-id", message.id), ("webhook-timestamp", time), ("webhook-signature", "v1," + signature),
        ]
        return call
    }

    /// 2xx has taken it, 400 and 422 never will; all else is tried again.
    func verdict(on answer: GatewayAnswer) -> Verdict {
        switch answer.status {
        case 200..<300: .taken
        case 400, 422: .refused(answer)
        default: .later(answer)
        }
    }
}
