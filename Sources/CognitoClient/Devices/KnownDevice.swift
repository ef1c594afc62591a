// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// What the device keeps of itself for one user of a pool: by what the pool calls it, and the secret that it made up
/// for it. It belongs into the secure store.
struct KnownDevice: Sendable {
    /// `UserPoolId`.
    var pool: String
    /// As the pool calls the user, `cognito:username`.
    var username: String
    /// What the user has typed instead, the latest last.
    var typed: [String] = []
    /// `DeviceKey`
    var key: String
    /// `DeviceGroupKey`
    var group: String
    /// 40 random bytes, Base64.
    var secret: Secret<String>
    /// Whether the pool has the secret's verifier: before that, the device is shown to nobody.
    var isConfirmed = false

    /// More names than that has nobody.
    static let mostNames = 5

    func isOf(_ name: String, in pool: String) -> Bool {
        self.pool == pool
            && (username.utf8.elementsEqual(name.utf8) || typed.contains { $0.utf8.elementsEqual(name.utf8) })
    }

    mutating func note(_ name: String) {
        guard !username.utf8.elementsEqual(name.utf8) else { return }
        typed = typed.filter { !$0.utf8.elementsEqual(name.utf8) }.suffix(Self.mostNames - 1) + [name]
    }

    mutating func forget(_ name: String) { typed.removeAll { $0.utf8.elementsEqual(name.utf8) } }
}

/// All that the device keeps so, as bytes for a `SecureStore`: a JSON object with a version.
struct KnownDevices: Sendable {
    static let key = SecureStoreKey(rawValue: "auth.cognito.devices")
    /// More people than that share no device; who was here longest ago goes first.
    static let limit = 20
    private static let limits = JSONLimits(depth: 5, members: 1_000, bytes: 256 << 10)

    var all: [KnownDevice] = []

    init() {}

    /// Whoever is added takes the place of what was kept for the same user.
    mutating func add(_ device: KnownDevice) {
        all.removeAll { $0.pool == device.pool && $0.username.utf8.elementsEqual(device.username.utf8) }
        all = all.suffix(Self.limit - 1) + [device]
    }

    /// - Returns: `nil` for anything that ``bytes`` did not write.
    init?(_ bytes: [UInt8]) {
        guard let record = try? JSONObject(parsing: bytes, limits: Self.limits), record["version"] == 1,
            let devices = record["devices"]?.arrayValue
        else { return nil }
        all = devices.prefix(Self.limit).compactMap { value in
            guard let device = value.objectValue, let pool = device["pool"]?.stringValue,
                let username = device["username"]?.stringValue, let key = device["key"]?.stringValue,
                let group = device["group"]?.stringValue, let secret = device["secret"]?.stringValue
            else { return nil }
            let typed = (device["typed"]?.arrayValue ?? []).compactMap(\.stringValue)
            return KnownDevice(
                pool: pool, username: username, typed: typed.suffix(KnownDevice.mostNames), key: key, group: group,
                secret: Secret(secret), isConfirmed: device["confirmed"]?.boolValue ?? false)
        }
    }

    var bytes: [UInt8] {
        let devices: [JSONValue] = all.map { device in
            .object([
                "pool": .string(device.pool), "username": .string(device.username),
                "typed": .array(device.typed.map { .string($0) }), "key": .string(device.key),
                "group": .string(device.group), "secret": .string(device.secret.reveal()),
                "confirmed": .bool(device.isConfirmed),
            ])
        }
        return JSONObject(dictionaryLiteral: ("version", 1), ("devices", .array(devices))).serialized()
    }
}
