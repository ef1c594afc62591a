// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail

/// Sends text messages by the API of a gateway.
public struct TextGateway: TextMessageTransport {
    /// Whose API it speaks.
    public enum Kind: String, Sendable, CaseIterable {
        case twilio
        case vonage
        case messagebird
        /// The operator's own, told by a signed request.
        case webhook
    }

    private let form: any TextGatewayForm
    private let client: GatewayClient

    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field names what is missing or can't be used: `account`,
    ///   `secret`, `sender` or `url`. Nothing of a secret is in it.
    public init(_ settings: GatewaySettings, kind: Kind) throws(AuthError) {
        let secret = try settings.required(\.secret, "secret")
        let (form, address): (any TextGatewayForm, String?) =
            switch kind {
            case .twilio:
                (
                    TwilioForm(
                        account: try settings.required(\.account, "account"), token: secret,
                        sender: try settings.required(\.sender, "sender")), TwilioForm.defaultURL
                )
            case .vonage:
                (
                    VonageForm(
                        key: try settings.required(\.account, "account"), secret: secret,
                        sender: try settings.required(\.sender, "sender")), VonageForm.defaultURL
                )
            case .messagebird:
                (
                    MessageBirdForm(key: secret, sender: try settings.required(\.sender, "sender")),
                    MessageBirdForm.defaultURL
                )
            case .webhook:
                (
                    try settings.naming("secret") { () throws(AuthError) in try WebhookForm(secret: secret) },
                    WebhookForm.defaultURL
                )
            }
        self.form = form
        client = try settings.client(unlessNamed: address)
    }

    public func send(_ text: String, to number: PhoneNumber, id: String, at now: Instant) async throws {
        let answer: GatewayAnswer
        do {
            answer = try await client.send(
                form.call(for: TextMessage(text: text, number: number, id: id, time: now)))
        } catch {
            throw TextMessageError.unavailable(error.description)
        }
        switch form.verdict(on: answer) {
        case .taken: return
        case .refused(let reason): throw TextMessageError.refused(reason)
        case .later(let reason, let wait): throw TextMessageError.unavailable(reason, wait: wait)
        }
    }
}
