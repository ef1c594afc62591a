// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Hummingbird
import Logging
import NIOCore

/// What every handler knows of its request beyond the request itself. ``RequestSetup`` fills it in before any handler
/// runs.
public struct LatchkeyRequestContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    let channel: any Channel
    /// The other end of the connection, which may be a proxy.
    var peer: SocketAddress? { channel.remoteAddress }
    /// When the request arrived. One request sees one time.
    public var now = Instant(microseconds: 0)
    /// Unique, for the log and for errors that an operator must look up.
    public var requestID = ""
    public var client = ClientAddress.unknown
    /// What limits count the caller by; `nil` for one who can't be told from others: see ``ClientCounting``.
    public var origin: String?

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// The route's template, such as `/admin/users/{user_id}`: there are only so many. `nil` where nothing matched.
    public var routeTemplate: String? {
        // The framework's name for no route at all is the one that doesn't begin with a slash.
        coreContext.endpointPath.value.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
