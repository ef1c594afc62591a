// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Foundation
import Testing

@testable import ClientStorage

struct EncryptedFileStoreTests {
    private let directory: TemporaryDirectory
    private let secret = Array("a refresh token that nobody may see".utf8)

    init() throws { directory = try TemporaryDirectory() }

    @Test("R13.2 Y-FR3 G-5.1 What is written is read at the next start, and the files hold nothing of it")
    func roundTrip() async throws {
        try await directory.store().write(secret, for: .session)
        #expect(try await directory.store().read(.session) == secret)
        let file = try #require(directory.bytes(TemporaryDirectory.session))
        #expect(file.firstRange(of: secret) == nil && file.firstRange(of: secret.prefix(8)) == nil)
        try await directory.store().write([], for: .session)
        #expect(try await directory.store().read(.session) == [])
    }

    @Test("R13.2 Nothing is kept: that is no error, and asks for no key")
    func absent() async throws {
        let store = EncryptedFileStore(
            directory: directory.path + "/none", key: FixedKey(error: .locked))
        #expect(try await store.read(.session) == nil)
        try await store.remove(.session)
        #expect(directory.names.isEmpty)
    }

    @Test("G-5.1 R13.2 Directories are their owner's alone (0700), and so are files (0600)")
    func permissions() async throws {
        try await directory.store().write(secret, for: .session)
        try await directory.store().exclusively(.session) {}
        #expect(try directory.permissions("store") == 0o700 && directory.permissions("key") == 0o700)
        for name in [TemporaryDirectory.session, "store/auth.session.lock", "key/store.key"] {
            #expect(try directory.permissions(name) == 0o600, "\(name)")
        }
    }

    @Test(
        "G-5.1 R13.2 What is open to others is refused by name, and not touched",
        arguments: [
            ("store", 0o755), ("store", 0o710), ("store/auth.session.sealed", 0o644), ("key", 0o750),
            ("key/store.key", 0o640),
        ])
    func openToOthers(name: String, mode: Int) async throws {
        try await directory.store().write(secret, for: .session)
        let before = directory.bytes(TemporaryDirectory.session)
        try directory.permit(mode, name)
        let error = await storeError { try await directory.store().read(.session) }
        guard case .unavailable(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("is open to others (mode \(String(mode, radix: 8)))"))
        #expect(directory.bytes(TemporaryDirectory.session) == before)
        try directory.permit(name.contains("/s") || name.contains("/a") ? 0o600 : 0o700, name)
        #expect(try await directory.store().read(.session) == secret)
    }

    @Test("R13.2 A link, a pipe or a directory in a file's place is refused, and nobody waits for it")
    func otherKinds() async throws {
        let store = directory.store()
        try await store.write(secret, for: .session)
        let place = "\(directory.path)/\(TemporaryDirectory.session)"
        try FileManager.default.moveItem(atPath: place, toPath: place + ".moved")
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: place + ".moved")
        #expect(isUnavailable(await storeError { try await store.read(.session) }))
        try FileManager.default.removeItem(atPath: place)
        mkfifo(place, 0o600)
        #expect(isUnavailable(await storeError { try await store.read(.session) }))
        try FileManager.default.removeItem(atPath: place)
        mkdir(place, 0o700)
        #expect(isUnavailable(await storeError { try await store.read(.session) }))
    }

    @Test("R13.2 No value can be put in another's place")
    func movedToAnotherName() async throws {
        let store = directory.store()
        try await store.write(secret, for: .session)
        try directory.write(try #require(directory.bytes(TemporaryDirectory.session)), to: "store/other.sealed")
        let error = await storeError { try await store.read(SecureStoreKey(rawValue: "other")) }
        #expect(error == .corrupted(quarantined: "\(directory.path)/store/other.sealed.damaged"))
        #expect(try await store.read(.session) == secret)
    }

    @Test("R13.2 Each key has files of its own, on file systems that know no case too")
    func names() async throws {
        let keys = ["a", "A", "a.b", "a/b", "../a", "", "%61", "ä", "a ", "auth.session.lastValidated"]
        let names = try keys.map { try StoredName(SecureStoreKey(rawValue: $0)).value }
        #expect(Set(names.map { $0.lowercased() }).count == keys.count)
        #expect(names.allSatisfy { !$0.contains("/") })
        #expect(names.last == "auth.session.last%56alidated.sealed")
        let long = SecureStoreKey(rawValue: String(repeating: "k", count: 201))
        #expect(isUnavailable(await storeError { try await directory.store().write([1], for: long) }))
    }

    @Test("R13.2 A value longer than the store takes is refused, and the old one stays")
    func bounded() async throws {
        let store = directory.store()
        let longest = [UInt8](repeating: 1, count: EncryptedFileStore.limit)
        try await store.write(longest, for: .session)
        #expect(isUnavailable(await storeError { try await store.write(longest + [1], for: .session) }))
        #expect(try await store.read(.session) == longest)
    }

    @Test("G-13.3 G-5.6 Removing leaves nothing: not what a crash left, and not what was put aside")
    func removing() async throws {
        let store = directory.store()
        try await store.write(secret, for: .session)
        try directory.write([1], to: TemporaryDirectory.session)
        #expect(await storeError { try await store.read(.session) } != nil)
        try await store.write(secret, for: .session)
        try directory.write([1], to: TemporaryDirectory.session + ".new")
        try await store.write(secret, for: .lastValidated)
        try await store.remove(.session)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.path + "/store")
                == ["auth.session.last%56alidated.sealed"])
        #expect(try await store.read(.session) == nil)
    }
}
