// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "purpose", "algorithm", "private_jwk", "state", "created_at", "activated_at",
        "retires_at",
    ]

    private func read(_ row: any SQLRow) throws -> SigningKeyRecord {
        let (id, directory): (SigningKeyID, DirectoryID) = (try row.identifier(0), try row.identifier(1))
        let privateJWK = try openedText(row, 4, .privateKey, in: directory, row: id.rawValue)
        return SigningKeyRecord(
            id: id, directoryID: directory, purpose: try row.one(2),
            algorithm: try row.text(3), privateJWK: Secret(privateJWK), state: try row.one(5),
            createdAt: try row.instant(6), activatedAt: try row.optionalInstant(7),
            retiresAt: try row.optionalInstant(8))
    }

    func signingKeys(in directory: DirectoryID) throws -> [SigningKeyRecord] {
        try connection.query(
            Statement.select(
                "signing_keys", Self.columns, "WHERE directory_id = ? ORDER BY created_at DESC, id DESC"),
            [SQLValue(directory)], read)
    }

    func insert(_ key: SigningKeyRecord) throws {
        _ = try execute(
            Statement.insert("signing_keys", Self.columns),
            [
                SQLValue(key.id), SQLValue(key.directoryID), SQLValue(key.purpose.rawValue), SQLValue(key.algorithm),
                try sealed(key.privateJWK.reveal(), .privateKey, in: key.directoryID, row: key.id.rawValue),
                SQLValue(key.state.rawValue), SQLValue(key.createdAt),
                SQLValue(key.activatedAt), SQLValue(key.retiresAt),
            ])
        try note(.signingKeys)
    }

    func update(_ key: SigningKeyRecord) throws {
        let changed = try execute(
            Statement.update(
                "signing_keys", ["state", "activated_at", "retires_at"], where: "directory_id = ? AND id = ?"),
            [
                SQLValue(key.state.rawValue), SQLValue(key.activatedAt), SQLValue(key.retiresAt),
                SQLValue(key.directoryID), SQLValue(key.id),
            ])
        guard changed == 1 else { throw StoreConflict.stale("signing_key") }
        try note(.signingKeys)
    }

    func deleteSigningKey(_ id: SigningKeyID, in directory: DirectoryID) throws -> Bool {
        let deleted = try execute(
            "DELETE FROM signing_keys WHERE directory_id = ? AND id = ?", [SQLValue(directory), SQLValue(id)])
        if deleted == 1 { try note(.signingKeys) }
        return deleted == 1
    }
}
