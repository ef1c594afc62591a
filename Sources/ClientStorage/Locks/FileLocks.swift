// SPDX-License-Identifier: Apache-2.0

import ClientSession
import Dispatch

/// Locks that hold among all processes that use a directory, and among the tasks of this one: `flock(2)` on a file for
/// each name. A process that ends, however it ends, lets go. The files stay: removing one would let two hold "the"
/// lock.
actor FileLocks {
    /// One name's lock in this process. At most one thread waits for the file, whoever it will be for.
    private struct Place {
        var waiting: [(id: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
        var isBusy = false
        /// The open file whose lock is held.
        var file: Int32?
    }

    private let directory: PrivateDirectory
    private let threads = DispatchQueue(label: "latchkey.file-locks", attributes: .concurrent)
    private var places: [String: Place] = [:]
    private var latest: UInt64 = 0

    init(directory: PrivateDirectory) {
        self.directory = directory
    }

    /// Runs `body` while nobody else runs theirs under that name. Those of this process get it in the order they asked.
    ///
    /// - Throws: what `body` throws, `CancellationError` where the task is cancelled while it waits, or
    ///   `SecureStoreError` where the lock can't be had.
    nonisolated func exclusively<Value: Sendable>(
        _ name: String, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await acquire(name)
        do {
            let value = try await body()
            await release(name)
            return value
        } catch {
            await release(name)
            throw error
        }
    }

    private func acquire(_ name: String) async throws {
        latest += 1
        let id = latest
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                places[name, default: Place()].waiting.append((id, continuation))
                goOn(name)
            }
        } onCancel: {
            Task { await self.give(up: id, of: name) }
        }
    }

    /// Who waits no longer leaves the queue; the thread that waits for the file does so for the next one.
    private func give(up id: UInt64, of name: String) {
        guard let index = places[name]?.waiting.firstIndex(where: { $0.id == id }) else { return }
        places[name]?.waiting.remove(at: index).continuation.resume(throwing: CancellationError())
    }

    private func release(_ name: String) {
        if let file = places[name]?.file { directory.files.close(file) }
        places[name]?.file = nil
        places[name]?.isBusy = false
        goOn(name)
    }

    /// Lets go between two tasks of this process, so that another process has its turn.
    private func goOn(_ name: String) {
        guard var place = places[name], !place.isBusy else { return }
        guard !place.waiting.isEmpty else { return places[name] = nil }
        place.isBusy = true
        places[name] = place
        threads.async { [directory] in
            let outcome = Self.locked(name, in: directory)
            Task { await self.got(outcome, of: name) }
        }
    }

    private func got(_ outcome: Result<Int32, SecureStoreError>, of name: String) {
        guard var place = places[name] else { return }
        switch outcome {
        case .success(let file):
            guard !place.waiting.isEmpty else {
                directory.files.close(file)
                return places[name] = nil
            }
            place.file = file
            place.waiting.removeFirst().continuation.resume()
            places[name] = place
        case .failure(let error):
            // Whoever asks later tries anew.
            places[name] = nil
            for waiter in place.waiting { waiter.continuation.resume(throwing: error) }
        }
    }

    private static func locked(_ name: String, in directory: PrivateDirectory) -> Result<Int32, SecureStoreError> {
        do throws(SecureStoreError) { return .success(try directory.lockFile(name)) } catch { return .failure(error) }
    }
}

extension PrivateDirectory {
    /// Opens a file, waits for its lock, and leaves it open.
    fileprivate func lockFile(_ name: String) throws(SecureStoreError) -> Int32 {
        let file = try writing { (directory) throws(SecureStoreError) in
            do throws(FileFault) { return try files.open(name, in: directory, .locking) } catch {
                throw SecureStoreError(error, at: "\(path)/\(name)")
            }
        }
        do throws(FileFault) { try files.lock(file) } catch {
            files.close(file)
            throw SecureStoreError(error, at: "\(path)/\(name)")
        }
        return file
    }
}
