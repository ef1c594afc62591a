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

/// Posts over HTTP, with a few seconds for each, and reads nothing of the answer but its status.
///
/// Each post has a client of its own: nothing is kept open, and nothing is left to be shut down.
public struct HTTPFormPoster: FormPosting {
    private let timeout: Span

    public init(timeout: Span = .seconds(5)) {
        self.timeout = timeout
    }

    public func post(form: String, to url: String) async throws -> Int {
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
            return Int(try await client.execute(request, timeout: amount).status.code)
        }
    }
}
