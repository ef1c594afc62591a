// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore
import AuthTypes

/// The connection that looks at many rows: one scan after the other, on a thread of its own that stands behind those of
/// the requests. A scan whose caller has gone is stopped, also in the middle of a statement.
final class SQLiteScanner: Sendable {
    private let thread: ScanThread

    /// - Parameter capacity: scans that may wait.
    init(_ file: DatabaseFile, vault: Vault, capacity: Int, damages: DamageReports) {
        thread = ScanThread(file, vault: vault, capacity: capacity, damages: damages)
        thread.start()
    }

    deinit {
        thread.stop()
    }

    /// - Throws: What `body` throws, `CancellationError`, `AuthErrorCode.overloaded` when too many scans wait,
    ///   `.unavailable` once closed.
    func scan<Value: Sendable>(
        in directory: DirectoryID?, _ body: @escaping @Sendable (OpenTransaction) throws -> Value
    ) async throws -> Value {
        let stop = ScanStop()
        let ticket = thread.nextTicket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let job = ScanThread.Job(
                    stop: stop,
                    run: { transaction in
                        let value = try body(transaction)
                        return { continuation.resume(returning: value) }
                    }, fail: { continuation.resume(throwing: $0) })
                thread.submit(job, ticket, of: directory)
                // A cancellation before the scan was there found nothing to take out.
                if Task.isCancelled { thread.cancel(ticket) }
            }
        } onCancel: {
            stop.set()
            thread.cancel(ticket)
        }
    }

    /// Stops the scan under way and waits until the connection is closed, unless it is this thread's own.
    func close() {
        thread.stop()
        thread.waitForEnd()
    }
}
