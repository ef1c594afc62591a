// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Carries requests to the server of a suite by Foundation, and remembers them.
public actor LoopbackTransport: HTTPTransport {
    public private(set) var requests: [HTTPRequest] = []
    public private(set) var responses: [HTTPResponse] = []
    private let session = URLSession(
        configuration: .ephemeral, delegate: RedirectRefusal(), delegateQueue: nil)

    public init() {}

    deinit { session.finishTasksAndInvalidate() }

    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        requests.append(request)
        guard let url = URL(string: request.url) else { throw .invalidRequest }
        var asked = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalAndRemoteCacheData, timeoutInterval: 60)
        asked.httpMethod = request.method
        asked.httpShouldHandleCookies = false
        for header in request.headers { asked.setValue(header.value, forHTTPHeaderField: header.name) }
        if !request.body.isEmpty { asked.httpBody = Data(request.body) }
        let answer: HTTPResponse
        do {
            let (data, given) = try await session.data(for: asked)
            guard let given = given as? HTTPURLResponse else { throw TransportError.interrupted }
            let headers = given.allHeaderFields.map { HTTPHeader("\($0.key)", "\($0.value)") }
            answer = HTTPResponse(status: given.statusCode, headers: headers, body: [UInt8](data))
        } catch let error as TransportError {
            throw error
        } catch {
            throw .interrupted
        }
        responses.append(answer)
        return answer
    }
}

/// A redirect is an answer (``HTTPTransport``).
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
