// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Mail

/// The outbox itself as the transport of a development server: whoever is addressed reads the message there. To be
/// used with a ``DeliveryPolicy`` that keeps bodies.
public struct DevelopmentOutbox: MailTransport, TextMessageTransport {
    public init() {}
    public func send(_: RenderedMail, at _: Instant) async throws(MailDeliveryError) {}
    public func send(_: String, to _: PhoneNumber, id _: OutboxMessageID) async throws {}
}
