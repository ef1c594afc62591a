// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// Takes over many users at once, as another platform's tools send them. Hashes are kept as they come: each is
/// replaced by one of today's form when its user first signs in.
public struct ImportUsers: Sendable {
    /// Users of one call.
    public static let maximum = 1000

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Who can't be taken over is told by their place, and the others are.
    ///
    /// - Parameters:
    ///   - users: each with their place in the caller's list.
    ///   - overwrites: whether a user takes the place of one who has their identifier already, with everything that is
    ///     known of them; without it that is a refusal.
    /// - Returns: by place, why a user was refused: `emailExists`, `phoneExists`, `conflict` whose field is `id` or
    ///   `identities`, `invalidRequest` whose field is `password_hash` for a hash that is none or of one form too many,
    ///   and without a field for a text that no column takes, `metadataTooLarge`, `changeRefused` for whom an app's own
    ///   triggers don't let in, and what is wrong with their second factors.
    /// - Throws: `AuthErrorCode.forbidden`, `.requestTooLarge` for more than ``maximum`` users, `.unavailable`: of
    ///   users among whom somebody was refused some may have been taken over by then.
    public func callAsFunction(
        _ users: [(place: Int, user: ImportedUser)], overwrites: Bool, call: CallContext
    ) async throws -> [Int: AuthError] {
        try call.requireAdministrator()
        guard users.count <= Self.maximum else { throw AuthError(.requestTooLarge, field: "users") }
        let ids = ports.random.identifiers(users.count, of: UserTag.self)
        // Nobody waits for this part, so that it may as well be done twice at once.
        let middle = users.count / 2
        async let later = part(users[middle...], ids[middle...], call)
        let parts = [try part(users[..<middle], ids[..<middle], call), try await later]
        var refused = parts.reduce(into: [:]) { $0.merge($1.refused) { first, _ in first } }
        if try await addAll(parts, call) { return refused }
        let records = parts.flatMap(\.records)
        // Somebody is there already, or there twice, or is refused by the store itself: each by what is there then.
        let outcomes = try await ImportRefusal.apart(records, refused: Outcome.refused) {
            try await write($0, overwrites, call)
        }
        for ((place, _), outcome) in zip(records, outcomes) {
            if case .refused(let error) = outcome { refused[place] = error }
        }
        let imported = outcomes.reduce(0) { if case .imported = $1 { $0 + 1 } else { $0 } }
        ports.store.didImport(imported, into: call.directory.id)
        return refused
    }

    private enum Outcome: Sendable {
        case imported
        case overwritten
        case refused(AuthError)
    }

    /// Some of the users, ready to be written.
    private struct Part: Sendable {
        var records: [(place: Int, record: TransferRecord)] = []
        var refused: [Int: AuthError] = [:]
        /// `nil` where the store can't tell before it writes.
        var prepared: PreparedUsers?
    }

    private func part(
        _ users: ArraySlice<(place: Int, user: ImportedUser)>, _ ids: ArraySlice<UserID>, _ call: CallContext
    ) throws -> Part {
        var part = Part()
        for ((place, user), id) in zip(users, ids) {
            do throws(AuthError) {
                part.records.append((place, try user.record(id, in: call, random: ports.random)))
            } catch {
                guard ImportRefusal.codes.contains(error.code) else { throw error }
                part.refused[place] = error
            }
        }
        part.prepared = try? ports.store.prepared(
            part.records.map(\.record.user), with: part.records.flatMap(\.record.identities))
        return part
    }

    /// Adds all of them at once, which is what an import is as a rule. Whether it did: it adds nobody where one of them
    /// can't be added.
    private func addAll(_ parts: [Part], _ call: CallContext) async throws -> Bool {
        let prepared = parts.compactMap(\.prepared)
        let count = prepared.reduce(0) { $0 + $1.users.count }
        let factors = parts.flatMap { $0.records.flatMap(\.record.factors) }
        let claims = NewcomerClaims(prepared.flatMap(\.users))
        guard prepared.count == parts.count, claims.areDistinct else { return false }
        do {
            let isDone = try await ports.store.write { tx in
                let step = FlowStep(call, tx, ports)
                guard try claims.areFree(in: step.directory, tx) else { return false }
                for part in prepared { try tx.insert(part) }
                for factor in factors { try tx.insert(factor) }
                try Self.audit(count, 0, step)
                return true
            }
            if isDone { ports.store.didImport(count, into: call.directory.id) }
            return isDone
        } catch {
            guard ImportRefusal.of(error) != nil else { throw error }
            return false
        }
    }

    private func write(
        _ records: [(place: Int, record: TransferRecord)], _ overwrites: Bool, _ call: CallContext
    ) async throws -> [Outcome] {
        try await ports.transact(call) { step in
            let outcomes = try records.map { try Self.put($0.record, overwrites: overwrites, step) }
            try Self.audit(
                outcomes.reduce(0) { if case .imported = $1 { $0 + 1 } else { $0 } },
                outcomes.reduce(0) { if case .overwritten = $1 { $0 + 1 } else { $0 } }, step)
            return outcomes
        }
    }

    private static func put(_ record: TransferRecord, overwrites: Bool, _ step: FlowStep) throws -> Outcome {
        let taken = AuthError(.conflict, reason: "belongs to a user who is there", field: "id")
        let own = try step.tx.user(identifier: record.user.id.rawValue, in: step.directory)
        let called = try step.tx.owner(ofAny: record.user.externalIdentifiers, in: step.directory)
        if let found = own ?? called {
            guard overwrites, found.deletedAt == nil, !found.isDamaged else { return .refused(taken) }
            if let error = try record.clash(except: found.id, step.settings, step.tx) { return .refused(error) }
            try Overwriting(step).put(record, over: found)
            return .overwritten
        }
        if let error = try record.clash(step.settings, step.tx) { return .refused(error) }
        try step.tx.insert([record.user], with: record.identities)
        for factor in record.factors { try step.tx.insert(factor) }
        return .imported
    }

    private static func audit(_ imported: Int, _ changed: Int, _ step: FlowStep) throws {
        for (action, count) in [(AuditEvent.Action.signedUp, imported), (.userModified, changed)] where count > 0 {
            try step.tx.append(
                AuditEvent(
                    id: step.identifier(), directoryID: step.directory, action: action, actor: step.call.actor,
                    details: ["by": "import", "users": .integer(Int64(count))], at: step.now))
        }
    }
}
