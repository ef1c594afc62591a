// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Foundation
import Testing

@testable import ClientStorage

struct StoreFaultTests {
    private let directory: TemporaryDirectory
    private let old = Array("the old one".utf8)
    private let new = Array("the new one".utf8)

    init() throws { directory = try TemporaryDirectory() }

    /// How many calls writing over a value makes.
    private func steps() async throws -> (store: [String], key: [String]) {
        try await directory.store().write(old, for: .session)
        let (files, keyFiles) = (FaultyFiles(), FaultyFiles())
        try await TemporaryDirectory.store(directory.path, files, keyFiles).write(old, for: .session)
        return (files.calls, keyFiles.calls)
    }

    /// The numbers of those calls that leave something on the disk. What dies before another call dies as before the
    /// next of these.
    private static func changing(_ calls: [String]) -> [Int] {
        calls.indices.filter { index in
            ["open replacing", "write", "synchronize", "rename", "make"].contains(calls[index])
        }.map { $0 + 1 }
    }

    @Test("F6 R13.2 A value is on the disk before it takes the other's name, and the name before anybody is told")
    func order() async throws {
        let calls = try await steps().store.filter { ["write", "synchronize", "rename"].contains($0) }
        #expect(calls == ["write", "synchronize", "rename", "synchronize"])
    }

    @Test("F6 R13.2 A directory that is made has its name on the disk before anything is written into it")
    func directories() async throws {
        let files = FaultyFiles()
        try await TemporaryDirectory.store(directory.path + "/made/anew", files, files).write(new, for: .session)
        // The first attempts find the one above missing. The key is written first.
        let made = files.calls.indices.filter { index in
            Array(files.calls[index...].prefix(3)) == ["make", "open directory", "synchronize"]
        }
        let written = try #require(files.calls.firstIndex(of: "write"))
        #expect(made.count == 4 && made.count { $0 < written } == 3)
    }

