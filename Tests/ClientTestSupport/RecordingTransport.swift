// SPDX-License-Identifier: Apache-2.0

import ClientSession

/// The transport that apps have, with a record of what was sent. It can lose an answer.
public final class RecordingTransport: HTTPTransport {
    private struct Inside {
        var requests: [HTTPRequest] = []
        var losesRefresh = false
    }

    private let transport = URLSessionTransport()
    private let inside = Guarded(Inside())

    public init() {}

    public var requests: [HTTPRequest] { inside.value.requests }
    /// The requests for new tokens, whatever the service calls them.
    public var refreshes: Int { requests.count(where: Self.isRefresh) }

    /// The answer to the next refresh gets lost after the service has given it.
    public func loseNextRefresh() { inside.withLock { $0.losesRefresh = true } }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let isLost = inside.withLock { inside in
            inside.requests.append(request)
            guard inside.losesRefresh, Self.isRefresh(request) else { return false }
            inside.losesRefresh = false
            return true
        }
        let answer = try await transport.send(request)
        if isLost { throw .interrupted }
        return answer
    }

    private static func isRefresh(_ request: HTTPRequest) -> Bool {
        if request.url.contains("grant_type=refresh_token") { return true }
        if request.headers.contains(where: { $0.value.hasSuffix(".GetTokensFromRefreshToken") }) { return true }
        let body = String(decoding: request.body, as: UTF8.self)
        return body.contains("REFRESH_TOKEN_AUTH") || request.url.contains("/token") && body.contains("refresh_token")
    }
}
