// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Reads users from JSON lines as ``UserExport`` writes them.
///
/// A user who is there already, by our own identifier or, in a line without one, by one brought along, is left alone: an import that broke off is simply run again. A line that
/// can't be imported is reported with its number and the others go on.
public struct UserImport: Sendable {
    /// Lines of one transaction.
    private static let batch = 200

    public struct Fault: Sendable, CustomStringConvertible {
        /// From 1, blank lines counted.
        public var line: Int
        /// Names the member and what is wrong with it; holds no value of the line.
        public var error: AuthError

        public var description: String {
            let field = error.field.map { "\($0): " } ?? ""
            return "line \(line): \(field)\(error.reason ?? error.code.rawValue)"
        }
    }

    public struct Summary: Sendable, Equatable {
        public var imported = 0
        /// Users who were there already.
        public var present = 0
        public var faults = 0
        public init() {}
    }

    private struct Entry: Sendable {
        var line: Int
        var record: TransferRecord
    }

    private enum Outcome: Sendable {
        case imported
        case present
        case refused(AuthError)
    }

    private let store: any AccountStoring
    private let random: any RandomSource
    private let dialects: Set<DialectName>
    private let providerNames: [String: String]

    /// - Parameters:
    ///   - dialects: those that can call a user by an identifier brought along. A line that names another is refused.
    ///   - providerNames: what each dialect's vendor calls identity providers, and ``IdentityProvider/name`` for it: whoever
    ///     comes by the provider finds the account. A name that a provider of the Directory has is that one's.
    public init(
        store: any AccountStoring, random: any RandomSource, dialects: Set<DialectName>,
        providerNames: [String: String] = [:]
    ) {
        self.store = store
        self.random = random
        self.dialects = dialects
        self.providerNames = providerNames
    }

    /// Imports until `nextLine` returns `nil`. Groups that a line names are made where they are missing.
    ///
    /// - Parameters:
    ///   - nextLine: the next line without its break; read one batch at a time.
    ///   - fault: told of each line that was not imported, in order of the lines of its batch.
    ///   - progress: told after each batch, once it is durable.
    /// - Throws: what `nextLine` throws, `AuthErrorCode.unavailable`. What was reported by then is imported.
    public func run(
        into directory: Directory, at now: Instant, by actor: AuditEvent.Actor = .commandLine,
        nextLine: () async throws -> String?, fault: (Fault) async -> Void = { _ in },
        progress: (Summary) async -> Void = { _ in }
    ) async throws -> Summary {
        var summary = Summary()
        var number = 0
        var isDone = false
        let own = Set(try await store.read { try $0.identityProviders(in: directory.id) }.map(\.name))
        let providerNames = providerNames.filter { !own.contains($0.key) }
        while !isDone {
            try Task.checkCancellation()
            var entries: [Entry] = []
            var faults: [Fault] = []
            while entries.count + faults.count < Self.batch {
                guard let line = try await nextLine() else {
                    isDone = true
                    break
                }
                number += 1
                guard line.utf8.contains(where: { $0 > 0x20 }) else { continue }
                do {
                    let record = try TransferRecord(
                        parsing: line, directory: directory, dialects: dialects, providerNames: providerNames,
                        random: random, at: now)
                    entries.append(Entry(line: number, record: record))
                } catch let error as AuthError {
                    faults.append(Fault(line: number, error: error))
                }
            }
            let outcomes = try await write(entries, directory, now, actor)
            for (entry, outcome) in zip(entries, outcomes) {
                switch outcome {
                case .imported: summary.imported += 1
                case .present: summary.present += 1
                case .refused(let error): faults.append(Fault(line: entry.line, error: error))
                }
            }
            summary.faults += faults.count
            for each in faults.sorted(by: { $0.line < $1.line }) { await fault(each) }
            if !(entries.isEmpty && faults.isEmpty) { await progress(summary) }
        }
        return summary
    }

    /// One transaction for the batch; where somebody took an address between its check and its insert, one for each.
    private func write(
        _ entries: [Entry], _ directory: Directory, _ now: Instant, _ actor: AuditEvent.Actor
    ) async throws -> [Outcome] {
        guard !entries.isEmpty else { return [] }
        do {
            return try await transaction(entries, directory, now, actor)
        } catch is StoreConflict {
            var outcomes: [Outcome] = []
            for entry in entries {
                do {
                    outcomes += try await transaction([entry], directory, now, actor)
                } catch let conflict as StoreConflict {
                    outcomes.append(.refused(AuthError(taken: conflict)))
                }
            }
            return outcomes
        }
    }

    private func transaction(
        _ entries: [Entry], _ directory: Directory, _ now: Instant, _ actor: AuditEvent.Actor
    ) async throws -> [Outcome] {
        let random = random
        return try await store.write { tx in
            let outcomes = try entries.map { try Self.add($0.record, directory, now, random, tx) }
            let imported = outcomes.reduce(0) { if case .imported = $1 { $0 + 1 } else { $0 } }
            if imported > 0 {
                try tx.append(
                    AuditEvent(
                        id: random.identifier(at: now), directoryID: directory.id, action: .signedUp, actor: actor,
                        details: ["by": "import", "users": .integer(Int64(imported))], at: now))
            }
            return outcomes
        }
    }

    private static func add(
        _ record: TransferRecord, _ directory: Directory, _ now: Instant, _ random: any RandomSource,
        _ tx: any StoreWriting
    ) throws -> Outcome {
        let user = record.user
        if let found = try tx.owner(of: user.id.rawValue, in: directory.id) {
            guard found.id != user.id else { return .present }
            return .refused(AuthError(.conflict, reason: "belongs to another user", field: "id"))
        }
        if let found = try tx.owner(ofAny: user.externalIdentifiers, in: directory.id) {
            let isSame =
                !record.hasOwnIdentifier
                && !found.externalIdentifiers.all.isDisjoint(with: user.externalIdentifiers.all)
            guard !isSame else { return .present }
            return .refused(AuthError(.conflict, reason: "belongs to another user", field: "external_identifiers"))
        }
        if let error = try record.clash(directory.settings, tx) { return .refused(error) }
        try tx.insert([user], with: record.identities)
        if let profile = record.profile { try tx.upsert(profile) }
        for factor in record.factors { try tx.insert(factor) }
        for name in record.groups {
            let group = try tx.group(named: name, in: directory.id) ?? newGroup(name, directory, now, random, tx)
            _ = try tx.addMember(user.id, to: group.id, in: directory.id, at: now)
        }
        return .imported
    }

    private static func newGroup(
        _ name: String, _ directory: Directory, _ now: Instant, _ random: any RandomSource, _ tx: any StoreWriting
    ) throws -> Group {
        let group = Group(
            id: random.identifier(at: now), directoryID: directory.id, name: name, createdAt: now, updatedAt: now)
        try tx.insert(group)
        return group
    }
}
