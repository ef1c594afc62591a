// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import Logging
import ServerKit

/// `POST /v1/identity-providers/{provider}/events`: what an identity provider says of its users of its own accord.
/// Security Event Tokens by push (RFC 8935): Google's Cross-Account Protection, and whatever OpenID provider sends
/// RISC's events; and Apple's server-to-server notifications. Whoever sends one is known by its signature alone.
///
/// Said again, an event is taken again and does nothing.
enum ProviderEventsEndpoint {
    static let path = "/identity-providers"

    static func post(_ call: PublicCall) async throws -> Response {
        let body = try await RequestReading.bytes(of: call.request, upTo: EndFederatedSessions.maximumLength)
        let taken = try await call.accounts.endFederatedSessions(body, from: call.part("provider"), call: call.flow)
        call.logger.notice(
            "identity provider's events taken",
            metadata: [
                "provider": .string(taken.provider.name), "users": .stringConvertible(taken.count),
                "test": .string(taken.test ?? ""),
            ])
        // RFC 8935, section 2.2; Apple looks for 200.
        return Response(status: taken.provider.kind == .apple ? .ok : .accepted, headers: [.cacheControl: "no-store"])
    }
}
