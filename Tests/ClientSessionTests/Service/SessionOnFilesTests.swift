// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientStorage
import ClientTestSupport
import Foundation
import TestSupport
import Testing

@testable import ClientSession

/// A session on encrypted files to which something happens, at rest and while the app runs.
struct SessionOnFilesTests {
    /// A device's files, gone with the test.
    private final class Files: Sendable {
        let path: String

        init() throws {
            let base = FileManager.default.temporaryDirectory.appending(path: "latchkey-device-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: base, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            path = base.path
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var store: EncryptedFileStore {
            EncryptedFileStore(directory: path + "/values", key: KeyFile(directory: path + "/keys"))
        }

        var session: [UInt8] {
            get throws { try Array(Data(contentsOf: URL(filePath: path + "/values/auth.session.sealed"))) }
        }

        var damaged: [UInt8]? {
            FileManager.default.contents(atPath: path + "/values/auth.session.sealed.damaged").map(Array.init)
        }

        /// In the file's own place, as a fault of a disk is.
        func damage(_ bytes: [UInt8], _ name: String = "values/auth.session.sealed") throws {
            let file = try FileHandle(forWritingTo: URL(filePath: "\(path)/\(name)"))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: Data(bytes))
            try file.close()
        }

        func permit(_ mode: Int, _ name: String) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
        }
    }

    /// What can become of a file's bytes.
    enum Damage: CaseIterable { case emptied, halved, short, firstBit, middleBit, lastBit, longer, foreign }

    private func damaged(_ bytes: [UInt8], _ damage: Damage) -> [UInt8] {
        func flipping(_ place: Int) -> [UInt8] {
            var flipped = bytes
            flipped[place] ^= 0x10
            return flipped
        }
        return switch damage {
        case .emptied: []
        case .halved: Array(bytes.prefix(bytes.count / 2))
        case .short: Array(bytes.dropLast())
        case .firstBit: flipping(0)
        case .middleBit: flipping(bytes.count / 2)
        case .lastBit: flipping(bytes.count - 1)
        case .longer: bytes + [0]
        case .foreign: Array("somebody else's".utf8)
        }
    }

    private let files: Files
    private let clock = ManualClock()
    private let backend = ScriptedBackend()

    init() throws { files = try Files() }

    private func start(_ report: @escaping @Sendable (SessionProblem) -> Void = { _ in }) -> ServiceBench {
        ServiceBench(clock: clock, backend: backend, store: files.store, problems: report)
    }

    private func signedIn() async throws -> ServiceBench {
        let bench = start()
        try await bench.signIn()
        // What is kept beside the session is written after its caller was told.
        await bench.service.settle(.clockTick)
        return bench
    }

    private func restarted() async -> ServiceBench {
        let bench = start()
        await bench.service.restore()
        return bench
    }

    @Test(
        "Y-E3 F7 R13.1 A session damaged while the app is closed is put aside, and its user is told why",
        arguments: Damage.allCases)
    func atRest(_ damage: Damage) async throws {
        _ = try await signedIn()
        let bytes = damaged(try files.session, damage)
        try files.damage(bytes)
        // Whoever did not look at the first start is told at the next.
        for _ in 0..<2 {
            let next = await restarted()
            #expect(next.service.state.name == "signedOut(storeCorrupted)")
            await #expect(throws: SignOutReason.storeCorrupted.error) { try await next.service.accessToken() }
            #expect(files.damaged == bytes)
        }
        let anew = await restarted()
        try await anew.signIn()
        #expect(await restarted().service.state.name == "signedIn(ada)")
        #expect(backend.refreshes == 0)
    }

    @Test(
        "Y-E3 F7 R13.1 A session damaged while the app runs goes on, and the next start finds it",
        arguments: Damage.allCases)
    func whileRunning(_ damage: Damage) async throws {
        let bench = try await signedIn()
        try files.damage(damaged(try files.session, damage))
        clock.advance(by: .hours(2))
        #expect(try await bench.service.accessToken().reveal() == "access-1")
        #expect(bench.service.state.name == "signedIn(ada)")
        let next = await restarted()
        #expect(next.service.state.name == "signedIn(ada)")
        #expect(try await next.service.accessToken().reveal() == "access-1")
        #expect(backend.refreshes == 1)
    }

    @Test("Y-E3 R13.1 It is written anew as soon as the app looks at its store")
    func looked() async throws {
        let bench = try await signedIn()
        try files.damage([1, 2, 3])
        bench.service.storeChanged()
        try await eventually("the session is written anew") { (try? files.session.count) ?? 0 >= 10 }
        #expect(await restarted().service.state.name == "signedIn(ada)")
        #expect(bench.service.state.name == "signedIn(ada)")
    }

    @Test("Y-E3 F5 R13.1 A process that comes upon the damage first has not signed out the one that runs")
    func foundByAnother() async throws {
        let bench = try await signedIn()
        try files.damage([1, 2, 3])
        #expect(await restarted().service.state.name == "signedOut(storeCorrupted)")
        clock.advance(by: .hours(2))
        #expect(try await bench.service.accessToken().reveal() == "access-1")
        #expect(await restarted().service.state.name == "signedIn(ada)")
    }

    @Test("G-13.3 F5 R13.1 A sign-out after a damage is one all the same, in every process")
    func signedOut() async throws {
        let bench = try await signedIn()
        let other = await restarted()
        try files.damage([1, 2, 3])
        await other.service.signOut(SignOutOptions())
        clock.advance(by: .hours(2))
        await #expect(throws: AuthError.self) { try await bench.service.accessToken() }
        #expect(bench.service.state.name == "signedOut(userSignedOut)")
        #expect(await restarted().service.state.name == "signedOut(neverSignedIn)")
        #expect(try await files.store.read(.session) == nil && files.damaged == nil)
    }

