// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import DevelopmentIdentityProvider
import NIOCore
import NIOHTTP1
import ServerKit

/// Sends what a played vendor tells an app's server to where the real one would: this very server's endpoint for it,
/// over HTTP, for the default Directory.
struct NotificationPost: Sendable {
    private static let timeout = TimeAmount.seconds(10)

    private let url: ServerURL

    init(to url: ServerURL) {
        self.url = url
    }

    /// - Returns: whether it was accepted.
    func send(_ notification: VendorNotification) async -> Bool {
        var request = HTTPClientRequest(
            url: "\(url.text)/v1/identity-providers/\(notification.vendor.rawValue)/events")
        request.method = .POST
        request.headers.add(name: "Content-Type", value: notification.contentType)
        request.body = .bytes(ByteBuffer(string: notification.body))
        do {
            let status = try await HTTPClient.withHTTPClient { [request] in
                try await $0.execute(request, timeout: Self.timeout).status.code
            }
            return (200..<300).contains(status)
        } catch {
            return false
        }
    }
}
