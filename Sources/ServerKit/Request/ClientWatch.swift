// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Stops what only the client of a request waits for when that client has gone. The server itself would not notice
/// before it answers.
public struct ClientWatch: Sendable {
    /// That of the request that this task answers.
    @TaskLocal static var current: ClientWatch?

    /// Runs `body`, and cancels it when the client of the request that this task answers goes away; without a request
    /// as it is.
    public static func whileClientWaits<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let current else { return try await body() }
        return try await current.run(body)
    }

    private let channel: any Channel

    init(_ channel: any Channel) {
        self.channel = channel
    }

    /// Runs `body` in a task that is cancelled when the client goes away, or with the caller's.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await body() }
        // Where there is no such handler there is no connection either, as in tests of a router.
        let asker = try? await channel.eventLoop.submit { [channel] in
            try Self.presence(on: channel).add { task.cancel() }
        }.get()
        defer {
            if let asker {
                channel.eventLoop.execute { [channel] in try? Self.presence(on: channel).remove(asker) }
            }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private static func presence(on channel: any Channel) throws -> ClientPresence {
        try channel.pipeline.syncOperations.handler(type: ClientPresence.self)
    }
}
