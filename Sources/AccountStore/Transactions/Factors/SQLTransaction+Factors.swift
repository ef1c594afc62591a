// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension SQLTransaction {
    private static let columns: Columns = [
        "id", "directory_id", "user_id", "kind", "name", "secret", "recipient", "credential_id", "details",
        "verified_at", "expires_at", "is_enabled", "is_preferred", "created_at", "updated_at", "last_used_at",
        "last_challenged_at", "spent_codes",
    ]

    private static let ofUser = Statement.select(
        "factors", columns, "WHERE directory_id = ? AND user_id = ? ORDER BY created_at, id")
    private static let byID = Statement.select("factors", columns, "WHERE id = ? AND directory_id = ?")
    private static let byCredential = Statement.select(
        "factors", columns, "WHERE directory_id = ? AND credential_id = ?")

    func factors(of user: UserID, in directory: DirectoryID) throws -> [Factor] {
        try connection.query(Self.ofUser, [SQLValue(directory), SQLValue(user)], read)
    }

    func factors(of users: [UserID], in directory: DirectoryID) throws -> [UserID: [Factor]] {
        let found = try query(
            of: users, in: directory,
            {
                Statement.select(
                    "factors", Self.columns, "WHERE directory_id = ? AND user_id IN (\($0)) ORDER BY created_at, id")
            }, read)
        return Dictionary(grouping: found, by: \.userID)
    }

    func factor(_ id: FactorID, in directory: DirectoryID) throws -> Factor? {
        try connection.first(Self.byID, [SQLValue(id), SQLValue(directory)], read)
    }

    func factor(credential: [UInt8], in directory: DirectoryID) throws -> Factor? {
        try connection.first(Self.byCredential, [SQLValue(directory), SQLValue(credential)], read)
    }

    private static let summaryColumns: Columns = [
        "id", "kind", "name", "recipient", "details", "verified_at", "is_enabled", "created_at", "updated_at",
        "last_challenged_at",
    ]
    private static let summaries = Statement.select(
        "factors", summaryColumns, "WHERE directory_id = ? AND user_id = ? ORDER BY created_at, id")

    func secondFactors(of user: UserID, in directory: DirectoryID) throws -> [FactorSummary] {
        try connection.query(Self.summaries, [SQLValue(directory), SQLValue(user)]) { row in
            let kind = try row.one(1, of: Factor.Kind.self)
            if kind == .webAuthn, FactorEncoding.isPasskey(try row.text(4)) { return nil }
            return FactorSummary(
                id: try row.identifier(0), kind: kind,
                // What can't be read is shown without, as ``factors(of:in:)`` has it.
                phone: kind == .phone ? (try? PhoneNumber(row.text(3))) : nil, name: try row.optionalText(2),
                isVerified: !row.isNull(5), isEnabled: try row.flag(6), createdAt: try row.instant(7),
                updatedAt: try row.instant(8), lastChallengedAt: try row.optionalInstant(9))
        }.compactMap(\.self)
    }

    private func read(_ row: any SQLRow) throws -> Factor {
        let (id, directory): (FactorID, DirectoryID) = (try row.identifier(0), try row.identifier(1))
        let kind = try row.one(3, of: Factor.Kind.self)
        var damage: [StoredDamage] = []
        var credential: Factor.Credential
        do {
            credential = try self.credential(kind, row, of: id, in: directory)
        } catch let error as StoredRowError {
            // A row that is passed over would be a factor that is not asked for.
            credential = .unreadable(kind)
            damage = [StoredDamage(column: Self.columns.names[error.column], raw: "")]
            damages.add("factor \(id.rawValue)", damage)
        }
        return Factor(
            id: id, directoryID: directory, userID: try row.identifier(2), credential: credential,
            name: try row.optionalText(4), verifiedAt: try row.optionalInstant(9),
            expiresAt: try row.optionalInstant(10), isEnabled: try row.flag(11), isPreferred: try row.flag(12),
            createdAt: try row.instant(13), updatedAt: try row.instant(14), lastUsedAt: try row.optionalInstant(15),
            lastChallengedAt: try row.optionalInstant(16),
            spentCodes: try SpentCodesEncoding.codes(try row.blob(17), column: 17), damage: damage)
    }

    private func credential(
        _ kind: Factor.Kind, _ row: any SQLRow, of id: FactorID, in directory: DirectoryID
    ) throws -> Factor.Credential {
        switch kind {
        case .totp: return .totp(Secret(try opened(row, 5, .factorSecret, in: directory, row: id.rawValue)))
        case .phone: return .phone(try row.parsed(6) { try PhoneNumber($0) })
        case .email: return .email(try row.parsed(6) { try EmailAddress($0) })
        case .webAuthn:
            if row.isNull(7), try row.optionalInstant(9) == nil { return .newWebAuthn }
            guard let credential = FactorEncoding.webAuthn(try row.object(8), id: try row.blob(7)) else {
                throw StoredRowError(column: 8)
            }
            return .webAuthn(credential)
        }
    }

    func insert(_ factor: Factor) throws {
        _ = try execute(
            Statement.insert("factors", Self.columns),
            [SQLValue(factor.id), SQLValue(factor.directoryID), SQLValue(factor.userID)] + values(of: factor)
                + [SQLValue(factor.createdAt)] + times(of: factor) + [spent(factor.spentCodes)])
    }

    private func spent(_ codes: SpentCodes) -> SQLValue { SQLValue(SpentCodesEncoding.bytes(codes)) }

    /// From the kind on to when it was made.
    private func values(of factor: Factor) throws -> [SQLValue] {
        var (secret, credentialID): ([UInt8]?, [UInt8]?)
        switch factor.credential {
        case .totp(let value): secret = value.reveal()
        case .webAuthn(let credential): credentialID = credential.id
        case .phone, .email, .newWebAuthn, .unreadable: break
        }
        return [
            SQLValue(factor.kind.rawValue), SQLValue(factor.name),
            try sealed(secret, .factorSecret, in: factor.directoryID, row: factor.id.rawValue),
            SQLValue(factor.recipient), SQLValue(credentialID), try SQLValue(FactorEncoding.json(factor)),
            SQLValue(factor.verifiedAt), SQLValue(factor.expiresAt), SQLValue(factor.isEnabled),
            SQLValue(factor.isPreferred),
        ]
    }

    private func times(of factor: Factor) -> [SQLValue] {
        [SQLValue(factor.updatedAt), SQLValue(factor.lastUsedAt), SQLValue(factor.lastChallengedAt)]
    }

    private static let named = "id = ? AND directory_id = ?"
    /// Which codes of an app were shown is changed by a statement of its own.
    private static let written = columns.names.dropFirst(3).filter { !["created_at", "spent_codes"].contains($0) }
    private static let wholeUpdate = Statement.update("factors", written, where: named)

    func update(_ factor: Factor) throws {
        // What can't be read is left as it is: it may be mended from a backup.
        let isUnreadable = !factor.damage.isEmpty
        let proved = ["secret", "recipient", "credential_id", "details"]
        let all = zip(Self.written, try values(of: factor) + times(of: factor))
        let pairs = all.filter { !isUnreadable || !proved.contains($0.0) }
        let count = try execute(
            isUnreadable ? Statement.update("factors", pairs.map(\.0), where: Self.named) : Self.wholeUpdate,
            pairs.map(\.1) + [SQLValue(factor.id), SQLValue(factor.directoryID)])
        guard count == 1 else { throw StoreConflict.stale("factor") }
    }

    func noteUse(of factor: Factor) throws {
        try note(
            "UPDATE factors SET last_used_at = ? WHERE id = ? AND directory_id = ?", factor.lastUsedAt, of: factor)
    }

    func noteChallenge(of factor: Factor) throws {
        try note(
            "UPDATE factors SET last_challenged_at = ? WHERE id = ? AND directory_id = ?", factor.lastChallengedAt,
            of: factor)
    }

    private func note(_ statement: String, _ time: Instant?, of factor: Factor) throws {
        let count = try execute(
            statement, [SQLValue(time), SQLValue(factor.id), SQLValue(factor.directoryID)])
        guard count == 1 else { throw StoreConflict.stale("factor") }
    }

    func noteUse(of factor: Factor, after before: SpentCodes) throws -> Bool {
        try execute(
            "UPDATE factors SET last_used_at = ?, spent_codes = ? WHERE id = ? AND directory_id = ? AND spent_codes = ?",
            [
                SQLValue(factor.lastUsedAt), spent(factor.spentCodes), SQLValue(factor.id),
                SQLValue(factor.directoryID), spent(before),
            ]) == 1
    }

    func noteUse(of factor: Factor, provedBy credential: WebAuthnCredential) throws -> Bool {
        var before = factor
        before.credential = .webAuthn(credential)
        let known = try SQLValue(FactorEncoding.json(before))
        // Of those that do not count there is mostly nothing new to say.
        let details = factor.webAuthn == credential ? known : try SQLValue(FactorEncoding.json(factor))
        // Written as this very text, or not by this version of the program.
        return try execute(
            """
            UPDATE factors SET details = ?, last_used_at = ?
            WHERE id = ? AND directory_id = ? AND details = ? AND is_enabled = 1 AND verified_at IS NOT NULL
            """,
            [
                details, SQLValue(factor.lastUsedAt), SQLValue(factor.id), SQLValue(factor.directoryID), known,
            ]) == 1
    }

    func deleteFactor(_ id: FactorID, in directory: DirectoryID) throws -> Bool {
        try execute("DELETE FROM factors WHERE id = ? AND directory_id = ?", [SQLValue(id), SQLValue(directory)]) == 1
    }

    @discardableResult
    func deleteFactors(of user: UserID, in directory: DirectoryID) throws -> Int {
        _ = try execute(
            "DELETE FROM factor_challenges WHERE directory_id = ? AND user_id = ?",
            [SQLValue(directory), SQLValue(user)])
        try deleteBackupCodes(of: user, in: directory)
        return try execute(
            "DELETE FROM factors WHERE directory_id = ? AND user_id = ?", [SQLValue(directory), SQLValue(user)])
    }

    func purgeFactors(expiredBefore instant: Instant, limit: Int) throws -> Int {
        try execute(
            "DELETE FROM factors WHERE id IN (SELECT id FROM factors WHERE expires_at < ? LIMIT ?)",
            [SQLValue(instant), SQLValue(limit)])
    }
}
