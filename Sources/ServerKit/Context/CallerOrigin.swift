// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Logging

/// Finds out whose a request is, and what limits count it by.
public struct CallerOrigin: Sendable {
    private let proxies: TrustedProxies
    private let counting: ClientCounting

    public init(proxies: TrustedProxies, counting: ClientCounting = .byAddress()) {
        self.proxies = proxies
        self.counting = counting
    }

    /// - Parameter peer: the other end of the connection.
    /// - Returns: the client's address as far as trusted proxies and the connection say, and what it is counted by:
    ///   `nil` for one who can't be told from others.
    func of(_ headers: HTTPFields, peer: ClientAddress, logger: Logger) -> (client: ClientAddress, origin: String?) {
        let client =
            proxies.hops == 0 ? peer : proxies.client(peer: peer, forwardedFor: headers[values: .forwardedFor])
        return (client, counting.origin(of: headers, client: client, hops: proxies.hops, logger: logger))
    }
}
