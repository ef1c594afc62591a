// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Creates, lists and revokes the keys that programs use in place of a user's token. An operator's work only.
public struct APIKeyAdministration: Sendable {
    /// The prefixes of keys that no dialect has a form of its own for.
    public static let publishablePrefix = "lk_pub_"
    public static let secretPrefix = "lk_sec_"

    private let store: any AccountStoring
    private let random: any RandomSource

    public init(_ ports: AccountPorts) {
        self.init(store: ports.store, random: ports.random)
    }

    public init(store: any AccountStoring, random: any RandomSource) {
        self.store = store
        self.random = random
    }

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - name: for the operator's list; 1 to 100 characters.
    ///   - scopes: what it may be used for, such as `admin:users`; empty for whatever its kind grants. At most 50, each
    ///     an RFC 6749 scope token of at most 100 characters.
    ///   - prefix: `nil` takes ``publishablePrefix`` or ``secretPrefix``.
    /// - Returns: the key, and its text, which can't be had again.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field.
    public func create(
        _ kind: APIKey.Kind, name: String, scopes: [String] = [], expiresAt: Instant? = nil, prefix: String? = nil,
        in directory: Directory, at now: Instant, by actor: AuditEvent.Actor = .commandLine
    ) async throws -> (key: APIKey, secret: Secret<String>) {
        let prefix = prefix ?? (kind == .publishable ? Self.publishablePrefix : Self.secretPrefix)
        guard (1...100).contains(name.count), name.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
        else { throw AuthError(.invalidRequest, reason: "a name has 1 to 100 characters", field: "name") }
        guard scopes.count <= 50, scopes.allSatisfy(Self.isScope) else {
            throw AuthError(.invalidRequest, reason: "not a scope", field: "scopes")
        }
        guard expiresAt.map({ $0 > now }) ?? true else {
            throw AuthError(.invalidRequest, reason: "the expiry lies in the past", field: "expires_at")
        }
        guard (1...32).contains(prefix.utf8.count), prefix.utf8.allSatisfy(Self.isPrefixByte) else {
            throw AuthError(.invalidRequest, reason: "not a prefix", field: "prefix")
        }
        let secret = APIKeySecret(prefix: prefix, random: random)
        let key = APIKey(
            id: random.identifier(at: now), directoryID: directory.id, name: name, kind: kind,
            prefix: secret.visiblePart(prefix: prefix), hash: secret.hash, scopes: scopes, createdAt: now,
            expiresAt: expiresAt)
        let event = event(directory, actor, ["created": .string(key.id.rawValue), "kind": .string(kind.rawValue)], now)
        try await store.write { tx in
            try tx.insert(key)
            try tx.append(event)
        }
        return (key, secret.text)
    }

    /// Newest first, with the revoked and the expired.
    public func list(in directory: Directory) async throws -> [APIKey] {
        try await store.read { try $0.apiKeys(in: directory.id) }
    }

    /// Ends a key at once. Revoking a revoked key changes nothing.
    ///
    /// - Throws: `AuthErrorCode.notFound` for a key of another Directory, or none.
    public func revoke(
        _ id: APIKeyID, in directory: Directory, at now: Instant, by actor: AuditEvent.Actor = .commandLine
    ) async throws {
        let event = event(directory, actor, ["revoked": .string(id.rawValue)], now)
        try await store.write { tx in
            guard try tx.apiKeys(in: directory.id).contains(where: { $0.id == id }) else {
                throw AuthError(.notFound, field: "key")
            }
            if try tx.revokeAPIKey(id, in: directory.id, at: now) { try tx.append(event) }
        }
    }

    private func event(
        _ directory: Directory, _ actor: AuditEvent.Actor, _ details: JSONObject, _ now: Instant
    ) -> AuditEvent {
        AuditEvent(
            id: random.identifier(at: now), directoryID: directory.id, action: .keyChanged, actor: actor,
            details: ["api_key": .object(details)], at: now)
    }

    /// RFC 6749, section 3.3.
    static func isScope(_ scope: String) -> Bool {
        (1...100).contains(scope.utf8.count)
            && scope.utf8.allSatisfy { $0 == 0x21 || (0x23...0x5B).contains($0) || (0x5D...0x7E).contains($0) }
    }

    private static func isPrefixByte(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
    }
}
