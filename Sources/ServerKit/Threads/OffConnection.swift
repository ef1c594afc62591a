// SPDX-License-Identifier: Apache-2.0

/// Work that takes longer than a connection's thread may be kept from its other connections (ADR 0033).
public enum OffConnection {
    /// Runs `body` on the threads of the program's tasks, whichever the caller is on.
    public static func run<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
        try await withTaskExecutorPreference(globalConcurrentExecutor, operation: body)
    }
}
