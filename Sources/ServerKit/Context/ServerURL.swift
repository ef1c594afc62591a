// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The URL that clients reach the server by, without a slash at its end: configured, or known once the socket is bound.
/// Everything that spells a URL asks here, and never a request's headers.
public final class ServerURL: Sendable {
    private let value: Mutex<String>

    public init(_ url: String) {
        value = Mutex(url)
    }

    public var text: String { value.withLock { $0 } }

    /// Called when a server without a configured URL has been bound.
    public func resolve(_ url: String) {
        value.withLock { $0 = url }
    }
}