    @Test(
        "F6 F7 Killed before each call that writing makes, there is the old value or the new one, and the next write works"
    )
    func killed() async throws {
        let calls = try await steps().store
        for step in Self.changing(calls) {
            try await directory.store().write(old, for: .session)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = directory.path as String, new = new as [UInt8], step = step as Int] in
                let files = FaultyFiles(.kills(step))
                try await TemporaryDirectory.store(path, files).write(new, for: .session)
            }
            let read = try await directory.store().read(.session)
            // Until it has the other's name nobody sees it, and then everybody does.
            #expect(read == (step < calls.count ? old : new), "killed before call \(step) of \(calls)")
            try await directory.store().write(new, for: .session)
            #expect(try await directory.store().read(.session) == new)
        }
    }

    @Test("F6 Killed before each call that making the first key and value makes, the next start makes both")
    func killedAtFirst() async throws {
        let keyFiles = FaultyFiles()
        mkdir(directory.path + "/counted", 0o700)
        try await TemporaryDirectory.store(directory.path + "/counted", SystemFiles(), keyFiles).write(
            old, for: .session)
        for step in Self.changing(keyFiles.calls) {
            let path = "\(directory.path)/\(step)"
            mkdir(path, 0o700)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, new = new as [UInt8], step = step as Int] in
                let files = FaultyFiles(.kills(step))
                try await TemporaryDirectory.store(path, SystemFiles(), files).write(new, for: .session)
            }
            let store = TemporaryDirectory.store(path)
            #expect(try await store.read(.session) == nil)
            try await store.write(new, for: .session)
            #expect(try await store.read(.session) == new)
        }
    }

    @Test(
        "F8 R13.2 Each call of a write fails: the error says so, and there is the old value or the new one",
        arguments: [EIO, EACCES, ENOSPC, EDQUOT, EROFS])
    func failing(code: Int32) async throws {
        let steps = try await steps()
        for step in 1...steps.store.count {
            for fault in [FaultyFiles.Fault.fails(step, code), .failsFrom(step, code)] {
                try await directory.store().write(old, for: .session)
                let error = await storeError { try await directory.store(fault).write(new, for: .session) }
                let full = code == ENOSPC || code == EDQUOT
                #expect(full ? error == .full : isUnavailable(error), "call \(step): \(steps.store[step - 1])")
                let read = try await directory.store().read(.session)
                #expect(read == (step < steps.store.count ? old : new), "call \(step): \(steps.store[step - 1])")
            }
        }
        // The key is looked at before, and once more when the value is on the disk: that it can't be then takes nothing
        // back.
        for step in 1...steps.key.count {
            try await directory.store().write(old, for: .session)
            let isBefore = step <= steps.key.count / 2
            let error = await storeError {
                try await directory.store(keyFault: .fails(step, code)).write(new, for: .session)
            }
            #expect((error != nil) == isBefore, "call \(step): \(steps.key[step - 1])")
            #expect(try await directory.store().read(.session) == (isBefore ? old : new))
        }
        try await directory.store().write(new, for: .session)
        #expect(try await directory.store().read(.session) == new)
    }

    @Test("R13.2 A full disk keeps the old value, and what was half written takes no room")
    func full() async throws {
        let steps = try await steps().store
        let write = try #require(steps.firstIndex(of: "write")) + 1
        #expect(
            await storeError { try await directory.store(.fails(write, ENOSPC)).write(new, for: .session) } == .full)
        #expect(try await directory.store().read(.session) == old)
        #expect(directory.bytes(TemporaryDirectory.session + ".new") == nil)
    }

    @Test(
        "F8 Each call of a read fails: it is unavailable, not absent and not damaged, and nothing is touched",
        arguments: [EIO, EACCES])
    func unreadable(code: Int32) async throws {
        try await directory.store().write(old, for: .session)
        let (files, keyFiles) = (FaultyFiles(), FaultyFiles())
        _ = try await TemporaryDirectory.store(directory.path, files, keyFiles).read(.session)
        let before = directory.bytes(TemporaryDirectory.session)
        for step in 1...files.calls.count {
            #expect(isUnavailable(await storeError { try await directory.store(.fails(step, code)).read(.session) }))
        }
        for step in 1...keyFiles.calls.count {
            let fault = FaultyFiles.Fault.fails(step, code)
            #expect(isUnavailable(await storeError { try await directory.store(keyFault: fault).read(.session) }))
        }
        #expect(directory.bytes(TemporaryDirectory.session) == before)
        #expect(directory.bytes(TemporaryDirectory.session + ".damaged") == nil)
        #expect(try await directory.store().read(.session) == old)
    }

    @Test(
        "F8 A file without any permission is unavailable, and read again once it has them",
        .enabled(if: geteuid() != 0, "the superuser reads everything; the injected fault shows the same"))
    func withoutPermission() async throws {
        try await directory.store().write(old, for: .session)
        try directory.permit(0o000, TemporaryDirectory.session)
        #expect(isUnavailable(await storeError { try await directory.store().read(.session) }))
        try directory.permit(0o600, TemporaryDirectory.session)
        #expect(try await directory.store().read(.session) == old)
    }

    @Test("R13.2 A disk that takes a byte at a time is written to the end")
    func shortWrites() async throws {
        try await directory.store(.shortWrites, keyFault: .shortWrites).write(new, for: .session)
        #expect(try await directory.store().read(.session) == new)
    }

    @Test("F8 What is damaged and can't be put aside is unavailable, and still there")
    func cannotPutAside() async throws {
        try await directory.store().write(old, for: .session)
        try directory.write([1, 2, 3], to: TemporaryDirectory.session)
        let files = FaultyFiles()
        let path = directory.path
        _ = await storeError { try await TemporaryDirectory.store(path, files).read(.session) }
        let rename = try #require(files.calls.firstIndex(of: "rename")) + 1
        try directory.write([1, 2, 3], to: TemporaryDirectory.session)
        #expect(isUnavailable(await storeError { try await directory.store(.fails(rename, EROFS)).read(.session) }))
        #expect(directory.bytes(TemporaryDirectory.session) == [1, 2, 3])
    }
}
