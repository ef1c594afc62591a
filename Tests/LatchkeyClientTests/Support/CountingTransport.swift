// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient
import TestSupport

/// A network that takes note of what is sent into it, and answers what a test says. It can be one that never answers.
final class CountingTransport: HTTPTransport {
    private struct Inside {
        var requests: [HTTPRequest] = []
        var answers: [Result<Int, TransportError>] = []
        var unanswered: [CheckedContinuation<Void, Never>] = []
    }

    private let inside = Guarded(Inside())
    private let isSilent: Bool

    /// - Parameter isSilent: never answers.
    init(isSilent: Bool = false) {
        self.isSilent = isSilent
    }

    var requests: [HTTPRequest] { inside.value.requests }
    var octets: Int { requests.reduce(0) { $0 + $1.url.utf8.count + $1.body.count } }

    /// What the next requests get, in their order; all after them get 200.
    func answer(_ answers: Result<Int, TransportError>...) { inside.withLock { $0.answers += answers } }

    func untilSent(_ count: Int) async throws {
        try await eventually("\(count) requests are sent") { requests.count >= count }
    }

    /// Lets go of those who wait for an answer, so that a test can end.
    func giveUp() {
        let waiting = inside.withLock { inside in
            defer { inside.unanswered = [] }
            return inside.unanswered
        }
        for continuation in waiting { continuation.resume() }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        if isSilent {
            await withCheckedContinuation { continuation in
                // At once: who sees that it is sent may give up.
                inside.withLock { inside in
                    inside.requests.append(request)
                    inside.unanswered.append(continuation)
                }
            }
            throw .timedOut
        }
        let answer = inside.withLock { inside in
            inside.requests.append(request)
            return inside.answers.isEmpty ? .success(200) : inside.answers.removeFirst()
        }
        return HTTPResponse(status: try answer.get())
    }
}
