// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Logging
import TokenVerifier

/// Counts refusals by ``AccessRefusal/label``, and logs that label and the verifier's reason: nothing of the token, the
/// key, their holder, or the path, which may hold secrets of its own.
struct RefusalReport: Sendable {
    /// The counter's name; its one dimension is `code`.
    static let counter = "token_auth_refused_total"

    private let metrics: any MetricsFactory

    init(_ metrics: any MetricsFactory) {
        self.metrics = metrics
    }

    /// Returns the refusal, to be thrown.
    func report(_ refusal: AccessRefusal, to logger: Logger) -> AccessRefusal {
        Counter(label: Self.counter, dimensions: [("code", refusal.label)], factory: metrics).increment()
        // Not called `code`: that is what one-time secrets are called, and log handlers hide those.
        var metadata: Logger.Metadata = ["refusal": .string(refusal.label)]
        if case .token(let error) = refusal.cause, let reason = error.reason { metadata["reason"] = .string(reason) }
        if case .proof(let reason) = refusal.cause { metadata["reason"] = .string(reason) }
        // A request without credentials is everyday; a server that cannot check them needs its operator.
        let level: Logger.Level =
            refusal.isUnavailability ? .error : refusal.cause == .noCredentials ? .debug : .notice
        logger.log(level: level, "request refused", metadata: metadata)
        return refusal
    }
}
