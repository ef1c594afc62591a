// SPDX-License-Identifier: Apache-2.0

import ClientSession

/// Answers requests by a closure, and remembers them.
public actor ScriptedTransport: HTTPTransport {
    private let answer: @Sendable (HTTPRequest, Int) async throws(TransportError) -> HTTPResponse
    public private(set) var requests: [HTTPRequest] = []

    /// - Parameter answer: gets each request and how many came before it.
    public init(_ answer: @escaping @Sendable (HTTPRequest, Int) async throws(TransportError) -> HTTPResponse) {
        self.answer = answer
    }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        requests.append(request)
        return try await answer(request, requests.count - 1)
    }
}
