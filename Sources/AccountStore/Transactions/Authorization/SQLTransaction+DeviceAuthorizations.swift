// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "client_id", "device_hash", "user_hash", "scopes", "resources", "poll_interval",
        "polled_at", "allowed_in", "is_denied", "created_at", "expires_at", "used_at",
    ]

    private static func read(_ row: any SQLRow) throws -> DeviceAuthorization {
        DeviceAuthorization(
            id: try row.identifier(0), directoryID: try row.identifier(1), clientID: try row.identifier(2),
            deviceHash: try row.blob(3), userHash: try row.blob(4), scopes: try row.words(5),
            resources: try row.words(6), interval: try row.integer(7), polledAt: try row.optionalInstant(8),
            allowedIn: try row.optionalText(9).map { SessionID($0) }, isDenied: try row.flag(10),
            createdAt: try row.instant(11), expiresAt: try row.instant(12), usedAt: try row.optionalInstant(13))
    }

    func deviceAuthorization(deviceHash: [UInt8], in directory: DirectoryID) throws -> DeviceAuthorization? {
        try connection.first(
            Statement.select("device_authorizations", Self.columns, "WHERE device_hash = ? AND directory_id = ?"),
            [SQLValue(deviceHash), SQLValue(directory)], Self.read)
    }

    func deviceAuthorization(userHash: [UInt8], in directory: DirectoryID) throws -> DeviceAuthorization? {
        try connection.first(
            Statement.select("device_authorizations", Self.columns, "WHERE user_hash = ? AND directory_id = ?"),
            [SQLValue(userHash), SQLValue(directory)], Self.read)
    }

    func insert(_ device: DeviceAuthorization) throws {
        _ = try execute(
            Statement.insert("device_authorizations", Self.columns),
            [
                SQLValue(device.id), SQLValue(device.directoryID), SQLValue(device.clientID),
                SQLValue(device.deviceHash), SQLValue(device.userHash), SQLValue(words: device.scopes),
                SQLValue(words: device.resources), SQLValue(device.interval), SQLValue(device.polledAt),
                SQLValue(device.allowedIn), SQLValue(device.isDenied), SQLValue(device.createdAt),
                SQLValue(device.expiresAt), SQLValue(device.usedAt),
            ])
    }

    func notePoll(_ device: DeviceAuthorization) throws {
        _ = try execute(
            Statement.update("device_authorizations", ["poll_interval", "polled_at"], where: "id = ?"),
            [SQLValue(device.interval), SQLValue(device.polledAt), SQLValue(device.id)])
    }

    func answer(_ device: DeviceAuthorization) throws -> Bool {
        try execute(
            Statement.update(
                "device_authorizations", ["allowed_in", "is_denied"],
                where: "id = ? AND allowed_in IS NULL AND is_denied = 0"),
            [SQLValue(device.allowedIn), SQLValue(device.isDenied), SQLValue(device.id)]) == 1
    }

    func use(_ id: DeviceAuthorizationID, at now: Instant) throws -> Bool {
        try execute(
            "UPDATE device_authorizations SET used_at = ? WHERE id = ? AND used_at IS NULL",
            [SQLValue(now), SQLValue(id)]) == 1
    }
}
