// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail

/// Sends mail by the API of a mail service.
public struct MailGateway: MailTransport {
    /// Whose API it speaks.
    public enum Kind: String, Sendable, CaseIterable {
        case resend
        case mailgun
    }

    private let form: any MailGatewayForm
    private let client: GatewayClient

    /// - Parameters:
    ///   - settings: `account` is the sending domain, where the API has it in its path; `sender` the address.
    ///   - senderName: beside the address.
    /// - Throws: ``AuthErrorCode/invalidRequest`` whose field names what is missing or can't be used: `account`,
    ///   `secret`, `sender` or `url`. Nothing of a secret is in it.
    public init(_ settings: GatewaySettings, kind: Kind, senderName: String?) throws(AuthError) {
        let key = try settings.required(\.secret, "secret")
        let text = try settings.required(\.sender, "sender")
        let sender = MailSender(
            address: try settings.naming("sender") { () throws(AuthError) in try EmailAddress(text) }, name: senderName)
        switch kind {
        case .resend:
            form = ResendForm(key: key, sender: sender)
            client = try settings.client(unlessNamed: ResendForm.defaultURL)
        case .mailgun:
            form = MailgunForm(domain: try settings.required(\.account, "account"), key: key, sender: sender)
            client = try settings.client(unlessNamed: MailgunForm.defaultURL)
        }
    }

    public func send(_ mail: RenderedMail, at _: Instant) async throws(MailDeliveryError) {
        let answer: GatewayAnswer
        do {
            answer = try await client.send(form.call(for: mail))
        } catch {
            throw MailDeliveryError(.temporary, reason: error.description)
        }
        switch form.verdict(on: answer) {
        case .taken: return
        case .refused(let reason): throw MailDeliveryError(.permanent, reason: reason)
        case .later(let reason, let wait): throw MailDeliveryError(.temporary, reason: reason, wait: wait)
        }
    }
}
