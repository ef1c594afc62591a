// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let rememberedDevices: [ConformanceCase] = [
        ConformanceCase("G-6 a remembered device comes back as it was written, and as it was changed") { world in
            let ann = try await world.addUser("ann")
            let device = sample("b", of: ann)
            try await world.write { try $0.insert(device) }
            try await expectStored(device, world)
            var changed = device
            changed.isRemembered = false
            changed.assurance = .aal1
            changed.name = nil
            changed.truncatedAddress = nil
            changed.updatedAt = Sample.at(20)
            changed.lastUsedAt = Sample.at(21)
            try await world.write { [changed] in try $0.update(changed) }
            try await expectStored(changed, world)
            try await expectConflict(.duplicate("device.id"), "insert") {
                try await world.write { try $0.insert(device) }
            }
            try await expectStale("one that is gone") {
                try await world.write { try $0.update(sample("none", of: ann)) }
            }
        },
        ConformanceCase("G-6 a user's devices are listed in the order of their identifiers, and nobody else's") {
            world in
            let (ann, ben) = (try await world.addUser("ann"), try await world.addUser("ben"))
            try await world.write { tx in
                for id in ["c", "a", "b"] { try tx.insert(sample(id, of: ann)) }
                try tx.insert(sample("d", of: ben))
            }
            func listed(_ user: User, in directory: DirectoryID) async throws -> [String] {
                try await world.read { try $0.rememberedDevices(of: user.id, in: directory).map(\.id.rawValue) }
            }
            try expectEqual(try await listed(ann, in: world.home), ["a", "b", "c"], "list")
            try expectEqual(try await listed(ann, in: world.other), [], "elsewhere")
            let deleted = try await world.write { tx in
                [
                    try tx.deleteRememberedDevice(RememberedDeviceID("a"), in: world.other),
                    try tx.deleteRememberedDevice(RememberedDeviceID("a"), in: world.home),
                    try tx.deleteRememberedDevice(RememberedDeviceID("a"), in: world.home),
                ]
            }
            try expectEqual(deleted, [false, true, false], "one")
            try expectEqual(
                try await world.write { try $0.deleteRememberedDevices(of: ann.id, in: world.home) }, 2, "all")
            try expectEqual(try await listed(ann, in: world.home), [], "none")
            try expectEqual(try await listed(ben, in: world.home), ["d"], "another's")
            _ = try await world.write { try $0.deleteUser(ben.id, in: world.home) }
            try expectEqual(try await listed(ben, in: world.home), [], "with its user")
        },
    ]

    private static func sample(_ id: String, of user: User) -> RememberedDevice {
        RememberedDevice(
            id: RememberedDeviceID(id), directoryID: user.directoryID, userID: user.id,
            verifier: SRPVerifier(salt: Sample.hash("salt"), verifier: Secret(Sample.hash("verifier"))),
            isRemembered: true, assurance: .aal2, name: "Zoë’s laptop", truncatedAddress: "192.0.2.0",
            createdAt: Sample.at(1), updatedAt: Sample.at(2), lastUsedAt: Sample.at(3))
    }

    private static func expectStored(_ device: RememberedDevice, _ world: World) async throws {
        let stored = try await world.read { try $0.rememberedDevice(device.id, in: world.home) }
        // With the verifier, which no description shows.
        try expect(stored == device, "stored")
        let elsewhere = try await world.read { try $0.rememberedDevice(device.id, in: world.other) }
        try expect(elsewhere == nil, "in another Directory")
    }
}
