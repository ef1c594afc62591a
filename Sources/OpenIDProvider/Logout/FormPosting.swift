// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import AuthTypes
import NIOCore
import NIOHTTP1

/// Posts a form to a URL that an operator has registered.
public protocol FormPosting: Sendable {
    /// - Parameter form: `application/x-www-form-urlencoded`.
    /// - Returns: the status of the answer; a redirect is not followed.
    func post(form: String, to url: String) async throws -> Int
}

/// Posts over HTTP, with a few seconds for each, and heeds nothing of the answer but its status.
///
/// Each post has a client of its own: nothing is kept open, and nothing is left to be shut down.
public struct HTTPFormPoster: FormPosting {
    private static let largestBody = 16 << 10

    private let timeout: Span

    public init(timeout: Span = .seconds(5)) {
        self.timeout = timeout
    }

    /// The client's own deadline ends with the head of the answer, so a slow body needs another.
    public func post(form: String, to url: String) async throws -> Int {
        let limit = Duration.microseconds(timeout.microseconds)
        return try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await status(form, url) }
            group.addTask {
                try await Task.sleep(for: limit)
                throw HTTPClientError.deadlineExceeded
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw HTTPClientError.cancelled }
            return first
        }
    }

    private func status(_ form: String, _ url: String) async throws -> Int {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        let amount = TimeAmount.microseconds(timeout.microseconds)
        configuration.timeout = .init(connect: amount, read: amount)
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            var request = HTTPClientRequest(url: url)
            request.method = .POST
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: form))
            let response = try await client.execute(request, timeout: amount)
            var left = Self.largestBody
            // So that the connection ends in peace; whoever has more to say is not listened to.
            for try await part in response.body {
                left -= part.readableBytes
                if left < 0 { break }
            }
            return Int(response.status.code)
        }
    }
}
