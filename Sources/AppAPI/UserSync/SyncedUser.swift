// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// A user as the app that synchronizes them is shown them: as at `/v1/me`, with what they are called in the pool, their
/// attributes there and the identities that they are known by.
enum SyncedUser {
    static func encode(_ record: UserRecord, _ call: PublicCall) async throws -> JSONObject {
        let user = record.user
        let view = try await call.accounts.profileFlow.view(user.id, call: call.flow)
        let dialect = call.poolFlow.dialect
        let attributes = dialect.map { user.dialectData[$0].byUser } ?? [:]
        let identities: [JSONValue] = record.identities
            .filter { $0.provider != "email" && $0.provider != "phone" }
            .sorted { ($0.createdAt, $0.id.rawValue) < ($1.createdAt, $1.id.rawValue) }
            .map { ["provider": .string($0.provider), "subject": .string($0.subject)] }
        return [
            "sub": .string(dialect.map { user.identifier(in: $0) } ?? user.id.rawValue),
            "id": .string(user.id.rawValue), "email": text(user.email?.rawValue),
            "emailVerified": .bool(user.emailVerifiedAt != nil), "phone": text(user.phone?.e164),
            "name": text(view.name), "picture": text(view.picture),
            "locale": text(view.locale ?? attributes["locale"]?.stringValue), "attributes": .object(attributes),
            "identities": .array(identities), "createdAt": .string(user.createdAt.rfc3339),
            "updatedAt": .string(user.updatedAt.rfc3339),
        ]
    }

    private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
