// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// A key that signs what is sent to a program of the operator's, by Standard Webhooks (version 1): HMAC-SHA256 over
/// identifier, time and body.
public struct WebhookSecret: Sendable {
    /// The length of a key in bytes (Standard Webhooks, "Signature scheme").
    public static let length = 24...64

    private let key: Secret<[UInt8]>

    /// - Parameter text: `whsec_` and the key in base64; `v1,` may stand before it.
    /// - Throws: ``AuthErrorCode/invalidRequest``, in which nothing of the text is repeated.
    public init(_ text: String) throws(AuthError) {
        var rest = text[...]
        if rest.hasPrefix("v1,") { rest = rest.dropFirst(3) }
        guard rest.hasPrefix("whsec_"), let key = Base64.decode(String(rest.dropFirst(6))),
            Self.length.contains(key.count)
        else {
            throw AuthError(
                .invalidRequest,
                reason: "expected whsec_ and \(Self.length.lowerBound) to \(Self.length.upperBound) bytes in base64"
            )
        }
        self.key = Secret(key)
    }

    /// A new one, as text.
    public static func generate(random: any RandomSource) -> String { "whsec_" + Base64.encode(random.bytes(32)) }

    /// The signature of one message, with its version.
    func signature(id: String, at now: Instant, _ body: [UInt8]) -> String {
        let signed = Array("\(id).\(now.seconds).".utf8) + body
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: key.reveal()))
        return "v1," + Base64.encode(Array(code))
    }
}

extension Sequence<WebhookSecret> {
    /// The header fields of one message. Each key signs, so that one may be replaced by another without a moment in
    /// which neither is good.
    public func fields(id: String, at now: Instant, _ body: [UInt8]) -> [(name: String, value: String)] {
        [
            ("webhook-id", id), ("webhook-timestamp", "\(now.seconds)"),
            ("webhook-signature", map { $0.signature(id: id, at: now, body) }.joined(separator: " ")),
        ]
    }
}
