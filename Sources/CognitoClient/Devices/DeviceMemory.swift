// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// ``KnownDevices`` of one pool in a `SecureStore`. A store that gives or takes nothing now is no error: the user signs
/// in as on a new device.
struct DeviceMemory: Sendable {
    let store: any SecureStore
    let pool: String

    /// The device that the pool knows for that user, by whatever name.
    func find(_ name: String) async -> KnownDevice? {
        await read()?.all.last { $0.isConfirmed && $0.isOf(name, in: pool) }
    }

    /// Notes a new device before the pool is told of it. Where that was done for the same one before, its secret stays:
    /// the answer to the pool's confirmation may have been lost.
    ///
    /// - Returns: the secret; `nil` where the store takes none.
    func begin(_ device: PoolDevice, group: String, of username: String, typed: String?, secret: Secret<String>) async
        -> Secret<String>?
    {
        await change { devices in
            if let begun = devices.all.first(where: { $0.pool == pool && $0.key == device.key }) { return begun.secret }
            var known = KnownDevice(pool: pool, username: username, key: device.key, group: group, secret: secret)
            if let typed { known.note(typed) }
            devices.add(known)
            return secret
        }
    }

    /// The pool has the verifier.
    func confirm(_ key: String) async {
        _ = await change { devices in
            for index in devices.all.indices where devices.all[index].key == key && devices.all[index].pool == pool {
                devices.all[index].isConfirmed = true
            }
        }
    }

    /// The user of that device has come by this name, and nobody else's device is found by it.
    func note(_ typed: String, for device: KnownDevice) async {
        guard !device.isOf(typed, in: pool) else { return }
        _ = await change { devices in
            for index in devices.all.indices where devices.all[index].pool == pool {
                devices.all[index].forget(typed)
                if devices.all[index].key == device.key { devices.all[index].note(typed) }
            }
        }
    }

    /// The pool knows the device no more, or it is to be forgotten.
    func forget(_ key: String) async {
        _ = await change { devices in devices.all.removeAll { $0.pool == pool && $0.key == key } }
    }

    /// The account is gone.
    func forget(user username: String) async {
        _ = await change { devices in
            devices.all.removeAll { $0.pool == pool && $0.username.utf8.elementsEqual(username.utf8) }
        }
    }

    /// Whoever typed that name is not, or no more, who the device is known for. What was typed leads to it no longer.
    func forget(typed name: String, of device: KnownDevice) async {
        guard !device.username.utf8.elementsEqual(name.utf8) else { return await forget(device.key) }
        _ = await change { devices in
            for index in devices.all.indices where devices.all[index].key == device.key {
                devices.all[index].forget(name)
            }
        }
    }

    private func read() async -> KnownDevices? {
        guard let bytes = try? await store.read(KnownDevices.key) else { return nil }
        return KnownDevices(bytes)
    }

    /// One process after the other. What can't be read now is not written over; what is damaged is.
    private func change<Value: Sendable>(_ body: @Sendable (inout KnownDevices) -> Value) async -> Value? {
        try? await store.exclusively(KnownDevices.key) {
            let bytes: [UInt8]?
            do throws(SecureStoreError) { bytes = try await store.read(KnownDevices.key) } catch {
                guard case .corrupted = error else { throw error }
                bytes = nil
            }
            var devices = bytes.flatMap { KnownDevices($0) } ?? KnownDevices()
            let value = body(&devices)
            let changed = devices.bytes
            guard changed != bytes else { return value }
            if devices.all.isEmpty {
                try await store.remove(KnownDevices.key)
            } else {
                try await store.write(changed, for: KnownDevices.key)
            }
            return value
        }
    }
}
