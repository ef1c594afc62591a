// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Registers, changes and removes a Directory's resource servers. Every call needs an administrator as its actor, and
/// changes are audited.
///
/// A scope that goes, goes from every client that was registered for it, in the same transaction: no token has it from
/// then on, and one of the same name that comes later is no client's until somebody says so, also not of one that has
/// registered itself and did without when it went, or that registers itself later by a token that named it.
public struct ResourceServerAdministration: Sendable {
    /// Each is read with all its scopes where one is asked for.
    static let maximum = 300
    private static let maximumScopes = 100
    private static let maximumText = 256

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - identifier: 1 to 256 octets of visible ASCII but for `"` and `\`, unique in the Directory.
    ///   - name: 1 to 256 characters.
    ///   - scopes: at most 100, each once.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field, `.conflict` for a taken identifier, and with the
    ///   field `count` for one too many; `.forbidden`.
    public func create(
        identifier: String, name: String, scopes: [ResourceServer.Scope], call: CallContext
    ) async throws -> ResourceServer {
        try call.requireAdministrator()
        guard Self.isText(identifier) else {
            throw AuthError(
                .invalidRequest, reason: "1 to \(Self.maximumText) visible characters", field: "identifier")
        }
        try Self.check(name, scopes)
        let server = ResourceServer(
            directoryID: call.directory.id, identifier: identifier, name: name, scopes: scopes, createdAt: call.now,
            updatedAt: call.now)
        return try await ports.write(call) { step in
            guard try step.tx.resourceServers(in: step.directory).count < Self.maximum else {
                throw AuthError(.conflict, reason: "at most \(Self.maximum) resource servers", field: "count")
            }
            try step.tx.insert(server)
            try Self.record("created", identifier, step)
            return server
        }
    }

    /// In order of their identifiers.
    public func list(call: CallContext) async throws -> [ResourceServer] {
        try call.requireAdministrator()
        return try await ports.store.read { try $0.resourceServers(in: call.directory.id) }
    }

    /// - Throws: `AuthErrorCode.notFound`, `.forbidden`.
    public func get(_ identifier: String, call: CallContext) async throws -> ResourceServer {
        try call.requireAdministrator()
        return try await ports.store.read { try Self.find(identifier, call, $0) }
    }

    /// Replaces name and scopes.
    ///
    /// - Throws: `AuthErrorCode.notFound`, `.invalidRequest` naming the field, `.forbidden`.
    public func update(
        _ identifier: String, name: String, scopes: [ResourceServer.Scope], call: CallContext
    ) async throws -> ResourceServer {
        try call.requireAdministrator()
        try Self.check(name, scopes)
        return try await ports.write(call) { step in
            var server = try Self.find(identifier, call, step.tx)
            let former = server.scopeTexts
            server.name = name
            server.scopes = scopes
            server.updatedAt = call.now
            try step.tx.update(server)
            try Self.take(Set(former).subtracting(server.scopeTexts), step)
            try Self.record("updated", identifier, step)
            return server
        }
    }

    /// - Throws: `AuthErrorCode.notFound`, `.forbidden`.
    public func delete(_ identifier: String, call: CallContext) async throws {
        try call.requireAdministrator()
        try await ports.write(call) { step in
            let server = try Self.find(identifier, call, step.tx)
            _ = try step.tx.deleteResourceServer(identifier, in: step.directory)
            try Self.take(Set(server.scopeTexts), step)
            try Self.record("deleted", identifier, step)
        }
    }

    /// Takes scopes from every client.
    private static func take(_ scopes: Set<String>, _ step: FlowStep) throws {
        guard !scopes.isEmpty else { return }
        for var client in try step.tx.clients(in: step.directory) {
            let kept = client.settings.authorization.scopes.filter { !scopes.contains($0) }
            guard kept.count < client.settings.authorization.scopes.count else { continue }
            client.settings.authorization.scopes = kept
            client.updatedAt = step.now
            try step.tx.update(client)
        }
        try ClientAdministration.take(scopes, step)
    }

    private static func find(
        _ identifier: String, _ call: CallContext, _ tx: any ResourceServerReading
    ) throws -> ResourceServer {
        guard isText(identifier), let server = try tx.resourceServer(identifier, in: call.directory.id) else {
            throw AuthError(.notFound, reason: "no such resource server", field: "identifier")
        }
        return server
    }

    static func check(_ name: String, _ scopes: [ResourceServer.Scope]) throws(AuthError) {
        guard isReadable(name), !name.unicodeScalars.contains(where: { $0.value < 32 }) else {
            throw AuthError(.invalidRequest, reason: "1 to \(maximumText) characters", field: "name")
        }
        let isGood = scopes.allSatisfy { scope in
            isText(scope.name) && !scope.name.contains("/") && isReadable(scope.description)
        }
        guard scopes.count <= maximumScopes, isGood, Set(scopes.map(\.name)).count == scopes.count else {
            throw AuthError(
                .invalidRequest,
                reason: "at most \(maximumScopes) scopes, each once, without a slash and with a description",
                field: "scopes")
        }
    }

    private static func isReadable(_ text: String) -> Bool { (1...maximumText).contains(text.unicodeScalars.count) }

    /// RFC 6749, section 3.3: `%x21 / %x23-5B / %x5D-7E`.
    private static func isText(_ text: String) -> Bool {
        (1...maximumText).contains(text.utf8.count)
            && text.utf8.allSatisfy { (33...126).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    private static func record(_ what: String, _ identifier: String, _ step: FlowStep) throws {
        try step.record(.resourceServerChanged, user: nil, details: [what: .string(identifier)])
    }
}
