// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import Foundation
import TestSupport
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

    /// What stands for Ada's data is a file.
    private struct Clearing: SessionCompanion {
        let file: String
        var dies = false

        func sessionEnded(_ options: SignOutOptions, of subject: String?) async {
            if dies { kill(getpid(), SIGKILL) }
            if subject == "ada", !options.keepsLocalData { try? FileManager.default.removeItem(atPath: file) }
        }
    }

    /// Ada signs in, and out or not in another process, where she keeps what is hers. Then Grace comes, in a process
    /// that has not heard of that and dies at that step, or while its companion hears of Ada's end.
    private static func follow(_ directory: String, keeping: Bool, step: Int) async throws {
        let (files, data) = (Self.store(in: directory), directory + "/ada")
        let (store, backend) = (DyingStore(files), ScriptedBackend())
        let service = SessionService(
            backend: backend, store: store, companions: [Clearing(file: data, dies: step == 0)])
        try await service.signIn(with: .anonymous)
        try Data().write(to: URL(filePath: data))
        if keeping {
            let other = SessionService(backend: backend, store: files)
            await other.restore()
            await other.signOut(SignOutOptions(keepsLocalData: true))
        }
        if step > 0 { await store.die(before: step) }
        backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(3, user: SessionUser(subject: "grace")))
        }
        try await service.signIn(with: .anonymous)
        await service.settle(.waiterLeft(0))
    }

    /// | killed                            | Ada has decided nothing          | Ada chose to keep what is hers |
    /// | --------------------------------- | -------------------------------- | ------------------------------ |
    /// | before Grace's session is written | Ada is there, and what is hers   | nobody is; hers is             |
    /// | at any step after that            | Grace is there, Ada's is gone    | Grace is there; Ada's is too   |
    @Test(
        """
        R13.1 G-13.3 G-13.6 Killed at any step of a sign-in over another user: what is the former's stays where nobody         has come or they chose so, and has gone before anybody hears of who came
        """, arguments: [false, true], 0...5)
    func killedOver(keeping: Bool, step: Int) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "following-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.path(percentEncoded: false)
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, keeping = keeping as Bool, step = step as Int] in
            try await Self.follow(path, keeping: keeping, step: step)
        }
        let (comes, stays) = (step != 1, keeping || step == 1)
        let next = SessionService(
            backend: ScriptedBackend(subject: comes ? "grace" : "ada"), store: Self.store(in: path),
            companions: [Clearing(file: path + "/ada")])
        await next.restore()
        #expect(FileManager.default.fileExists(atPath: path + "/ada") == stays)
        if keeping, !comes {
            #expect(next.state.name == "signedOut(neverSignedIn)")
        } else {
            // Asked first where nobody had noted yet when the service confirmed it.
            for await state in next.states() {
                guard case .signedIn(let user) = state else { continue }
                #expect(user.subject == (comes ? "grace" : "ada"))
                break
            }
        }
        #expect(try await Self.store(in: path).read(.leaving) == nil)
    }

    /// Has no room for a session, or does not let go of the note of a sign-out, when told so.
    private actor FullStore: SecureStore {
        private let memory = MemoryStore()
        private var isFull = false
        private var isStuck = false

        func fill(_ isFull: Bool) { self.isFull = isFull }
        func stick() { isStuck = true }
        func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { try await memory.read(key) }
        func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) {
            if isFull, key == .session { throw .full }
            try await memory.write(value, for: key)
        }
        func remove(_ key: SecureStoreKey) async throws(SecureStoreError) {
            if isStuck, key == .leaving { throw .unavailable(reason: "stuck") }
            try await memory.remove(key)
        }
        func exclusively<Value: Sendable>(
            _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
        ) async throws -> Value { try await memory.exclusively(key, body) }
    }

    @Test("R13.1 Who signs out before anything was read, and in again, is there after a restart though the note is too")
    func whicheverThereWas() async throws {
        let store = FullStore()
        await store.stick()
        let bench = ServiceBench(store: store)
        await bench.service.signOut(SignOutOptions())
        #expect(
            try await store.read(.leaving).flatMap { Leaving(decoding: $0) }
                == Leaving(family: nil, keepsLocalData: false))
        try await bench.signIn()
        #expect(try await store.read(.leaving) != nil)
        let next = bench.another()
        await next.service.restore()
        #expect(next.service.state.name == "signedIn(ada)" && next.log.subjects.value.isEmpty)
    }

    @Test(
        "R13.1 G-13.3 G-13.6 Where the store can't take who comes, the former user is not there after a restart, and theirs goes or stays as they chose",
        .timeLimit(.minutes(1)), arguments: [false, true])
    func unwritten(keeping: Bool) async throws {
        let store = FullStore()
        let bench = ServiceBench(store: store)
        try await bench.signIn()
        let other = bench.another()
        await other.service.restore()
        if keeping { await bench.service.signOut(SignOutOptions(keepsLocalData: true)) }
        await store.fill(true)
        bench.backend.onSignIn { _ throws(AuthError) in
            .session(ScriptedBackend.grant(3, user: SessionUser(subject: "grace")))
        }
        try await other.signIn()
        #expect(other.service.state.name == "signedIn(grace)" && !other.service.isStored)
        let told = keeping ? "kept" : "cleared"
        #expect(other.log.all.filter { ["kept", "cleared"].contains($0) } == [told])
        let next = bench.another()
        await next.service.restore()
        #expect(next.service.state.name == "signedOut(userSignedOut)")
        #expect(next.log.all == [told, "provider"])
        // There is room again: whoever came is who is there.
        bench.backend.onUser { _ throws(AuthError) in SessionUser(subject: "grace") }
        await store.fill(false)
        other.service.storeUnlocked()
        try await eventually("the other one is stored") { other.service.isStored }
        let last = bench.another()
        await last.service.restore()
        #expect(try await last.until { $0.name == "signedIn(grace)" } != nil)
        #expect(last.log.subjects.value.isEmpty)
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
        let replaced = Leaving(family: "f", subject: "ada")
        #expect(Leaving(decoding: replaced.encoded) == replaced && replaced.options == nil)
        for text in [#"{"version":1}"#, #"{"version":1,"family":"f","keeps_local_data":"no"}"#] {
            #expect(Leaving(decoding: Array(text.utf8)) == nil)
        }
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