    @Test(
        """
        F6 R13.1 A program may end the moment it has its new token: what renews the session is on the disk by then, also \
        for a service that takes no token twice
        """)
    func endsWithItsToken() async throws {
        backend.onRefresh { tokens, count throws(AuthError) in
            guard tokens.refreshToken?.reveal() == "refresh-\(count)" else { throw AuthError(.refreshTokenReused) }
            return ScriptedBackend.grant(count + 1)
        }
        let bench = try await signedIn()
        for run in 1...20 {
            clock.advance(by: .hours(2))
            let program = run == 1 ? bench : await restarted()
            #expect(try await program.service.accessToken().reveal() == "access-\(run)")
        }
        #expect(await restarted().service.state.name == "signedIn(ada)")
        #expect(backend.refreshes == 20)
    }

    @Test("F7 R13.1 A damaged key damages what it sealed, and a running app writes with the next one")
    func key() async throws {
        let bench = try await signedIn()
        try files.damage([1, 2, 3], "keys/store.key")
        clock.advance(by: .hours(2))
        #expect(try await bench.service.accessToken().reveal() == "access-1")
        // A start before that finds the session and no record of when it was confirmed, and asks the service first.
        await bench.service.settle(.clockTick)
        let next = await restarted()
        #expect(next.service.state.name == "signedIn(ada)")
        #expect(try await next.service.accessToken().reveal() == "access-1")
    }

    // A file that others may read is refused whoever runs the tests; a superuser may read one that nobody may.
    @Test("F8 R13.1 A session that can't be read signs nobody out, and is there once it can be")
    func unreadable() async throws {
        _ = try await signedIn()
        let bytes = try files.session
        try files.permit(0o644, "values/auth.session.sealed")
        let next = await restarted()
        #expect(next.service.state.name == "storeLocked")
        await #expect(throws: AuthError(.storeUnavailable)) { try await next.service.accessToken() }
        #expect(try files.session == bytes && files.damaged == nil)
        try files.permit(0o600, "values/auth.session.sealed")
        next.service.storeUnlocked()
        #expect(try await next.service.accessToken().reveal() == "access-0")
        #expect(next.service.state.name == "signedIn(ada)")
    }

    @Test(
        "F8 R13.1 A store that can't be opened while the app runs costs nobody the session, and nothing is renewed beside it"
    )
    func unreadableWhileRunning() async throws {
        let bench = try await signedIn()
        try files.permit(0o755, "values")
        clock.advance(by: .hours(2))
        // Without the lock two processes could renew at once, and what came of it would be in one's memory.
        await #expect(throws: AuthError(.storeUnavailable)) {
            try await clock.passingPauses { try await bench.service.accessToken() }
        }
        #expect(bench.service.state.name == "offline(full)" && backend.refreshes == 0)
        try files.permit(0o700, "values")
        bench.service.networkChanged(isReachable: true)
        #expect(try await bench.service.accessToken().reveal() == "access-1")
        #expect(bench.service.state.name == "signedIn(ada)")
        #expect(try await restarted().service.accessToken().reveal() == "access-1")
        #expect(backend.refreshes == 1)
    }

    @Test("F8 R13.1 A session's file that can't be read while the app runs is replaced by the next one")
    func unreadableFile() async throws {
        let bench = try await signedIn()
        try files.permit(0o644, "values/auth.session.sealed")
        clock.advance(by: .hours(2))
        #expect(try await bench.service.accessToken().reveal() == "access-1")
        #expect(try await restarted().service.accessToken().reveal() == "access-1")
        #expect(backend.refreshes == 1)
    }

    @Test(
        "F7 R13.1 A disk that is full keeps what it has: the session goes on in memory, and is stored when there is room"
    )
    func full() async throws {
        await #expect(processExitsWith: .success) {
            let test = try SessionOnFilesTests()
            let problems = Guarded<[SessionProblem]>([])
            let bench = test.start { problem in problems.withLock { $0.append(problem) } }
            try await bench.signIn()
            await bench.service.settle(.clockTick)
            let former = try test.files.session
            try FileSizes.limit(to: 16)
            test.clock.advance(by: .hours(2))
            #expect(try await bench.service.accessToken().reveal() == "access-1")
            #expect(bench.service.state.name == "signedIn(ada)" && !bench.service.isStored)
            #expect(problems.value.first == .notStored(.full))
            #expect(try test.files.session == former)
            // Killed now, the next start asks with the token that is there, which a service answers once more (F6).
            let killed = await test.restarted()
            #expect(try await killed.service.accessToken().reveal() == "access-2")
            #expect(test.backend.calls.filter { $0 == .refresh("refresh-0") }.count == 2)
            try FileSizes.limit(to: nil)
            bench.service.storeUnlocked()
            await bench.service.settle(.clockTick)
            #expect(bench.service.isStored)
            let refreshes = test.backend.refreshes
            #expect(try await test.restarted().service.accessToken().reveal() == "access-1")
            #expect(test.backend.refreshes == refreshes)
        }
    }
}

/// How long the files may become that this process writes.
private enum FileSizes {
    static func limit(to bytes: UInt64?) throws {
        // Else the process is ended by what the call fails with.
        signal(SIGXFSZ, SIG_IGN)
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        #else
            let resource = RLIMIT_FSIZE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
        limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
        guard setrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
    }
}
