// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

@Suite("Whose an identifier is")
struct IdentifierOwnerTests {
    @Test(
        "Whoever has it for a name is found, however names were told apart when it was given, and nothing is asked twice"
    )
    func names() async throws {
        let bench = try await AccountBench()
        let (store, directory) = (RecordingStore(bench.ports.store), bench.directory.id)
        for (name, isCaseSensitive) in [("Exact", true), ("Folded", false)] {
            var user = User(id: bench.ports.random.identifier(), directoryID: directory, createdAt: bench.now)
            user.username = try Username(name, isCaseSensitive: isCaseSensitive)
            let made = user
            try await bench.ports.store.write { try $0.insert(made) }
        }
        let cases: [(text: String, owner: String?, questions: Int)] = [
            ("Exact", "Exact", 3), ("exact", nil, 2), ("FOLDED", "Folded", 2), ("folded", "Folded", 2),
            ("aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", nil, 2), ("Nobody", nil, 3), ("no name", nil, 1),
        ]
        for (text, owner, questions) in cases {
            let found = try await store.read { try $0.owner(of: text, in: directory) }
            #expect(found?.username?.rawValue == owner, "\(text)")
            #expect(store.taken().count == questions, "\(text)")
        }
    }
}
