// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Hummingbird
import NIOCore

/// Answers a request in a task of its own, unless its connection brings one after the other.
///
/// A task keeps for its life whatever memory its deepest call has needed, and a connection is one task: after a single request
/// an idle one would hold several times what it consists of. With its own task the memory of a request goes when it is
/// answered. What is in a hurry does without, for whom the memory would only be asked for anew.
public struct PacedResponder<Base: HTTPResponder>: HTTPResponder where Base.Context == LatchkeyRequestContext {
    private let base: Base

    public init(_ base: Base) {
        self.base = base
    }

    public func respond(to request: Request, context: LatchkeyRequestContext) async throws -> Response {
        guard let pace = ConnectionPace.current, !pace.isFast(at: .now()) else {
            return try await base.respond(to: request, context: context)
        }
        let task = begin(request, context)
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// At once and on this thread, where the system can.
    private func begin(_ request: Request, _ context: LatchkeyRequestContext) -> Task<Response, any Error> {
        if #available(macOS 26, *) {
            Task.immediate { try await base.respond(to: request, context: context) }
        } else {
            Task { try await base.respond(to: request, context: context) }
        }
    }
}

/// How fast the requests of one connection follow each other.
final class ConnectionPace: Sendable {
    /// Of the connection whose task this is.
    @TaskLocal static var current: ConnectionPace?

    /// Requests in a row, each within a second of the one before it, that make a connection a fast one. What a page or an app
    /// asks for when it is opened is fewer.
    private static let run = 16

    private struct State {
        var last: NIODeadline?
        var count = 0
    }

    private let state = Mutex(State())

    /// Whether a request that comes now is one of many.
    func isFast(at now: NIODeadline) -> Bool {
        state.withLock { state in
            let isNext = state.last.map { now - $0 < .seconds(1) } ?? false
            state.last = now
            state.count = isNext ? min(state.count + 1, Self.run) : 0
            return state.count == Self.run
        }
    }
}
