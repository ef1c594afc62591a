// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "user_id", "srp_salt", "srp_verifier", "is_remembered", "assurance", "name",
        "truncated_address", "created_at", "updated_at", "last_used_at",
    ]

    func rememberedDevice(_ id: RememberedDeviceID, in directory: DirectoryID) throws -> RememberedDevice? {
        try connection.first(
            Statement.select("remembered_devices", Self.columns, "WHERE id = ? AND directory_id = ?"),
            [SQLValue(id), SQLValue(directory)], read) ?? nil
    }

    func rememberedDevices(of user: UserID, in directory: DirectoryID) throws -> [RememberedDevice] {
        try connection.query(
            Statement.select(
                "remembered_devices", Self.columns, "WHERE directory_id = ? AND user_id = ? ORDER BY id"),
            [SQLValue(directory), SQLValue(user)], read
        ).compactMap(\.self)
    }

    /// `nil` for a damaged one: it is as if the device were new.
    private func read(_ row: any SQLRow) throws -> RememberedDevice? {
        let (id, directory): (RememberedDeviceID, DirectoryID) = (try row.identifier(0), try row.identifier(1))
        do {
            guard let assurance = AssuranceLevel(rawValue: Int(try row.integer(6))) else {
                throw StoredRowError(column: 6)
            }
            return RememberedDevice(
                id: id, directoryID: directory, userID: try row.identifier(2),
                verifier: SRPVerifier(
                    salt: try row.blob(3),
                    verifier: Secret(try opened(row, 4, .deviceVerifier, in: directory, row: id.rawValue))),
                isRemembered: try row.flag(5), assurance: assurance, name: try row.optionalText(7),
                truncatedAddress: try row.optionalText(8), createdAt: try row.instant(9),
                updatedAt: try row.instant(10), lastUsedAt: try row.instant(11))
        } catch let error as StoredRowError {
            let damage = StoredDamage(column: Self.columns.names[error.column], raw: "")
            damages.add("remembered device \(id.rawValue)", [damage])
            return nil
        }
    }

    func insert(_ device: RememberedDevice) throws {
        _ = try execute(
            Statement.insert("remembered_devices", Self.columns),
            [
                SQLValue(device.id), SQLValue(device.directoryID), SQLValue(device.userID),
                SQLValue(device.verifier.salt),
                try sealed(
                    device.verifier.verifier.reveal(), .deviceVerifier, in: device.directoryID, row: device.id.rawValue),
                SQLValue(device.isRemembered), SQLValue(device.assurance.rawValue), SQLValue(device.name),
                SQLValue(device.truncatedAddress), SQLValue(device.createdAt), SQLValue(device.updatedAt),
                SQLValue(device.lastUsedAt),
            ])
    }

    func update(_ device: RememberedDevice) throws {
        let written = ["is_remembered", "assurance", "name", "truncated_address", "updated_at", "last_used_at"]
        let count = try execute(
            Statement.update("remembered_devices", written, where: "id = ? AND directory_id = ?"),
            [
                SQLValue(device.isRemembered), SQLValue(device.assurance.rawValue), SQLValue(device.name),
                SQLValue(device.truncatedAddress), SQLValue(device.updatedAt), SQLValue(device.lastUsedAt),
                SQLValue(device.id), SQLValue(device.directoryID),
            ])
        guard count == 1 else { throw StoreConflict.stale("device") }
    }

    func deleteRememberedDevice(_ id: RememberedDeviceID, in directory: DirectoryID) throws -> Bool {
        try execute(
            "DELETE FROM remembered_devices WHERE id = ? AND directory_id = ?", [SQLValue(id), SQLValue(directory)])
            == 1
    }

    @discardableResult
    func deleteRememberedDevices(of user: UserID, in directory: DirectoryID) throws -> Int {
        try execute(
            "DELETE FROM remembered_devices WHERE directory_id = ? AND user_id = ?",
            [SQLValue(directory), SQLValue(user)])
    }
}
