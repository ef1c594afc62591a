// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Somebody takes back at the vendor's what they agreed to: the app's tokens end, and its server is told where the
/// vendor tells such things.
struct Withdrawal: Sendable {
    var person: Person
    var vendor: Vendor
    var event: VendorNotification.Event

    /// - Returns: what was sent; `nil` where the vendor tells nobody.
    func carryOut(_ call: Call) async throws -> (notification: VendorNotification, isDelivered: Bool)? {
        let client = vendor.registration.clientID
        for client in [client, vendor.registration.nativeClientID] where event != .sessionsRevoked {
            call.book.revoke(person.subject, at: vendor, from: client)
        }
        guard vendor == .apple || vendor == .google else { return nil }
        let notification = try VendorNotification.make(
            event, of: person, at: vendor, audience: client,
            id: Base64URL.encode(call.provider.ports.random.bytes(16)), now: call.now,
            key: await call.keys.key(of: vendor))
        guard let notification else { return nil }
        return (notification, try await call.provider.ports.notify(notification, call.now))
    }
}
