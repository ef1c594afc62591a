// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `POST /notification`: what Apple or Google would send to the app's server by itself, sent there and shown.
enum NotificationEndpoint {
    static func post(_ call: Call) async throws -> Response {
        let vendor = try ScriptBody.vendor(call)
        let person = try ScriptBody.person(call, at: vendor)
        guard let event = VendorNotification.Event(rawValue: try ScriptBody.text(call, "event") ?? "revoked") else {
            throw ScriptBody.invalid("event")
        }
        let notice = try await Withdrawal(person: person, vendor: vendor, event: event).carryOut(call)
        guard let notice else { throw ScriptBody.invalid("event") }
        return Answer.json([
            "notification": .string(notice.notification.body), "content_type": .string(notice.notification.contentType),
            "delivered": .bool(notice.isDelivered),
        ])
    }
}
