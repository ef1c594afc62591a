// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Foundation
import Testing

@testable import ClientStorage

struct KeyFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test("F5 R13.2 However many ask for the first key at once, all get the same")
    func raced() async throws {
        let path = directory.path + "/key"
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<50 {
                group.addTask { try await KeyFile(directory: path).key(fresh: false).bytes.reveal() }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1 && keys.first?.count == StoreKey.length)
    }

    @Test("F5 R13.2 And so do processes: what each wrote with its key, all can read")
    func racedByProcesses() async throws {
        let path = directory.path
        await withTaskGroup(of: Void.self) { group in
            for name in ["one", "two", "three"] {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, name = name as String] in
                        let key = SecureStoreKey(rawValue: name)
                        try await TemporaryDirectory.store(path).write(Array(name.utf8), for: key)
                    }
                }
            }
        }
        for name in ["one", "two", "three"] {
            #expect(try await directory.store().read(SecureStoreKey(rawValue: name)) == Array(name.utf8))
        }
    }

    @Test("R13.2 F5 A store that runs writes with the key that another process has put in the place of a damaged one")
    func replaced() async throws {
        let (first, second) = (directory.store(), directory.store())
        try await first.write([1], for: .session)
        try directory.write([1, 2, 3], to: "key/store.key")
        try await second.write([2], for: .privacyConsent)
        try await first.write([3], for: .session)
        #expect(try await second.read(.session) == [3])
        #expect(try await first.read(.privacyConsent) == [2])
    }

    @Test("R13.2 A key has 32 bytes, is not printed, and is named without being told")
    func keys() async throws {
        #expect(StoreKey(Secret([UInt8](repeating: 0, count: 31))) == nil)
        let key = try #require(StoreKey(Secret([UInt8](repeating: 0xAB, count: 32))))
        #expect(!"\(key)".contains("171"))
        #expect(key.identifier.count == 8 && key.identifier != [UInt8](repeating: 0xAB, count: 8))
    }
}
