// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Foundation
import Testing

@testable import ClientStorage

struct DamagedStoreTests {
    private let directory: TemporaryDirectory
    private let value = Array("a session".utf8)

    init() throws { directory = try TemporaryDirectory() }

    @Test("F7 Y-E3 What is damaged is put aside and said to be so once; then nothing is kept, and writing works")
    func once() async throws {
        let store = directory.store()
        try await store.write(value, for: .session)
        var damaged = try #require(directory.bytes(TemporaryDirectory.session))
        damaged[damaged.count - 1] ^= 1
        try directory.write(damaged, to: TemporaryDirectory.session)
        let aside = TemporaryDirectory.session + ".damaged"
        let error = await storeError { try await store.read(.session) }
        #expect(error == .corrupted(quarantined: "\(directory.path)/\(aside)"))
        #expect(directory.bytes(aside) == damaged)
        #expect(try await store.read(.session) == nil)
        try await store.write(value, for: .session)
        #expect(try await store.read(.session) == value)
    }

    @Test("F7 Every single bit that flips, every truncation and everything appended is seen")
    func everyBit() async throws {
        let store = EncryptedFileStore(directory: directory.path + "/store", key: FixedKey())
        try await store.write(value, for: .session)
        let whole = try #require(directory.bytes(TemporaryDirectory.session))
        var damaged: [[UInt8]] = []
        for place in whole.indices {
            for bit in 0..<8 {
                var flipped = whole
                flipped[place] ^= 1 << UInt8(bit)
                damaged.append(flipped)
            }
        }
        damaged += whole.indices.map { Array(whole[..<$0]) }
        damaged += [whole + [0], whole + whole, [UInt8](repeating: 0, count: whole.count)]
        for bytes in damaged {
            try directory.write(bytes, to: TemporaryDirectory.session)
            let error = await storeError { try await store.read(.session) }
            guard case .corrupted = error else {
                Issue.record("\(bytes) is \(String(describing: error))")
                continue
            }
            #expect(directory.bytes(TemporaryDirectory.session) == nil)
        }
    }

    @Test("F7 Of values at random, cut and changed at random, none is read as another")
    func random() async throws {
        var generator = SystemRandomNumberGenerator()
        let key = try await FixedKey().key(fresh: false)
        for _ in 0..<2000 {
            let value = SystemRandomSource().bytes(Int.random(in: 0..<200, using: &generator))
            var text = try SealedValue.sealed(value, as: "k", with: key, random: SystemRandomSource())
            #expect(try SealedValue.opened(text, as: "k", with: key) == value)
            let whole = text
            for _ in 0..<Int.random(in: 1..<5, using: &generator) where !text.isEmpty {
                text[Int.random(in: text.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) { text.removeLast(Int.random(in: 0...text.count, using: &generator)) }
            if text != whole {
                #expect(throws: SealedValue.Fault.self) { try SealedValue.opened(text, as: "k", with: key) }
            }
        }
    }

    @Test("F7 Without its key everything is damaged, once each, and nobody crashes")
    func lostKey() async throws {
        try await directory.store().write(value, for: .session)
        try await directory.store().write(value, for: .lastValidated)
        try FileManager.default.removeItem(atPath: directory.path + "/key/store.key")
        let store = directory.store()
        for key in [SecureStoreKey.session, .lastValidated] {
            guard case .corrupted = await storeError({ try await store.read(key) }) else {
                Issue.record("\(key) was read")
                continue
            }
            #expect(try await store.read(key) == nil)
            try await store.write(value, for: key)
            #expect(try await store.read(key) == value)
        }
    }

    @Test("F7 A damaged key is put aside itself, and another is made")
    func damagedKey() async throws {
        try await directory.store().write(value, for: .session)
        let whole = try #require(directory.bytes("key/store.key"))
        for place in whole.indices {
            var flipped = whole
            flipped[place] ^= 0x10
            try directory.write(flipped, to: "key/store.key")
            let key = try await KeyFile(directory: directory.path + "/key").key(fresh: true)
            #expect(key.bytes.reveal() != Array(whole[5..<37]))
            #expect(directory.bytes("key/store.key.damaged") == flipped)
        }
        guard case .corrupted = await storeError({ try await directory.store().read(.session) }) else {
            Issue.record("read by another key")
            return
        }
    }

    @Test("F7 R13.2 What a later version wrote is not damaged: it is left where it is")
    func laterVersion() async throws {
        let store = directory.store()
        try await store.write(value, for: .session)
        let later = Array("LKSV".utf8) + [2] + [UInt8](repeating: 9, count: 80)
        try directory.write(later, to: TemporaryDirectory.session)
        for _ in 0..<2 { #expect(isUnavailable(await storeError { try await store.read(.session) })) }
        #expect(directory.bytes(TemporaryDirectory.session) == later)
        let laterKey = Array("LKSK".utf8) + [3] + [UInt8](repeating: 9, count: 80)
        try directory.write(laterKey, to: "key/store.key")
        #expect(isUnavailable(await storeError { try await store.write(value, for: .session) }))
        #expect(directory.bytes("key/store.key") == laterKey)
    }

    @Test(
        "F8 While the key can't be had nothing is damaged and nothing is replaced",
        arguments: [
            SecureStoreError.locked, .unavailable(reason: "no bus"),
        ])
    func keyLocked(error: SecureStoreError) async throws {
        let open = EncryptedFileStore(directory: directory.path + "/store", key: FixedKey())
        let closed = EncryptedFileStore(directory: directory.path + "/store", key: FixedKey(error: error))
        try await open.write(value, for: .session)
        #expect(await storeError { try await closed.read(.session) } == error)
        #expect(await storeError { try await closed.write([1], for: .session) } == error)
        #expect(try await open.read(.session) == value)
        // Clearing needs no key (G-13.3).
        try await closed.remove(.session)
        #expect(try await open.read(.session) == nil)
    }

    @Test("F5 F7 A store that remembers a key looks for a newer one before it calls anything damaged")
    func keyReplaced() async throws {
        let source = RememberedKey()
        let store = EncryptedFileStore(directory: directory.path + "/store", key: source)
        try await store.write(value, for: .session)
        try await EncryptedFileStore(directory: directory.path + "/store", key: FixedKey(byte: 9))
            .write([1, 2], for: .session)
        #expect(try await store.read(.session) == [1, 2])
    }

    /// Has an old key in memory, and a newer one where it lasts.
    private struct RememberedKey: StoreKeySource {
        func key(fresh: Bool) async throws(SecureStoreError) -> StoreKey {
            try await FixedKey(byte: fresh ? 9 : 7).key(fresh: fresh)
        }
    }
}
