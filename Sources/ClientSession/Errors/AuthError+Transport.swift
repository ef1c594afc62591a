// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension AuthError {
    /// Why there is no answer. None of it says anything about a session (fault F10).
    public init(noWay error: TransportError) {
        switch error {
        case .offline, .timedOut, .interrupted: self.init(.network, reason: "\(error)")
        case .untrusted: self.init(.untrustedServer)
        case .insecure: self.init(.insecureTransport)
        case .tooLarge: self.init(.unavailable, reason: "the answer is too long")
        case .cancelled: self.init(.cancelled)
        case .invalidRequest: self.init(.invalidRequest, reason: "the address can't be asked")
        }
    }

    /// Any error of what an app gives the library: what is known keeps its kind, and everything else is a fault. Only
    /// its type goes into the reason, since nobody knows what stands in it.
    public init(of error: any Error) {
        switch error {
        case let error as AuthError: self = error
        case let error as TransportError: self.init(noWay: error)
        case is SecureStoreError: self.init(.storeUnavailable)
        case is CancellationError: self.init(.cancelled)
        default: self.init(.internalFailure, reason: "\(type(of: error))")
        }
    }

    /// For an answer in which the service says nothing of its own: a limit, a fault, or the page of somebody who stands
    /// between.
    public init(noAnswer response: HTTPResponse) {
        self.init(
            response.status == 429 ? .rateLimited : .unavailable, reason: "answered with status \(response.status)",
            retryAfter: response.retryAfter)
    }
}
