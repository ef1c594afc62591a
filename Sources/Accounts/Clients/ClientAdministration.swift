// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Registers, changes and removes a Directory's clients. Every call needs an administrator as its actor, and changes
/// are audited.
public struct ClientAdministration: Sendable {
    static let identifierLength = 26
    static let secretLength = 52

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Registers a client.
    ///
    /// - Parameters:
    ///   - name: 1 to 128 characters; it need not be unique.
    ///   - withSecret: whether it is given a secret, for clients that can keep one.
    ///   - keepsSecret: whether the secret's text is kept, for clients that compute with it; else it is handed over
    ///     once.
    ///   - dialect: whose operations make it, where those are not this server's own (``AccountModel/Client/dialect``).
    ///   - id: an identifier brought along from elsewhere: 1 to 128 letters, digits, `-`, `_` and `.`.
    ///   - scopes: which the client may be registered for.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field, `.conflict` for a taken identifier, `.forbidden`;
    ///   ``UnknownScope``.
    public func create(
        name: String, withSecret: Bool, keepsSecret: Bool = true, settings: ClientSettings = ClientSettings(),
        dialect: DialectName? = nil, id: ClientID? = nil, scopes: ScopeRule = .any, call: CallContext
    ) async throws -> Client {
        try call.requireAdministrator()
        if let id, !Self.isIdentifier(id.rawValue) {
            throw AuthError(.invalidRequest, reason: "not a client's identifier", field: "client_id")
        }
        let client = Client(
            id: id ?? ClientID(ports.random.letters(Self.identifierLength)), directoryID: call.directory.id, name: name,
            dialect: dialect, secrets: withSecret ? [newSecret(call)] : [], settings: settings, createdAt: call.now,
            updatedAt: call.now)
        try Self.check(client)
        try await ports.write(call) { step in
            if try step.tx.client(client.id) != nil { throw AuthError(taken: .duplicate("client.id")) }
            try scopes.check(client, step.tx)
            try step.tx.insert(keepsSecret ? client : client.withoutTexts)
            try Self.record("created", client.id, step)
        }
        return client
    }

    /// - Throws: `AuthErrorCode.clientNotFound`, also for another Directory's, `.forbidden`.
    public func get(_ id: ClientID, call: CallContext) async throws -> Client {
        try call.requireAdministrator()
        return try await ports.store.read { try Self.find(id, call, $0) }
    }

    /// The oldest first.
    public func list(call: CallContext) async throws -> [Client] {
        try call.requireAdministrator()
        return try await ports.store.read { try $0.clients(in: call.directory.id) }
    }

