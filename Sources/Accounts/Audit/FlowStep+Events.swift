// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension FlowStep {
    /// Owes what the log now has of a user to whoever is told of such: in this very transaction, so that nothing is
    /// told that did not happen, and nothing that did is left out.
    func announce(_ event: AuditEvent, identifiers: ExternalIdentifiers?) throws {
        guard !ports.hooks.subscriptions.isEmpty, let user = event.userID, let kind = AccountEvent(event.action) else {
            return
        }
        let subscriptions = ports.hooks.subscriptions(to: kind, in: call.directory)
        guard !subscriptions.isEmpty else { return }
        let identifiers = try identifiers ?? tx.externalIdentifiers(of: [user], in: directory)[user]
        let body = body(of: kind, event, about: user, identifiers)
        for subscription in subscriptions {
            try tx.enqueue(
                OutboxMessage(
                    id: identifier(), directoryID: directory,
                    content: .webhook(
                        WebhookEvent(endpoint: subscription.key, name: kind.rawValue, body: body, user: user)),
                    dueAt: now, createdAt: now))
        }
    }

    /// Identifiers and names of kinds; no address, no name of a person, nothing that they have written.
    private func body(
        of kind: AccountEvent, _ event: AuditEvent, about user: UserID, _ identifiers: ExternalIdentifiers?
    ) -> JSONObject {
        var data: JSONObject = [
            "directory": .string(call.directory.name), "user_id": .string(user.rawValue),
            "actor": .string(event.actor.kind),
        ]
        // By which an app's backend may know them.
        if let identifiers, !identifiers.isEmpty {
            data["identifiers"] = .object(identifiers.json)
        }
        for member in event.details.members where AccountEvent.details.contains(member.name) {
            data[member.name] = member.value
        }
        return [
            "type": .string(kind.rawValue), "timestamp": .string(event.at.rfc3339), "data": .object(data),
        ]
    }
}

extension AuditEvent.Actor {
    fileprivate var kind: String {
        switch self {
        case .user: "user"
        case .administrator, .commandLine: "administrator"
        case .unknown: "unknown"
        }
    }
}
