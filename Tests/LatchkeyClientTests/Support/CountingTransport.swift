// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// A network that takes note of what is sent into it, and answers what a test says. It can be one that never answers.
final class CountingTransport: HTTPTransport {
    private struct Inside {
        var requests: [HTTPRequest] = []
        var answers: [Result<Int, TransportError>] = []
        var watchers: [(count: Int, resume: CheckedContinuation<Void, Never>)] = []
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

    func untilSent(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = inside.withLock { inside in
                if inside.requests.count >= count { return true }
                inside.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
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
        let (watchers, answer) = inside.withLock { inside in
            inside.requests.append(request)
            let count = inside.requests.count
            let watchers = inside.watchers.filter { $0.count <= count }.map(\.resume)
            inside.watchers.removeAll { $0.count <= count }
            return (watchers, inside.answers.isEmpty ? .success(200) : inside.answers.removeFirst())
        }
        if isSilent {
            await withCheckedContinuation { continuation in
                inside.withLock { $0.unanswered.append(continuation) }
                for watcher in watchers { watcher.resume() }
            }
            throw .timedOut
        }
        for watcher in watchers { watcher.resume() }
        return HTTPResponse(status: try answer.get())
    }
}
