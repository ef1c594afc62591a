// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)

    import AuthTypes
    import Foundation

    /// The system's own HTTP client, with all that it does by itself switched off: no redirect, no cookie, no cache, no
    /// stored credential.
    public final class URLSessionTransport: HTTPTransport {
        private let exchanges: HTTPExchanges
        private let session: URLSession

        /// - Parameter limit: the longest answer that is read, in bytes.
        public init(limit: Int = 16 << 20) {
            exchanges = HTTPExchanges(limit: limit)
            let configuration = URLSessionConfiguration.ephemeral
            configuration.httpCookieStorage = nil
            configuration.httpShouldSetCookies = false
            configuration.httpCookieAcceptPolicy = .never
            configuration.urlCache = nil
            configuration.urlCredentialStorage = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
        }

        deinit { session.finishTasksAndInvalidate() }

        public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            guard let origin = ServiceOrigin(of: request.url), let url = URL(string: request.url), request.isWritable
            else { throw .invalidRequest }
            // Before any byte leaves (F-8).
            guard origin.isSecure else { throw .insecure }
            var asked = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
            asked.httpMethod = request.method
            asked.timeoutInterval = Double(request.timeout.microseconds) / 1_000_000
            asked.httpShouldHandleCookies = false
            for header in request.headers { asked.addValue(header.value, forHTTPHeaderField: header.name) }
            if !request.body.isEmpty { asked.httpBody = Data(request.body) }
            guard !Task.isCancelled else { throw .cancelled }
            let task = session.dataTask(with: asked)
            exchanges.note(task)
            // The system's own limit begins anew with each part of an answer that comes.
            let limit = Task { [exchanges] in
                guard (try? await SystemClock().wait(request.timeout)) != nil else { return }
                exchanges.giveUp(task)
            }
            defer { limit.cancel() }
            let outcome = await withTaskCancellationHandler {
                await exchanges.outcome(of: task)
            } onCancel: {
                task.cancel()
            }
            return try outcome.get()
        }
    }

#endif
