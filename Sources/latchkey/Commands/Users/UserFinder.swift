// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Finds the user that an operator names by email address, phone number or identifier, ours or one brought along.
struct UserFinder {
    let context: CommandContext

    func find(_ text: String, in directory: Directory) async throws -> User {
        let user = try await context.store.read { tx -> User? in
            if let user = try tx.user(identifier: text, in: directory.id) { return user }
            if text.contains("@") { return try tx.user(email: EmailAddress(text), in: directory.id) }
            if text.hasPrefix("+") { return try tx.user(phone: PhoneNumber(text), in: directory.id) }
            return try tx.user(UserID(text.lowercased()), in: directory.id)
        }
        guard let user else { throw CommandFailure("no such user", .notFound) }
        return user
    }
}
