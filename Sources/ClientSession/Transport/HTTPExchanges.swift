// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)

    import AuthTypes
    import Foundation

    /// The requests of a ``URLSessionTransport`` that are under way: collects each answer up to a limit, and follows no
    /// redirect.
    final class HTTPExchanges: NSObject, URLSessionDataDelegate, Sendable {
        typealias Outcome = Result<HTTPResponse, TransportError>

        private struct Exchange: Sendable {
            var body: [UInt8] = []
            var isTooLarge = false
            var isOverdue = false
            var waiter: CheckedContinuation<Outcome, Never>?
            /// It ended before anybody waited, as one that is cancelled at once does.
            var outcome: Outcome?
        }

        private let limit: Int
        private let exchanges = Guarded<[Int: Exchange]>([:])

        init(limit: Int) {
            self.limit = limit
        }

        /// To be called before the task can be cancelled: from then on its end is kept for ``outcome(of:)``.
        func note(_ task: URLSessionTask) {
            exchanges.withLock { $0[task.taskIdentifier] = Exchange() }
        }

        /// Begins the task, which was noted.
        func outcome(of task: URLSessionTask) async -> Outcome {
            await withCheckedContinuation { continuation in
                let ended = exchanges.withLock { exchanges -> Outcome? in
                    if let outcome = exchanges[task.taskIdentifier]?.outcome {
                        exchanges[task.taskIdentifier] = nil
                        return outcome
                    }
                    exchanges[task.taskIdentifier, default: Exchange()].waiter = continuation
                    return nil
                }
                guard let ended else { return task.resume() }
                continuation.resume(returning: ended)
            }
        }

        /// Its time is over.
        func giveUp(_ task: URLSessionTask) {
            exchanges.withLock { $0[task.taskIdentifier]?.isOverdue = true }
            task.cancel()
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            // The redirect itself is the answer.
            completionHandler(nil)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            let isTooLarge = exchanges.withLock { exchanges in
                guard var exchange = exchanges.removeValue(forKey: dataTask.taskIdentifier) else { return false }
                if exchange.body.count + data.count > limit { exchange.isTooLarge = true }
                if !exchange.isTooLarge { exchange.body += data }
                exchanges[dataTask.taskIdentifier] = exchange
                return exchange.isTooLarge
            }
            if isTooLarge { dataTask.cancel() }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let response = task.response
            let fault = error.map { TransportError($0) }
            let ended = exchanges.withLock { exchanges -> (waiter: CheckedContinuation<Outcome, Never>, Outcome)? in
                guard var exchange = exchanges.removeValue(forKey: task.taskIdentifier) else { return nil }
                let outcome = Self.outcome(
                    response, exchange.body, exchange.isOverdue && fault == .cancelled ? .timedOut : fault,
                    exchange.isTooLarge)
                if let waiter = exchange.waiter { return (waiter, outcome) }
                exchange.outcome = outcome
                exchanges[task.taskIdentifier] = exchange
                return nil
            }
            if let (waiter, outcome) = ended { waiter.resume(returning: outcome) }
        }

        private static func outcome(
            _ response: URLResponse?, _ body: [UInt8], _ fault: TransportError?, _ isTooLarge: Bool
        ) -> Result<HTTPResponse, TransportError> {
            if isTooLarge { return .failure(.tooLarge) }
            if let fault { return .failure(fault) }
            guard let response = response as? HTTPURLResponse else { return .failure(.interrupted) }
            let headers = response.allHeaderFields.compactMap { name, value -> HTTPHeader? in
                guard let name = name as? String, let value = value as? String else { return nil }
                return HTTPHeader(name, value)
            }
            return .success(HTTPResponse(status: response.statusCode, headers: headers, body: body))
        }
    }

    extension TransportError {
        /// What the system says, as far as a caller acts by it.
        init(_ error: any Error) {
            guard let error = error as? URLError else {
                self = .interrupted
                return
            }
            switch error.code {
            case .cancelled: self = .cancelled
            case .timedOut: self = .timedOut
            case .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .dataNotAllowed,
                .internationalRoamingOff:
                self = .offline
            case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid, .secureConnectionFailed, .clientCertificateRejected,
                .clientCertificateRequired:
                self = .untrusted
            case .badURL, .unsupportedURL: self = .invalidRequest
            case .appTransportSecurityRequiresSecureConnection: self = .insecure
            default: self = .interrupted
            }
        }
    }

#endif
