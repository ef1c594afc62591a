// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension StoreConformance {
    static let deviceAuthorizations: [ConformanceCase] = [
        ConformanceCase("R11.9 a device's request keeps every field, and is found by either code in its Directory") {
            world in
            try await world.write { try $0.insert(Sample.client("app", in: world.home)) }
            let full = Sample.device("full", in: world.home)
            let bare = DeviceAuthorization(
                id: DeviceAuthorizationID("bare"), directoryID: world.home, clientID: ClientID("app"),
                deviceHash: Sample.hash("device"), userHash: Sample.hash("user"), scopes: [], interval: 5,
                createdAt: Sample.at(1), expiresAt: Sample.at(2))
            try await world.write { tx in
                try tx.insert(full)
                try tx.insert(bare)
            }
            for wanted in [full, bare] {
                let found = try await world.read { tx in
                    [
                        try tx.deviceAuthorization(deviceHash: wanted.deviceHash, in: world.home),
                        try tx.deviceAuthorization(userHash: wanted.userHash, in: world.home),
                    ]
                }
                try expectEqual(found, [wanted, wanted], "found")
                let other = try await world.read { tx in
                    [
                        try tx.deviceAuthorization(deviceHash: wanted.deviceHash, in: world.other),
                        try tx.deviceAuthorization(userHash: wanted.userHash, in: world.other),
                        try tx.deviceAuthorization(deviceHash: wanted.userHash, in: world.home),
                    ]
                }
                try expectEqual(other, [nil, nil, nil], "elsewhere")
            }
        },
        ConformanceCase("R11.9 a device's request is answered once and used once, and remembers when it was polled") {
            world in
            try await world.write { try $0.insert(Sample.client("app", in: world.home)) }
            var device = Sample.device("one", in: world.home)
            (device.allowedIn, device.isDenied, device.usedAt) = (nil, false, nil)
            let stored = device
            try await world.write { try $0.insert(stored) }
            (device.interval, device.polledAt) = (15, Sample.at(7))
            let polled = device
            try await world.write { try $0.notePoll(polled) }
            func found() async throws -> DeviceAuthorization? {
                try await world.read { try $0.deviceAuthorization(userHash: stored.userHash, in: world.home) }
            }
            try expectEqual(try await found(), .some(polled), "polled")
            let answered = try await race(20) { index in
                var answer = polled
                if index.isMultiple(of: 2) { answer.allowedIn = SessionID("s\(index)") } else { answer.isDenied = true }
                let made = answer
                return try await world.write { try $0.answer(made) }
            }
            try expectEqual(answered.count { $0 }, 1, "answers")
            let won = try await race(50) { index in
                try await world.write { try $0.use(stored.id, at: Sample.at(Int64(index))) }
            }
            try expectEqual(won.count { $0 }, 1, "uses")
        },
        ConformanceCase("R11.9 the purge takes devices' requests that have expired, and a client's go with it") {
            world in
            try await world.write { tx in
                for name in ["app", "other"] { try tx.insert(Sample.client(name, in: world.home)) }
                for index in 0..<4 {
                    var device = Sample.device("\(index)", in: world.home)
                    device.expiresAt = Sample.at(Int64(index))
                    device.clientID = ClientID(index == 3 ? "other" : "app")
                    try tx.insert(device)
                }
            }
            func purge(_ limit: Int) async throws -> Int {
                try await world.write { try $0.purgeAuthorizations(expiredBefore: Sample.at(2), limit: limit) }
            }
            try expectEqual([try await purge(0), try await purge(1), try await purge(9)], [0, 1, 1], "purged")
            func left() async throws -> [Int] {
                try await world.read { tx in
                    try (0..<4).filter {
                        try tx.deviceAuthorization(userHash: Sample.hash("user \($0)"), in: world.home) != nil
                    }
                }
            }
            try expectEqual(try await left(), [2, 3], "left")
            _ = try await world.write { try $0.deleteClient(ClientID("other"), in: world.home) }
            try expectEqual(try await left(), [2], "left without the client")
        },
    ]
}
