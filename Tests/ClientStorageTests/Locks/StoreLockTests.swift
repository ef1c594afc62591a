// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Foundation
import Subprocess
import Testing

@testable import ClientStorage

struct StoreLockTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Adds one to what is kept: loses one wherever two do it at once.
    private static func increment(_ store: EncryptedFileStore) async throws {
        try await store.exclusively(.session) {
            let before = try await store.read(.session) ?? [0, 0]
            await Task.yield()
            let count = UInt16(before[0]) << 8 + UInt16(before[1]) + 1
            try await store.write([UInt8(count >> 8), UInt8(count & 0xFF)], for: .session)
        }
    }

    @Test("F5 Of many tasks with stores of their own on one directory, no two have a key at once")
    func tasks() async throws {
        let path = directory.path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let store = TemporaryDirectory.store(path)
                for _ in 0..<25 { group.addTask { try await Self.increment(store) } }
            }
            try await group.waitForAll()
        }
        #expect(try await directory.store().read(.session) == [0, 100])
    }

    @Test(
        "F5 Of several processes on one directory, an app and its extension, no two have a key at once, and all have one key"
    )
    func processes() async throws {
        let path = directory.path
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String] in
                        let store = TemporaryDirectory.store(path)
                        for _ in 0..<40 { try await Self.increment(store) }
                    }
                }
            }
        }
        #expect(try await directory.store().read(.session) == [0, 120])
    }

    @Test("F5 F6 A holder that is killed lets go, and whoever waits goes on")
    func holderKilled() async throws {
        // Another program that keeps to flock(2) by itself.
        let script = """
            import fcntl, os, sys
            os.makedirs(os.path.dirname(sys.argv[1]), mode=0o700, exist_ok=True)
            file = open(os.open(sys.argv[1], os.O_RDWR | os.O_CREAT, 0o600), "r+b")
            fcntl.flock(file, fcntl.LOCK_EX)
            print("held", flush=True)
            sys.stdin.read()
            """
        let path = directory.path
        let store = TemporaryDirectory.store(path)
        let order = Order()
        let arguments = Arguments(["-c", script, path + "/store/auth.session.lock"])
        let outcome = try await run(
            .name("python3"), arguments: arguments, input: .inputWriter, output: .sequence, error: .discarded
        ) { execution in
            for try await _ in execution.standardOutput.strings(bufferingPolicy: .unbounded) { break }
            async let waited: Void = store.exclusively(.session) { await order.note("had") }
            // The other key is free meanwhile.
            try await store.exclusively(.lastValidated) { await order.note("other") }
            await order.note("killed")
            try execution.send(signal: .kill)
            try await waited
            try await execution.standardInputWriter.finish()
        }
        #expect(outcome.terminationStatus == .signaled(SIGKILL))
        #expect(await order.noted == ["other", "killed", "had"])
    }

    @Test("F4 Whoever is cancelled while waiting gets nothing and takes nothing from those behind")
    func cancelled() async throws {
        let store = directory.store()
        let (held, holding) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let holder = Task {
            try await store.exclusively(.session) {
                holding.finish()
                for await _ in released {}
            }
        }
        for await _ in held {}
        let given = Task { try await store.exclusively(.session) { Issue.record("had it though cancelled") } }
        let behind = Task { try await store.exclusively(.session) { true } }
        given.cancel()
        await #expect(throws: CancellationError.self) { try await given.value }
        release.finish()
        try await holder.value
        #expect(try await behind.value)
    }

    @Test("F4 A body that throws lets go")
    func throwing() async throws {
        let store = directory.store()
        await #expect(throws: SecureStoreError.full) {
            try await store.exclusively(.session) { throw SecureStoreError.full }
        }
        #expect(try await store.exclusively(.session) { true })
        #expect(directory.bytes("store/auth.session.lock") == [])
    }

    @Test("F8 A lock that can't be had is an error for all who wait, and the next one tries anew")
    func unavailable() async throws {
        try directory.permit(0o755)
        let path = directory.path
        let store = EncryptedFileStore(directory: path, key: FixedKey())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    #expect(isUnavailable(await storeError { try await store.exclusively(.session) {} }))
                }
            }
        }
        try directory.permit(0o700)
        #expect(try await store.exclusively(.session) { true })
    }

    private actor Order {
        private(set) var noted: [String] = []
        func note(_ what: String) { noted.append(what) }
    }
}
