// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Registers, changes and removes the hosts at which Directories are reached. Every call needs an administrator as its
/// actor, and changes are audited.
public struct DomainAdministration: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - name: see ``DirectoryDomain/isName(_:of:)``; unique in the whole store.
    ///   - attributes: what a dialect keeps of it.
    /// - Throws: `AuthErrorCode.invalidRequest` for what is no name, `.conflict` with the field `kind` where the
    ///   Directory has such a domain already, with the field `domain` for a taken name; `.forbidden`.
    public func create(
        name: String, kind: DirectoryDomain.Kind, attributes: JSONObject = [:], call: CallContext
    ) async throws -> DirectoryDomain {
        try call.requireAdministrator()
        guard DirectoryDomain.isName(name, of: kind) else {
            throw AuthError(.invalidRequest, reason: "lower-case letters, digits and hyphens", field: "domain")
        }
        let domain = DirectoryDomain(
            directoryID: call.directory.id, name: name, kind: kind, attributes: attributes, createdAt: call.now,
            updatedAt: call.now)
        return try await ports.write(call) { step in
            // Asked first: a Directory that has one learns that, whatever it asks for.
            if try step.tx.domains(in: step.directory).contains(where: { $0.kind == kind }) {
                throw AuthError(taken: .duplicate("domain.kind"))
            }
            try step.tx.insert(domain)
            try Self.record("created", name, step)
            return domain
        }
    }

    /// At most one of each kind.
    public func list(call: CallContext) async throws -> [DirectoryDomain] {
        try call.requireAdministrator()
        return try await ports.store.read { try $0.domains(in: call.directory.id) }
    }

    /// The domain of a name and its Directory, whichever that is; `nil` where there is none.
    public func find(_ name: String, call: CallContext) async throws -> (domain: DirectoryDomain, of: Directory)? {
        try call.requireAdministrator()
        return try await ports.store.read { tx in
            guard let domain = try tx.domain(named: name), let directory = try tx.directory(domain.directoryID) else {
                return nil
            }
            return (domain, directory)
        }
    }

    /// Replaces what is kept of a domain.
    ///
    /// - Throws: `AuthErrorCode.notFound`, also for another Directory's, what `change` throws, `.forbidden`.
    public func update(
        _ name: String, call: CallContext, _ change: @Sendable @escaping (inout DirectoryDomain) throws -> Void
    ) async throws -> DirectoryDomain {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            var domain = try Self.find(name, step)
            try change(&domain)
            domain.updatedAt = call.now
            try step.tx.update(domain)
            try Self.record("updated", name, step)
            return domain
        }
    }

    /// - Throws: `AuthErrorCode.notFound`, also for another Directory's, `.forbidden`.
    public func delete(_ name: String, call: CallContext) async throws {
        try call.requireAdministrator()
        try await ports.write(call) { step in
            let domain = try Self.find(name, step)
            _ = try step.tx.deleteDomain(named: domain.name, in: step.directory)
            try Self.record("deleted", name, step)
        }
    }

    private static func find(_ name: String, _ step: FlowStep) throws -> DirectoryDomain {
        guard let domain = try step.tx.domain(named: name), domain.directoryID == step.directory else {
            throw AuthError(.notFound, reason: "no such domain", field: "domain")
        }
        return domain
    }

    private static func record(_ what: String, _ name: String, _ step: FlowStep) throws {
        try step.record(.domainChanged, user: nil, details: [what: .string(name)])
    }
}
