// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a client does about itself within one transaction (RFC 7592).
extension ClientAdministration {
    /// A new client, not yet written.
    static func new(
        _ id: ClientID? = nil, name: String, dialect: DialectName? = nil, withSecret: Bool, settings: ClientSettings,
        call: CallContext, random: any RandomSource
    ) -> Client {
        Client(
            id: id ?? ClientID(random.letters(identifierLength)), directoryID: call.directory.id, name: name,
            dialect: dialect, secrets: withSecret ? [newSecret(call, random)] : [], settings: settings,
            createdAt: call.now,
            updatedAt: call.now)
    }

    static func newSecret(_ call: CallContext, _ random: any RandomSource) -> ClientSecret {
        ClientSecret(Secret(random.letters(secretLength)), id: random.identifier(at: call.now), createdAt: call.now)
    }

    /// - Throws: `AuthErrorCode.invalidRequest` naming the field, `.conflict` for a taken identifier.
    static func insert(_ client: Client, keepsSecret: Bool, _ step: FlowStep) throws {
        try check(client)
        if try step.tx.client(client.id) != nil { throw AuthError(taken: .duplicate("client.id")) }
        try step.tx.insert(keepsSecret ? client : client.withoutTexts)
        try record("created", client.id, step)
    }

    /// - Throws: `AuthErrorCode.clientNotFound`, `.invalidRequest` naming the field.
    static func update(
        _ id: ClientID, name: String?, _ step: FlowStep, _ change: (inout ClientSettings) throws -> Void
    ) throws -> Client {
        var client = try find(id, step.call, step.tx)
        client.name = name ?? client.name
        try change(&client.settings)
        try check(client)
        client.updatedAt = step.now
        try step.tx.update(client)
        try record("updated", id, step)
        client.version += 1
        return client
    }

    /// - Throws: `AuthErrorCode.clientNotFound`.
    static func delete(_ id: ClientID, _ step: FlowStep) throws {
        _ = try find(id, step.call, step.tx)
        _ = try step.tx.deleteClient(id, in: step.directory)
        try record("deleted", id, step)
    }
}
