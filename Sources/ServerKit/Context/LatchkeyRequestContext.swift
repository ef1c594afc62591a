// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Hummingbird
import Logging
import NIOCore

/// What every handler knows of its request beyond the request itself. ``RequestSetup`` fills it in before any handler
/// runs.
public struct LatchkeyRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    /// One object: every step of a request copies its context.
    var arrival: Arrival
    var channel: any Channel { arrival.channel }
    /// The other end of the connection, which may be a proxy.
    var peer: SocketAddress? { channel.remoteAddress }
    /// When the request arrived. One request sees one time.
    public var now: Instant { arrival.now }
    /// Unique, for the log and for errors that an operator must look up.
    public var requestID: String { arrival.requestID }
    public var client: ClientAddress { arrival.client }
    /// What limits count the caller by; `nil` for one who can't be told from others: see ``ClientCounting``.
    public var origin: String? { arrival.origin }

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        arrival = Arrival(
            on: source.channel, at: Instant(microseconds: 0), requestID: "", client: .unknown, origin: nil)
    }

    /// What a request is given when it arrives, and keeps.
    final class Arrival: Sendable {
        let channel: any Channel
        let now: Instant
        let requestID: String
        let client: ClientAddress
        let origin: String?

        init(
            on channel: any Channel, at now: Instant, requestID: String, client: ClientAddress, origin: String?
        ) {
            self.channel = channel
            self.now = now
            self.requestID = requestID
            self.client = client
            self.origin = origin
        }
    }

    /// The route's template, such as `/admin/users/{user_id}`: there are only so many. `nil` where nothing matched.
    public var routeTemplate: String? {
        // The framework's name for no route at all is the one that doesn't begin with a slash.
        coreContext.endpointPath.value.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
