// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// Makes, lists and revokes the keys of service accounts. An operator's work only.
public struct ServiceAccountAdministration: Sendable {
    /// Keys of one account that are good at a time. More would make judging a token dearer than signing one.
    public static let maximumKeys = 10
    /// Their size does not follow the Directory's: the programs that hold them were made for this one.
    private static let size = RSAKeySize.bits2048

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Makes a key of an account, which begins with its first.
    ///
    /// - Parameters:
    ///   - account: 1 to 30 lower-case letters, digits and hyphens, a letter first and no hyphen last.
    ///   - scopes: as ``APIKeyAdministration``'s; empty for all that an operator's programs may.
    /// - Returns: the key, and its private half, which is kept nowhere.
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the field, also for a Directory that is part of another:
    ///   accounts are the whole's; ``AuthErrorCode/conflict`` for one key too many.
    public func create(
        _ account: String, scopes: [String] = [], in directory: Directory, at now: Instant,
        by actor: AuditEvent.Actor = .commandLine
    ) async throws -> (key: ServiceAccountKey, privateKey: SigningKey) {
        guard Self.isName(account) else {
            throw AuthError(
                .invalidRequest, reason: "an account's name has 1 to 30 lower-case letters, digits and hyphens",
                field: "account")
        }
        guard directory.settings.partOf == nil else {
            throw AuthError(
                .invalidRequest, reason: "service accounts are of the Directory that this one is a part of",
                field: "directory")
        }
        guard scopes.count <= 50, scopes.allSatisfy(APIKeyAdministration.isScope) else {
            throw AuthError(.invalidRequest, reason: "not a scope", field: "scopes")
        }
        let id: ServiceAccountKeyID = ports.random.identifier(at: now)
        let pair = try SigningKey.generate(.rs256, keyID: id.rawValue, rsaSize: Self.size)
        guard let publicKey = pair.publicJWK?.publicObject else {
            throw AuthError(.internalFailure, reason: "a key without a public half")
        }
        let key = ServiceAccountKey(
            id: id, directoryID: directory.id, account: account, publicJWK: JSONValue.object(publicKey).text,
            scopes: scopes, createdAt: now)
        let event = event(directory, actor, ["created": .string(id.rawValue), "account": .string(account)], now)
        try await ports.store.write { tx in
            guard try tx.serviceAccountKeys(of: account, in: directory.id).count < Self.maximumKeys else {
                throw AuthError(
                    .conflict, reason: "the account has \(Self.maximumKeys) keys: revoke one first", field: "account")
            }
            try tx.insert(key)
            try tx.append(event)
        }
        return (key, pair)
    }

    /// Newest first, with the revoked.
    public func list(in directory: Directory) async throws -> [ServiceAccountKey] {
        try await ports.store.read { try $0.serviceAccountKeys(in: directory.id) }
    }

    /// Ends a key at once, and with it every access token that was given for it. Revoking a revoked key changes
    /// nothing.
    ///
    /// - Throws: ``AuthErrorCode/notFound`` for a key of another Directory, or none.
    public func revoke(
        _ id: ServiceAccountKeyID, in directory: Directory, at now: Instant,
        by actor: AuditEvent.Actor = .commandLine
    ) async throws {
        let event = event(directory, actor, ["revoked": .string(id.rawValue)], now)
        try await ports.store.write { tx in
            guard try tx.serviceAccountKey(id, in: directory.id) != nil else {
                throw AuthError(.notFound, field: "key")
            }
            if try tx.revokeServiceAccountKey(id, in: directory.id, at: now) { try tx.append(event) }
        }
    }

    private func event(
        _ directory: Directory, _ actor: AuditEvent.Actor, _ details: JSONObject, _ now: Instant
    ) -> AuditEvent {
        AuditEvent(
            id: ports.random.identifier(at: now), directoryID: directory.id, action: .keyChanged, actor: actor,
            details: ["service_account_key": .object(details)], at: now)
    }

    private static func isName(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard (1...30).contains(bytes.count), (97...122).contains(bytes[0]), bytes.last != UInt8(ascii: "-") else {
            return false
        }
        return bytes.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
