// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import Foundation
import Testing

@testable import ClientSession

/// A store that ends the process before one of the calls that change something.
private actor DyingStore: SecureStore {
    private let store: EncryptedFileStore
    private var left: Int?

    init(_ store: EncryptedFileStore) { self.store = store }

    func die(before number: Int) { left = number }

    private func count() {
        guard let number = left else { return }
        left = number - 1
        if number == 1 { kill(getpid(), SIGKILL) }
    }

    func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { try await store.read(key) }
    func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
        count()
        try await store.write(value, for: key)
    }
    func remove(_ key: SecureStoreKey) async throws(SecureStoreError) {
        count()
        try await store.remove(key)
    }
    func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value { try await store.exclusively(key, body) }
}

private struct Murderer: SessionCompanion {
    func sessionEnded(_ options: SignOutOptions, of subject: String?) async { kill(getpid(), SIGKILL) }
}

struct LeavingTests {
    private static func store(in directory: String) -> EncryptedFileStore {
        EncryptedFileStore(directory: directory + "/store", key: KeyFile(directory: directory + "/key"))
    }

    enum Way: String, CaseIterable, Sendable { case signOut, deletion }

    /// Signs in, and out or has the account deleted, in a process that dies at that step, or while its companion
    /// clears.
    private static func leave(_ directory: String, _ way: Way, step: Int) async throws {
        let store = DyingStore(store(in: directory))
        let service = SessionService(
            backend: ScriptedBackend(), store: store, companions: step == 0 ? [Murderer()] : [])
        try await service.signIn(with: .anonymous)
        if step > 0 { await store.die(before: step) }
        let listener = Task {
            for await state in service.states() {
                if case .signedOut = state { try Data().write(to: URL(filePath: directory + "/told")) }
            }
        }
        switch way {
        case .signOut: await service.signOut(SignOutOptions())
        case .deletion: _ = try await service.deleteAccount { _ in AccountDeletion() }
        }
        listener.cancel()
    }

    @Test(
        """
        R13.1 G-13 G-13.3 G-10.5 H-5 Killed at any step of a sign-out, or of what follows a deletion: who heard of it stays \
        signed out, and once it is noted the next start finishes it, with the user's local data
        """, arguments: Way.allCases, 0...7)
    func killed(way: Way, step: Int) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "leaving-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.path(percentEncoded: false)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, way = way.rawValue as String, step = step as Int] in
            try await Self.leave(path, try #require(Way(rawValue: way)), step: step)
        }
        let log = Log()
        let store = Self.store(in: path)
        let next = SessionService(backend: ScriptedBackend(), store: store, companions: [log], providers: [log])
        await next.restore()
        #expect(!FileManager.default.fileExists(atPath: path + "/told"))
        if step == 1 {
            // Nothing had been done yet.
            #expect(next.state.name == "signedIn(ada)")
            return
        }
        #expect(next.state.name == "signedOut(userSignedOut)")
        #expect(log.all == ["cleared", "provider"])
        for key in [SecureStoreKey.session, .lastValidated, .leaving, .localData] {
            #expect(try await store.read(key) == nil)
        }
        let after = SessionService(backend: ScriptedBackend(), store: store, companions: [log])
        await after.restore()
        #expect(after.state.name == "signedOut(neverSignedIn)")
        #expect(log.all == ["cleared", "provider"])
    }

    @Test("R13.1 G-13.6 What the user chose to keep is kept by the process that finishes the sign-out")
    func keeps() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        let family = try #require(bench.service.core.withLock { $0.machine.phase.session?.kept.family })
        try await SessionStore(store: bench.store).begin(Leaving(family: family, keepsLocalData: true))
        let next = bench.another()
        await next.service.restore()
        #expect(next.service.state.name == "signedOut(userSignedOut)")
        #expect(next.log.all == ["kept", "provider"])
    }

    @Test("R13.1 G-13.3 Who signs in over another user leaves no note behind, and finds nothing of theirs")
    func nextUser() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(3, user: SessionUser(subject: "grace")))
        }
        try await bench.signIn()
        #expect(bench.log.all.contains("cleared"))
        #expect(try await bench.store.read(.leaving) == nil)
        let next = bench.another()
        await next.service.restore()
        #expect(next.service.state.name == "signedIn(grace)")
    }

    @Test("R13.1 A sign-out that another session has followed clears nothing of that one's")
    func followed() async throws {
        let bench = ServiceBench()
        try await bench.signIn()
        try await SessionStore(store: bench.store).begin(Leaving(family: "before", keepsLocalData: false))
        let next = bench.another()
        await next.service.restore()
        #expect(next.service.state.name == "signedIn(ada)")
        #expect(!next.log.all.contains("cleared"))
        #expect(try await bench.store.read(.leaving) == nil)
    }

    @Test("R13.1 Anything in the note's place that is no note says nothing")
    func damaged() {
        let good = Leaving(family: "f", subject: "ada", keepsLocalData: true)
        #expect(Leaving(decoding: good.encoded) == good)
        let whichever = Leaving(family: nil, keepsLocalData: false)
        #expect(Leaving(decoding: whichever.encoded) == whichever)
        for length in 0..<good.encoded.count { #expect(Leaving(decoding: Array(good.encoded.prefix(length))) == nil) }
        #expect(Leaving(decoding: Array(#"{"version":2,"keeps_local_data":true}"#.utf8)) == nil)
    }

    @Test("R13.1 G-13.3 What was put aside of a session goes with the sign-out too")
    func quarantine() async throws {
        let bench = ServiceBench()
        try await bench.store.write(Array("later version".utf8), for: .session)
        await bench.service.restore()
        try await bench.signIn()
        #expect(try await bench.store.read(SessionStore.quarantine) != nil)
        await bench.service.signOut(SignOutOptions())
        #expect(try await bench.store.read(SessionStore.quarantine) == nil)
    }
}
