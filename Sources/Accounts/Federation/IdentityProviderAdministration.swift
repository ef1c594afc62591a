// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Configures the identity providers whose word a Directory takes. Every call needs an administrator as its actor, and
/// changes are audited: with the provider's name, never with what was written.
public struct IdentityProviderAdministration: Sendable {
    /// Each is read with all its settings where they are listed.
    static let maximum = 300

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - name: see ``IdentityProvider/isName(_:)``; that of a kind is for providers of this kind.
    ///   - change: of one that has the defaults. It may be called more than once.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field, `.conflict` for a taken name, and with the field
    ///   `count` for one too many; `.forbidden`; what `change` throws.
    public func create(
        _ name: String, kind: IdentityProvider.Kind, call: CallContext,
        _ change: @Sendable @escaping (inout IdentityProvider) throws -> Void
    ) async throws -> IdentityProvider {
        try call.requireAdministrator()
        guard IdentityProvider.isName(name) else {
            throw AuthError(.invalidRequest, reason: "1 to 32 of a-z, 0-9, _ . : -", field: "name")
        }
        guard IdentityProvider.Kind(rawValue: name).map({ $0 == kind }) ?? true else {
            throw AuthError(.invalidRequest, reason: "this name is for providers of its kind", field: "name")
        }
        let made = IdentityProvider(
            id: ports.random.identifier(at: call.now), directoryID: call.directory.id, name: name, kind: kind,
            createdAt: call.now, updatedAt: call.now)
        return try await ports.write(call) { step in
            var provider = made
            try change(&provider)
            provider.keepWhatStays(of: made)
            try provider.requireWellFormed(step.settings)
            guard try step.tx.identityProvider(named: name, in: step.directory) == nil else {
                throw AuthError(.conflict, reason: "the name is taken", field: "name")
            }
            guard try step.tx.identityProviders(in: step.directory).count < Self.maximum else {
                throw AuthError(.conflict, reason: "at most \(Self.maximum) identity providers", field: "count")
            }
            try step.tx.insert(provider)
            try Self.record("created", name, step)
            return provider
        }
    }

    /// In order of their names. Those of development mode are none of the operator's.
    public func list(call: CallContext) async throws -> [IdentityProvider] {
        try call.requireAdministrator()
        return try await ports.store.read { try $0.identityProviders(in: call.directory.id) }
    }

    /// - Throws: `AuthErrorCode.identityProviderNotFound`, `.forbidden`.
    public func get(_ name: String, call: CallContext) async throws -> IdentityProvider {
        try call.requireAdministrator()
        return try await ports.store.read { try Self.find(name, call, $0) }
    }

    /// The secret is sent nowhere but where whoever wrote it meant it to go: a change of that brings the secret, and
    /// nobody reads it by having it sent to themselves.
    ///
    /// - Parameter change: of what is stored now. It may be called more than once; name and kind stay.
    /// - Throws: `AuthErrorCode.identityProviderNotFound`, `.invalidRequest` naming the field, `secret` where it is to
    ///   go elsewhere, `.conflict` with the field `issuer` where users are known by identities of the one before;
    ///   `.forbidden`; what `change` throws.
    public func update(
        _ name: String, call: CallContext, _ change: @Sendable @escaping (inout IdentityProvider) throws -> Void
    ) async throws -> IdentityProvider {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            let stored = try Self.find(name, call, step.tx)
            var provider = stored
            try change(&provider)
            provider.keepWhatStays(of: stored)
            try provider.requireWellFormed(step.settings)
            if stored.secret != nil, provider.sendsSecretElsewhere(than: stored) {
                // Asked of a provider without one, the change says whether it brings one.
                var bare = stored
                bare.secret = nil
                try change(&bare)
                guard bare.secret != nil || provider.secret == nil else {
                    throw AuthError(
                        .invalidRequest, reason: "to be given anew where it is sent elsewhere", field: "secret")
                }
            }
            // An identity is the issuer and the subject: those of another issuer would be other people's.
            if provider.issuer != stored.issuer, try step.tx.hasIdentities(of: name, in: step.directory) {
                throw AuthError(.conflict, reason: "users are known by identities of the issuer", field: "issuer")
            }
            provider.updatedAt = call.now
            try step.tx.update(provider)
            try Self.record("updated", name, step)
            provider.version += 1
            return provider
        }
    }

    /// Whoever came by the provider comes by it no more; their identities stay.
    ///
    /// - Throws: `AuthErrorCode.identityProviderNotFound`, `.forbidden`.
    public func delete(_ name: String, call: CallContext) async throws {
        try call.requireAdministrator()
        try await ports.write(call) { step in
            _ = try Self.find(name, call, step.tx)
            _ = try step.tx.deleteIdentityProvider(named: name, in: step.directory)
            try Self.record("deleted", name, step)
        }
    }

    private static func find(
        _ name: String, _ call: CallContext, _ tx: any FederationReading
    ) throws -> IdentityProvider {
        guard IdentityProvider.isName(name),
            let provider = try tx.identityProvider(named: name, in: call.directory.id)
        else { throw AuthError(.identityProviderNotFound) }
        return provider
    }

    private static func record(_ what: String, _ name: String, _ step: FlowStep) throws {
        try step.record(.identityProviderChanged, user: nil, details: [what: .string(name)])
    }
}

extension IdentityProvider {
    /// Takes back what no change is for.
    fileprivate mutating func keepWhatStays(of stored: IdentityProvider) {
        (id, directoryID, name, kind) = (stored.id, stored.directoryID, stored.name, stored.kind)
        (createdAt, version) = (stored.createdAt, stored.version)
    }

    /// Whether what it is asked with, or what proves that we are its client, is shown at another place than before.
    fileprivate func sendsSecretElsewhere(than stored: IdentityProvider) -> Bool {
        issuer != stored.issuer || endpoints.token != stored.endpoints.token
            || endpoints.userInfo != stored.endpoints.userInfo || endpoints.revocation != stored.endpoints.revocation
    }
}
