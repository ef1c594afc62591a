// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// The transport that apps have, with a record of what was sent. It can lose an answer.
public final class RecordingTransport: HTTPTransport {
    private struct Inside {
        var requests: [HTTPRequest] = []
        var losesRefresh = false
        var patience: TimeSpan?
        var refreshing = 0
        var mostRefreshing = 0
    }

    private let transport = SystemTransport()
    private let inside = Guarded(Inside())

    public init() {}

    public var requests: [HTTPRequest] { inside.value.requests }
    /// The requests for new tokens, whatever the service calls them.
    public var refreshes: Int { requests.count(where: \.isRefresh) }
    /// How many of them were under way at once, at most.
    public var mostRefreshesAtOnce: Int { inside.value.mostRefreshing }

    /// How long a refresh, and what is asked with a token, may take from now on. `nil`: as long as the request says.
    public func wait(atMost patience: TimeSpan?) { inside.withLock { $0.patience = patience } }

    /// The answer to the next refresh gets lost after the service has given it.
    public func loseNextRefresh() { inside.withLock { $0.losesRefresh = true } }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let isRefresh = request.isRefresh
        let (isLost, patience) = inside.withLock { inside in
            inside.requests.append(request)
            guard isRefresh else { return (false, inside.patience) }
            inside.refreshing += 1
            inside.mostRefreshing = max(inside.mostRefreshing, inside.refreshing)
            defer { inside.losesRefresh = false }
            return (inside.losesRefresh, inside.patience)
        }
        defer { if isRefresh { inside.withLock { $0.refreshing -= 1 } } }
        var request = request
        if let patience, isRefresh || request.headers.contains(where: { $0.name == "Authorization" }) {
            request.timeout = min(request.timeout, patience)
        }
        let answer = try await transport.send(request)
        if isLost { throw .interrupted }
        return answer
    }
}

extension HTTPRequest {
    var isRefresh: Bool {
        let fields = headers.map { "\($0.name): \($0.value)" }.joined(separator: "\r\n")
        return Self.isRefresh("\(method) \(url)\r\n\(fields)\r\n\r\n" + String(decoding: body, as: UTF8.self))
    }

    /// Whether a request, as it is sent, asks for new tokens, whatever the service calls that.
    static func isRefresh(_ text: String) -> Bool {
        if text.contains("GetTokensFromRefreshToken") || text.contains("REFRESH_TOKEN_AUTH") { return true }
        return text.prefix { $0 != "\r\n" }.contains("/token") && text.contains("refresh_token")
    }
}
