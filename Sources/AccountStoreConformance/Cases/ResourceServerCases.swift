// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let resourceServers: [ConformanceCase] = [
        ConformanceCase("a resource server keeps every field and is found by its exact identifier") { world in
            let full = Sample.resourceServer("https://api.example/b", in: world.home)
            var bare = Sample.resourceServer("a", in: world.home)
            bare.scopes = []
            let elsewhere = Sample.resourceServer("c", in: world.other)
            try await world.write { [bare] tx in
                for server in [full, bare, elsewhere] { try tx.insert(server) }
            }
            try expectEqual(
                try await world.read { try $0.resourceServers(in: world.home) }, [bare, full], "in order")
            for (identifier, directory, wanted) in [
                ("a", world.home, bare), ("https://api.example/b", world.home, full), ("c", world.home, nil),
                ("c", world.other, elsewhere), ("A", world.home, nil), ("", world.home, nil),
            ] as [(String, DirectoryID, ResourceServer?)] {
                let found = try await world.read { try $0.resourceServer(identifier, in: directory) }
                try expectEqual(found, wanted, identifier)
            }
        },
        ConformanceCase("a resource server's identifier is given once in a Directory") { world in
            let server = Sample.resourceServer("a", in: world.home)
            try await world.write { try $0.insert(server) }
            try await expectConflict(.duplicate("resource_server.identifier"), "insert") {
                try await world.write { try $0.insert(server) }
            }
            try await world.write { try $0.insert(Sample.resourceServer("a", in: world.other)) }
        },
        ConformanceCase("a resource server is changed and deleted in its Directory only") { world in
            let server = Sample.resourceServer("a", in: world.home)
            try await world.write { try $0.insert(server) }
            var changed = server
            changed.name = "renamed"
            changed.scopes = [ResourceServer.Scope(name: "z", description: "“Σ”")]
            changed.updatedAt = Sample.at(20)
            var foreign = changed
            foreign.directoryID = world.other
            try await expectStale("elsewhere") { [foreign] in try await world.write { try $0.update(foreign) } }
            try await world.write { [changed] in try $0.update(changed) }
            try expectEqual(try await world.read { try $0.resourceServers(in: world.home) }, [changed], "changed")
            try expect(try await world.write { try !$0.deleteResourceServer("a", in: world.other) }, "elsewhere")
            try expect(try await world.write { try $0.deleteResourceServer("a", in: world.home) }, "was there")
            try expect(try await world.write { try !$0.deleteResourceServer("a", in: world.home) }, "is gone")
            try await expectStale("one that is gone") { [changed] in try await world.write { try $0.update(changed) } }
        },
    ]
}
