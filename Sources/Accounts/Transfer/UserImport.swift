// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Reads users from JSON lines as ``UserExport`` writes them.
///
/// A user who is there already, by our own identifier or, in a line without one, by one brought along, is left alone:
/// an import that broke off is simply run again. A line that can't be imported is reported with its number and the
/// others go on.
public struct UserImport: Sendable {
    /// Lines of one transaction: as many as keep a server beside it waiting for some hundredths of a second. With fewer
    /// each page of a large table that a user's row changes would be written for that row alone.
    public static let linesBesideServer = 1000
    /// The same where nobody waits: with so many each page is written for several rows.
    public static let linesAlone = 40_000

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

    /// Some lines, read.
    private struct Part: Sendable {
        var entries: [Entry] = []
        var faults: [Fault] = []
        /// `nil` where the store can't tell before it writes.
        var prepared: PreparedUsers?
    }

    /// Where lines go, and by whom.
    private struct Target: Sendable {
        let directory: Directory
        let now: Instant
        let actor: AuditEvent.Actor
        let providerNames: [String: String]
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
    private let linesAtOnce: @Sendable () -> Int
    /// However many lines a transaction may have, no more is read for it, and one line beyond it.
    var octetsAtOnce = 64 << 20

    /// - Parameters:
    ///   - dialects: those that can call a user by an identifier brought along. A line that names another is refused.
    ///   - providerNames: what each dialect's vendor calls identity providers, and ``IdentityProvider/name`` for it:
    ///     whoever comes by the provider finds the account. A name that a provider of the Directory has is that one's.
    ///   - linesAtOnce: how many lines the next transaction may have; at least 1. Asked before each.
    public init(
        store: any AccountStoring, random: any RandomSource, dialects: Set<DialectName>,
        providerNames: [String: String] = [:],
        linesAtOnce: @escaping @Sendable () -> Int = { UserImport.linesBesideServer }
    ) {
        self.store = store
        self.random = random
        self.dialects = dialects
        self.providerNames = providerNames
        self.linesAtOnce = linesAtOnce
    }

    /// Imports until `next` returns `nil`. Groups that a line names are made where they are missing.
    ///
    /// - Parameters:
    ///   - next: the next line; read one batch at a time.
    ///   - fault: told of each line that was not imported, in order of the lines of its batch.
    ///   - progress: told after each batch, once it is durable.
    /// - Throws: what `next` throws, `AuthErrorCode.unavailable`. What was reported by then is imported.
    public func run(
        into directory: Directory, at now: Instant, by actor: AuditEvent.Actor = .commandLine,
        next: () async throws -> Line?, fault: (Fault) async -> Void = { _ in },
        progress: (Summary) async -> Void = { _ in }
    ) async throws -> Summary {
        var summary = Summary()
        var number = 0
        var isDone = false
        let own = Set(try await store.read { try $0.identityProviders(in: directory.id) }.map(\.name))
        let target = Target(
            directory: directory, now: now, actor: actor,
            providerNames: providerNames.filter { !own.contains($0.key) })
        while !isDone {
            try Task.checkCancellation()
            var read: [(number: Int, line: Line)] = []
            var octets = 0
            let most = max(1, linesAtOnce())
            while read.count < most, octets < octetsAtOnce {
                guard let line = try await next() else {
                    isDone = true
                    break
                }
                number += 1
                octets += line.octets
                if !line.isBlank { read.append((number, line)) }
            }
            let lines = read
            // Nobody waits for this part, so that it may as well be done twice at once.
            let middle = lines.count / 2
            async let later = part(lines[middle...], target)
            let parts = [try part(lines[..<middle], target), try await later]
            let entries = parts.flatMap(\.entries)
            var faults = parts.flatMap(\.faults)
            let before = summary.imported
            if try await addAll(parts, target) {
                summary.imported += entries.count
            } else {
                for (entry, outcome) in zip(entries, try await write(entries, target)) {
                    switch outcome {
                    case .imported: summary.imported += 1
                    case .present: summary.present += 1
                    case .refused(let error): faults.append(Fault(line: entry.line, error: error))
                    }
                }
            }
            store.didImport(summary.imported - before, into: directory.id)
            summary.faults += faults.count
            for each in faults.sorted(by: { $0.line < $1.line }) { await fault(each) }
            if !(entries.isEmpty && faults.isEmpty) { await progress(summary) }
        }
        return summary
    }

