// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Users by what they are called by.
extension SQLTransaction {
    func user(email: EmailAddress, in directory: DirectoryID) throws -> User? {
        AddressHolders(
            try holders(of: "email", email.rawValue, in: directory), shares: \.sharesEmail,
            isProved: { $0.emailVerifiedAt != nil }
        ).named
    }

    func user(phone: PhoneNumber, in directory: DirectoryID) throws -> User? {
        AddressHolders(
            try holders(of: "phone", phone.digits, in: directory), shares: \.sharesPhone,
            isProved: { $0.phoneVerifiedAt != nil }
        ).named
    }

    /// Few rows, however many users share the address.
    private func holders(of column: String, _ value: String, in directory: DirectoryID) throws -> [User] {
        try users(
            """
            WHERE directory_id = ? AND \(column) = ? AND \(column)_holder < ? AND deleted_at IS NULL
            ORDER BY \(column)_holder LIMIT ?
            """,
            [
                SQLValue(directory), SQLValue(value), SQLValue(AddressHolder.endOfProved),
                SQLValue(AddressHolders.needed),
            ])
    }

    func isAnyTaken(emails: [EmailAddress], phones: [PhoneNumber], in directory: DirectoryID) throws -> Bool {
        for (column, values) in [
            ("email", emails.map { SQLValue($0.rawValue) }), ("phone", phones.map { SQLValue($0.digits) }),
        ] {
            let form = BatchForm.of(values.count)
            for batch in batches(of: values, form) {
                let found = try connection.first(
                    """
                    SELECT 1 FROM users
                    WHERE directory_id = ? AND \(column) IN (\(form.placeholders)) AND deleted_at IS NULL LIMIT 1
                    """, [SQLValue(directory)] + batch, { try $0.integer(0) })
                if found != nil { return true }
            }
        }
        return false
    }

    func isAnyName(_ texts: [String], in directory: DirectoryID) throws -> Bool {
        let keys = texts.flatMap { text in
            Set([false, true].compactMap { try? Username(text, isCaseSensitive: $0).key }).map { SQLValue($0) }
        }
        let form = BatchForm.of(keys.count)
        for batch in batches(of: keys, form) {
            let found = try connection.first(
                """
                SELECT 1 FROM users
                WHERE directory_id = ? AND username_key IN (\(form.placeholders)) AND deleted_at IS NULL LIMIT 1
                """, [SQLValue(directory)] + batch, { try $0.integer(0) })
            if found != nil { return true }
        }
        return false
    }

    private static let brought = "(SELECT user_id FROM user_identifiers WHERE directory_id = ? AND identifier = ?)"

    /// What is somebody's identifier brought along is nobody's own, so one look at `users` does.
    private static let byIdentifier = selection(ofUsers: "WHERE directory_id = ? AND id = COALESCE(\(brought), ?)")

    func user(identifier: String, in directory: DirectoryID) throws -> User? {
        try users(
            by: Self.byIdentifier,
            [SQLValue(directory), SQLValue(directory), SQLValue(identifier), SQLValue(identifier)]
        ).first
    }

    /// One look for each: found by what a statement has found before, users are walked through as long as nobody has
    /// counted the tables. By their identifiers also those who are deleted, whom an index of the others would have
    /// looked for through all.
    private static let byName = selection(
        ofUsers: "WHERE directory_id = ? AND username_key = ? AND deleted_at IS NULL",
        "WHERE directory_id = ? AND id = ?", "WHERE directory_id = ? AND id = \(brought)")

    func user(username: Username, in directory: DirectoryID) throws -> User? {
        // Our own identifiers are in lower case.
        let own = username.rawValue.lowercased()
        let found = try users(
            by: Self.byName,
            [
                SQLValue(directory), SQLValue(username.key), SQLValue(directory), SQLValue(own), SQLValue(directory),
                SQLValue(directory), SQLValue(username.rawValue),
            ]
        ).filter { $0.deletedAt == nil }
        // Several, where somebody's name is another's identifier but for its case: whose identifier it is as it is
        // spelled comes first.
        return found.first { $0.externalIdentifiers.contains(username.rawValue) }
            ?? found.first { $0.id.rawValue == own } ?? found.first
    }
}
