// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let clients: [ConformanceCase] = [
        ConformanceCase("a client keeps every field") { world in
            let full = Sample.client("full", in: world.home)
            let bare = Client(
                id: ClientID("bare"), directoryID: world.home, name: "", createdAt: Sample.now, updatedAt: Sample.now)
            try await world.write { tx in
                try tx.insert(full)
                try tx.insert(bare)
            }
            for wanted in [full, bare] {
                let found = try await world.read { try $0.client(wanted.id) }
                // The settings hold a set, which prints in any order.
                try expectEqual(found?.settings, wanted.settings, "settings")
                try expectEqual(found?.secrets.map(\.id), wanted.secrets.map(\.id), "secrets")
                try expectEqual(found?.secrets.map(\.hash), wanted.secrets.map(\.hash), "hashes")
                try expectEqual(
                    found?.secrets.map { $0.text?.reveal() }, wanted.secrets.map { $0.text?.reveal() }, "texts")
                try expectEqual(found?.secrets.map(\.createdAt), wanted.secrets.map(\.createdAt), "ages")
                try expectEqual(found?.name, wanted.name, "name")
                try expectEqual(found?.dialect, wanted.dialect, "dialect")
                try expectEqual(found?.directoryID, world.home, "Directory")
                try expectEqual(found?.createdAt, wanted.createdAt, "created")
                try expectEqual(found?.updatedAt, wanted.updatedAt, "updated")
                try expectEqual(found?.version, wanted.version, "version")
            }
            try expect(try await world.read { try $0.client(ClientID("none")) } == nil, "none")
        },
        ConformanceCase("clients in a list have each their own secrets and places, and lose them to nobody") { world in
            try await world.write { tx in
                for (id, directory) in [("a", world.home), ("b", world.home), ("x", world.other)] {
                    var client = Sample.client(id, in: directory)
                    client.settings.authorization.redirectURIs.append("https://\(id).example/")
                    try tx.insert(client)
                }
                _ = try tx.deleteClient(ClientID("b"), in: world.home)
                var client = Sample.client("c", in: world.home)
                client.settings.authorization.redirectURIs = []
                try tx.insert(client)
            }
            for (directory, ids) in [(world.home, ["a", "c"]), (world.other, ["x"])] {
                let listed = try await world.read { try $0.clients(in: directory) }
                try expectEqual(listed.map(\.id.rawValue), ids, "clients")
                for client in listed {
                    let alone = try await world.read { try $0.client(client.id) }
                    try expectEqual(client.settings, alone?.settings, "settings")
                    try expectEqual(
                        client.secrets.map(\.id.rawValue),
                        ["new of " + client.id.rawValue, "old of " + client.id.rawValue],
                        "secrets")
                }
            }
        },
        ConformanceCase("a client's version is what its row has, and a client that is known by it is as it is stored") {
            world in
            let client = Sample.client("one", in: world.home)
            try await world.write { try $0.insert(client) }
            let versions = try await world.read {
                (try $0.clientVersion(client.id), try $0.clientVersion(ClientID("none")))
            }
            try expectEqual(versions.0, client.version, "version")
            try expectEqual(versions.1, nil, "none")
            let known = { (client: Client) in
                var known = client
                known.name = "as it was read before"
                return known
            }(client)
            let same = try await world.read { try $0.client(client.id, knownAs: known) }
            try expectEqual(same?.name, known.name, "known")
            let bare = { (client: Client) in
                var bare = client
                bare.secrets = []
                return bare
            }(client)
            try await world.write { try $0.update(bare) }
            let changed = try await world.read { try $0.client(client.id, knownAs: known) }
            try expectEqual(changed?.version, client.version + 1, "raised")
            try expectEqual(changed?.secrets.count, 0, "read anew")
            _ = try await world.write { try $0.deleteClient(client.id, in: world.home) }
            try expect(try await world.read { try $0.client(client.id, knownAs: known) } == nil, "gone")
        },
        ConformanceCase("an identifier names one client of the whole store") { world in
            let client = Sample.client("one", in: world.home)
            let twin = Sample.client("one", in: world.other)
            try await world.write { try $0.insert(client) }
            for taken in [client, twin] {
                try await expectConflict(.duplicate("client.id"), "insertion") {
                    try await world.write { try $0.insert(taken) }
                }
            }
            let found = try await world.read { try $0.client(client.id) }
            try expectEqual(found?.directoryID, world.home, "unchanged")
        },
        ConformanceCase("a Directory's clients are listed, the oldest first") { world in
            try await world.write { tx in
                for (id, second) in [("c", 2), ("a", 3), ("b", 1), ("d", 2)] {
                    var client = Sample.client(id, in: world.home)
                    client.createdAt = Sample.at(Int64(second))
                    try tx.insert(client)
                }
                try tx.insert(Sample.client("x", in: world.other))
            }
            let ids = try await world.read { try $0.clients(in: world.home).map(\.id.rawValue) }
            try expectEqual(ids, ["b", "c", "d", "a"], "order")
        },
        ConformanceCase("a client's update holds for the version it read, in its Directory only") { world in
            let client = Sample.client("one", in: world.home)
            try await world.write { try $0.insert(client) }
            var changed = client
            changed.name = "another"
            changed.secrets = []
            changed.settings = ClientSettings()
            changed.updatedAt = Sample.at(9)
            try await world.write { [changed] in try $0.update(changed) }
            let found = try await world.read { try $0.client(client.id) }
            try expectEqual(found?.name, "another", "name")
            try expectEqual(found?.secrets.count, 0, "secrets")
            try expectEqual(found?.settings, ClientSettings(), "settings")
            try expectEqual(found?.version, client.version + 1, "version")
            try await expectStale("the version before") { [changed] in
                try await world.write { try $0.update(changed) }
            }
            var foreign = changed
            foreign.version += 1
            foreign.directoryID = world.other
            try await expectStale("elsewhere") { [foreign] in try await world.write { try $0.update(foreign) } }
            try expect(try await world.write { try !$0.deleteClient(client.id, in: world.other) }, "deleted elsewhere")
            try expect(try await world.write { try $0.deleteClient(client.id, in: world.home) }, "was there")
            try expect(try await world.write { try !$0.deleteClient(client.id, in: world.home) }, "is gone")
        },
    ]
}
