// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Tells programs of the operator's what has happened: the outbox's transport for ``AccountModel/WebhookEvent``.
///
/// Signed by Standard Webhooks. The identifier is the message's, the same in each try, by which a receiver knows what
/// it has had before.
public struct EventDelivery: ProgramTransport {
    private let hooks: Hooks

    public init(_ hooks: Hooks) {
        self.hooks = hooks
    }

    /// - Throws: ``ProgramTransportError``: refused where nobody is called so any more, and by who says that it is gone
    ///   for good (410); unavailable for every other answer than 2xx, and for none.
    public func deliver(_ event: WebhookEvent, id: OutboxMessageID, at now: Instant) async throws {
        guard let subscription = hooks.subscriptions.first(where: { $0.key == event.endpoint }) else {
            throw ProgramTransportError.refused("no subscription is called so any more")
        }
        let body = event.body.serialized()
        let reply: HookReply
        do throws(HookCallFailure) {
            reply = try await subscription.caller.post(
                body, fields: subscription.secrets.fields(id: id.rawValue, at: now, body))
        } catch {
            throw ProgramTransportError.unavailable(error.rawValue)
        }
        switch reply.status {
        case 200..<300: return
        case 410: throw ProgramTransportError.refused("status 410")
        default: throw ProgramTransportError.unavailable("status \(reply.status)")
        }
    }
}

extension EventSubscription {
    /// By which what is owed to it is stored: two Directories may each have one of a name.
    var key: String { "\(directory)/\(name)" }
}
