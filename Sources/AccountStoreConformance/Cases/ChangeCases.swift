// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let changes: [ConformanceCase] = [
        ConformanceCase("each change of what servers keep copies of is counted with it, and nothing else is") { world in
            func changed(
                _ what: String, _ topics: Set<StoreTopic>, _ body: @Sendable @escaping (any StoreWriting) throws -> Void
            ) async throws {
                let before = try await world.read { try $0.changeCounts() }
                try await world.write { try body($0) }
                let after = try await world.read { try $0.changeCounts() }
                try expectEqual(Set(StoreTopic.allCases.filter { before[$0] != after[$0] }), topics, what)
                for topic in topics { try expect(before[topic] ?? 0 < after[topic] ?? 0, "\(what): \(topic)") }
            }
            let home = world.home
            let (client, key) = (Sample.client("app", in: home), Sample.signingKey("key", in: home))
            let provider = Sample.identityProvider("google", in: home)
            let domain = Sample.domain("one", .prefix, in: home)
            try await changed("client", [.clients]) { try $0.insert(client) }
            try await changed("changed client", [.clients]) { tx in
                guard let client = try tx.client(client.id) else { return }
                try tx.update(client)
            }
            try await changed("key", [.signingKeys]) { try $0.insert(key) }
            try await changed("changed key", [.signingKeys]) { try $0.update(key) }
            try await changed("provider", [.identityProviders]) { try $0.insert(provider) }
            try await changed("changed provider", [.identityProviders]) { tx in
                guard let provider = try tx.identityProvider(named: "google", in: home) else { return }
                try tx.update(provider)
            }
            try await changed("domain", [.directories]) { try $0.insert(domain) }
            try await changed("changed domain", [.directories]) { try $0.update(domain) }
            try await changed("Directory", [.directories]) { tx in
                guard let directory = try tx.directory(home) else { return }
                try tx.update(directory)
            }
            try await changed("user", []) { try $0.insert(Sample.user("ann", in: home)) }
            try await changed("what is not there", []) { tx in
                _ = try tx.deleteClient(ClientID("none"), in: home)
                _ = try tx.deleteSigningKey(SigningKeyID("none"), in: home)
                _ = try tx.deleteIdentityProvider(named: "none", in: home)
                _ = try tx.deleteDomain(named: "none", in: home)
            }
            try await changed("less of each", Set(StoreTopic.allCases)) { tx in
                _ = try tx.deleteClient(client.id, in: home)
                _ = try tx.deleteSigningKey(key.id, in: home)
                _ = try tx.deleteIdentityProvider(named: "google", in: home)
                _ = try tx.deleteDomain(named: "one", in: home)
            }
            try await changed("a Directory with all that it has", Set(StoreTopic.allCases)) { tx in
                _ = try tx.deleteDirectory(home)
            }
        },
        ConformanceCase("a change that is taken back is not counted") { world in
            struct Refusal: Error {}
            let before = try await world.read { try $0.changeCounts() }
            do {
                try await world.write { tx in
                    try tx.insert(Sample.client("app", in: DirectoryID("home")))
                    throw Refusal()
                }
            } catch is Refusal {}
            try expectEqual(try await world.read { try $0.changeCounts() }, before, "after")
        },
        ConformanceCase("of changes made at once, none is counted for another") { world in
            let before = try await world.read { try $0.changeCounts() }[.clients] ?? 0
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<12 {
                    group.addTask {
                        try await world.write { try $0.insert(Sample.client("app\(index)", in: world.home)) }
                    }
                }
                try await group.waitForAll()
            }
            try expectEqual(try await world.read { try $0.changeCounts() }[.clients] ?? 0, before + 12, "clients")
        },
    ]
}