    private func part(_ lines: ArraySlice<(number: Int, line: Line)>, _ target: Target) throws -> Part {
        var part = Part()
        for (number, line) in lines {
            do {
                let record = try TransferRecord(
                    parsing: try line.read(), directory: target.directory, dialects: dialects,
                    providerNames: target.providerNames,
                    random: random, at: target.now)
                part.entries.append(Entry(line: number, record: record))
            } catch let error as AuthError {
                part.faults.append(Fault(line: number, error: error))
            }
        }
        part.prepared = try? store.prepared(
            part.entries.map(\.record.user), with: part.entries.flatMap(\.record.identities))
        return part
    }

    /// Adds all of them at once, which is what an import is as a rule. Whether it did: it adds nobody where one of them
    /// is there already, shares something with another, or can't be added.
    private func addAll(_ parts: [Part], _ target: Target) async throws -> Bool {
        let records = parts.flatMap { $0.entries.map(\.record) }
        let prepared = parts.compactMap(\.prepared)
        let claims = NewcomerClaims(records.map(\.user))
        guard !records.isEmpty, prepared.count == parts.count, claims.areDistinct else { return false }
        let random = random
        do {
            return try await store.write { tx in
                guard try claims.areFree(in: target.directory.id, tx) else { return false }
                for part in prepared { try tx.insert(part) }
                for record in records { try Self.addRest(of: record, target, random, tx) }
                try Self.audit(records.count, target, random, tx)
                return true
            }
        } catch {
            guard ImportRefusal.of(error) != nil else { throw error }
            return false
        }
    }

    private func write(_ entries: [Entry], _ target: Target) async throws -> [Outcome] {
        try await ImportRefusal.apart(entries, refused: Outcome.refused) { try await transaction($0, target) }
    }

    /// Each by what is there then.
    private func transaction(_ entries: [Entry], _ target: Target) async throws -> [Outcome] {
        let random = random
        return try await store.write { tx in
            let outcomes = try entries.map { try Self.add($0.record, target, random, tx) }
            try Self.audit(
                outcomes.reduce(0) { if case .imported = $1 { $0 + 1 } else { $0 } }, target, random, tx)
            return outcomes
        }
    }

    private static func audit(
        _ imported: Int, _ target: Target, _ random: any RandomSource, _ tx: any StoreWriting
    ) throws {
        guard imported > 0 else { return }
        try tx.append(
            AuditEvent(
                id: random.identifier(at: target.now), directoryID: target.directory.id, action: .signedUp,
                actor: target.actor, details: ["by": "import", "users": .integer(Int64(imported))], at: target.now))
    }

    private static func add(
        _ record: TransferRecord, _ target: Target, _ random: any RandomSource, _ tx: any StoreWriting
    ) throws -> Outcome {
        let (user, directory) = (record.user, target.directory)
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
        try addRest(of: record, target, random, tx)
        return .imported
    }

    /// What a user has in other tables.
    private static func addRest(
        of record: TransferRecord, _ target: Target, _ random: any RandomSource, _ tx: any StoreWriting
    ) throws {
        let (directory, now) = (target.directory, target.now)
        if let profile = record.profile { try tx.upsert(profile) }
        for factor in record.factors { try tx.insert(factor) }
        for name in record.groups {
            let group = try tx.group(named: name, in: directory.id) ?? newGroup(name, directory, now, random, tx)
            _ = try tx.addMember(record.user.id, to: group.id, in: directory.id, at: now)
        }
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