    /// Changes name and settings.
    ///
    /// - Parameters:
    ///   - scopes: which the client may be registered for.
    ///   - lists: that the change writes, also where it does not alter them: a client that has registered itself may
    ///     have what is in them, and no more by its own word. Those that it alters are among them anyway.
    ///   - change: of what is stored now. It may be called more than once.
    /// - Throws: `AuthErrorCode.clientNotFound`, `.invalidRequest` naming the field, `.forbidden`; ``UnknownScope``.
    public func update(
        _ id: ClientID, name: String? = nil, scopes: ScopeRule = .any, writing lists: Set<List> = [], call: CallContext,
        _ change: @Sendable @escaping (inout ClientSettings) throws -> Void
    ) async throws -> Client {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            var client = try Self.find(id, call, step.tx)
            let before = client.settings
            client.name = name ?? client.name
            try change(&client.settings)
            try Self.check(client)
            try scopes.check(client, step.tx)
            client.updatedAt = call.now
            try step.tx.update(client)
            try Self.remember(lists.union(Self.lists(from: before, to: client.settings)), of: client, step)
            try Self.record("updated", id, step)
            client.version += 1
            return client
        }
    }

    /// Gives a client that has a secret another one, which is as good from now on: the one before is taken away by
    /// ``removeSecret(_:of:call:)`` once no machine has it any more.
    ///
    /// - Throws: `AuthErrorCode.clientNotFound`, `.conflict` for a client that has no secret, or has two, `.forbidden`.
    public func addSecret(to id: ClientID, call: CallContext) async throws -> Client {
        let secret = newSecret(call)
        return try await changeSecrets(of: id, "secret_added", call) { secrets in
            guard !secrets.isEmpty else { throw AuthError(.conflict, reason: "the client can't keep a secret") }
            guard secrets.count < ClientSecret.maximum else {
                throw AuthError(.conflict, reason: "a client has at most \(ClientSecret.maximum) secrets")
            }
            secrets.insert(secret, at: 0)
        }
    }

    /// Gives a client that has a secret another one in place of all it has: for one that leaked. Whoever shows an old
    /// one is refused from now on.
    ///
    /// - Throws: `AuthErrorCode.clientNotFound`, `.conflict` for a client that has no secret, `.forbidden`.
    public func rotateSecret(of id: ClientID, call: CallContext) async throws -> Client {
        let secret = newSecret(call)
        return try await changeSecrets(of: id, "secret_rotated", call) { secrets in
            guard !secrets.isEmpty else { throw AuthError(.conflict, reason: "the client can't keep a secret") }
            secrets = [secret]
        }
    }

    /// Takes one of a client's two secrets away.
    ///
    /// - Throws: `AuthErrorCode.clientNotFound`, `.notFound` for another client's secret, `.conflict` for the last one:
    ///   anybody could then say that they are the client. `.forbidden`.
    public func removeSecret(_ secret: ClientSecretID, of id: ClientID, call: CallContext) async throws -> Client {
        try await changeSecrets(of: id, "secret_removed", call) { secrets in
            guard let index = secrets.firstIndex(where: { $0.id == secret }) else {
                throw AuthError(.notFound, reason: "no such secret", field: "secret")
            }
            guard secrets.count > 1 else { throw AuthError(.conflict, reason: "it is the client's only secret") }
            secrets.remove(at: index)
        }
    }

    /// Removes the client. The sessions opened through it can no longer be refreshed.
    ///
    /// - Throws: `AuthErrorCode.clientNotFound`, `.forbidden`.
    public func delete(_ id: ClientID, call: CallContext) async throws {
        try call.requireAdministrator()
        try await ports.write(call) { step in
            _ = try Self.find(id, call, step.tx)
            _ = try step.tx.deleteClient(id, in: step.directory)
            try Self.record("deleted", id, step)
        }
    }

    static func isIdentifier(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, 45, 46, 95: true
                default: false
                }
            }
    }

    private func newSecret(_ call: CallContext) -> ClientSecret {
        ClientSecret(
            Secret(ports.random.letters(Self.secretLength)), id: ports.random.identifier(at: call.now),
            createdAt: call.now)
    }

    private func changeSecrets(
        of id: ClientID, _ what: String, _ call: CallContext,
        _ change: @Sendable @escaping (inout [ClientSecret]) throws -> Void
    ) async throws -> Client {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            var client = try Self.find(id, call, step.tx)
            let keepsTexts = client.secrets.contains { $0.text != nil }
            try change(&client.secrets)
            client.updatedAt = call.now
            try step.tx.update(keepsTexts ? client : client.withoutTexts)
            try Self.record(what, id, step)
            client.version += 1
            return client
        }
    }

    static func find(_ id: ClientID, _ call: CallContext, _ tx: any StoreReading) throws -> Client {
        guard isIdentifier(id.rawValue), let client = try tx.client(id), client.directoryID == call.directory.id else {
            throw AuthError(.clientNotFound)
        }
        return client
    }

    static func check(_ client: Client) throws(AuthError) {
        let (name, settings) = (client.name, client.settings)
        try Client.requireName(name)
        let lifetimes = [settings.accessTokenLifetime, settings.idTokenLifetime, settings.refreshTokenLifetime]
        guard lifetimes.allSatisfy({ $0 ?? 1 > 0 }), settings.stepLifetime ?? 1 > 0, settings.rotationGrace >= 0,
            [settings.accessTokenLifetime, settings.idTokenLifetime].allSatisfy({ $0 ?? 1 <= 86_400 })
        else {
            // A retiring key stays published for as long as a token it signed may live.
            throw AuthError(.invalidRequest, reason: "a token lives at most a day", field: "settings")
        }
        guard settings.passkeyOrigins.count <= 16,
            settings.passkeyOrigins.allSatisfy({ origin in
                1...512 ~= origin.utf8.count && origin.utf8.allSatisfy { 0x21...0x7E ~= $0 }
            })
        else { throw AuthError(.invalidRequest, reason: "at most 16 origins of passkeys", field: "passkey_origins") }
        try settings.authorization.requireWellFormed(hasSecret: client.isConfidential)
    }

    static func record(_ what: String, _ id: ClientID, _ step: FlowStep) throws {
        try step.record(.clientChanged, user: nil, details: [what: .string(id.rawValue)])
    }
}

extension Client {
    /// - Throws: ``AuthErrorCode/invalidRequest``.
    static func requireName(_ name: String) throws(AuthError) {
        guard (1...128).contains(name.unicodeScalars.count), name.unicodeScalars.allSatisfy(isReadable) else {
            throw AuthError(.invalidRequest, reason: "a name has 1 to 128 characters", field: "name")
        }
    }

    /// Users read the name in the question whether they trust it: nothing in it turns what stands around it about
    /// (Unicode Standard Annex 9, explicit formatting characters).
    private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<32, 127, 0x202A...0x202E, 0x2066...0x2069: false
        default: true
        }
    }

    var withoutTexts: Client {
        var client = self
        client.secrets = secrets.map { ClientSecret(id: $0.id, hash: $0.hash, text: nil, createdAt: $0.createdAt) }
        return client
    }
}
