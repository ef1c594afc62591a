// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol RememberedDeviceReading {
    /// `nil` also for one that can't be read: nobody can prove its secret.
    func rememberedDevice(_ id: RememberedDeviceID, in directory: DirectoryID) throws -> RememberedDevice?
    /// In the order of their identifiers.
    func rememberedDevices(of user: UserID, in directory: DirectoryID) throws -> [RememberedDevice]
}

public protocol RememberedDeviceWriting: RememberedDeviceReading {
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `device.id`.
    func insert(_ device: RememberedDevice) throws
    /// Writes every field but whose it is, its verifier and when it was made.
    /// - Throws: ``StoreConflict/stale(_:)`` for one that is gone.
    func update(_ device: RememberedDevice) throws
    /// Whether there was one.
    func deleteRememberedDevice(_ id: RememberedDeviceID, in directory: DirectoryID) throws -> Bool
    /// Deletes those of a user, and says how many there were.
    @discardableResult
    func deleteRememberedDevices(of user: UserID, in directory: DirectoryID) throws -> Int
}
