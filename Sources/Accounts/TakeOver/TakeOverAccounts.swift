// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// Takes the accounts of another server's database over, once: users with their hashes, identities, second factors, and
/// the sessions that their devices are signed in by.
///
/// It goes in turns, each a transaction that also says how far it is. One that was cut short at any moment goes on
/// there, and two that go at once do no harm: the second finds that it is further than it knew.
public struct TakeOverAccounts: Sendable {
    /// Users of one turn.
    static let page = 100
    /// Names of accounts that are compared in one reading: those of some ten million users, and 256 MB; 32 MB for a
    /// million.
    private static let comparedNames = 25_000_000

    private let ports: AccountPorts
    let comparedNames: Int

    public init(_ ports: AccountPorts) {
        self.init(ports, comparedNames: Self.comparedNames)
    }

    /// - Parameter comparedNames: more than so many are compared in more than one reading.
    init(_ ports: AccountPorts, comparedNames: Int) {
        self.ports = ports
        self.comparedNames = comparedNames
    }

    /// - Parameters:
    ///   - dialect: whose clients the sessions are.
    ///   - clock: asked at each turn.
    ///   - read: makes an account of what the source has of it; throws what can't be taken over.
    ///   - progress: told after each turn, once it is durable.
    ///   - fault: told of each account that can't be taken over, by its identifier, and why; of a thousand at most.
    /// - Returns: what has come, now or before.
    /// - Throws: ``AuthErrorCode/conflict`` for a Directory that has users of its own before; for accounts that can't
    ///   be taken over, or have what another one has, before anything of any is written: some of them are named; and
    ///   where the comparison at the end finds a difference. What the source throws.
    public func callAsFunction(
        from source: any AccountSource, into directory: Directory, for dialect: DialectName,
        clock: @Sendable () -> Instant, read: @Sendable (JSONObject) throws -> BroughtAccount,
        progress: (TakeOver) -> Void = { _ in }, fault: @escaping (_ id: String, _ why: String) -> Void = { _, _ in }
    ) async throws -> TakeOver {
        var state = try await begin(source, directory, clock(), read, fault)
        guard state.finishedAt == nil else { return state }
        while true {
            try Task.checkCancellation()
            let rows = try await source.accounts(after: state.position, limit: Self.page)
            guard let last = rows.last else { break }
            var faults = TakeOverFaults(fault)
            let accounts = Self.accounts(rows, &faults, read)
            if let refusal = faults.refusal(isBegun: true) { throw refusal }
            var next = state
            next.position = last.id
            for account in accounts {
                next.taken = next.taken + account.counts
                next.left = next.left + account.left
            }
            do {
                try await write(accounts, state, next, directory, dialect)
            } catch let conflict as StoreConflict {
                throw try await explain(conflict, accounts, directory, fault)
            }
            state = next
            progress(state)
        }
        return try await source.finish(state, at: clock())
    }

    private func begin(
        _ source: any AccountSource, _ directory: Directory, _ now: Instant,
        _ read: (JSONObject) throws -> BroughtAccount, _ fault: @escaping (String, String) -> Void
    ) async throws -> TakeOver {
        let name = source.name
        let begun = try await ports.store.read { tx in
            let begun = try tx.takeOver(of: name)
            if begun == nil { try Self.requireEmpty(directory, for: name, tx) }
            return begun
        }
        if let begun {
            guard begun.directoryID == directory.id else {
                throw AuthError(.conflict, reason: "accounts of \(name) were taken over into another Directory")
            }
            return begun
        }
        // First, since it asks for the rights that the looking through needs.
        let moment = try await source.moment()
        try await requireFit(source, read, fault)
        let state = TakeOver(source: name, directoryID: directory.id, moment: moment, startedAt: now)
        return try await ports.store.write { tx in
            // Another server may have come first.
            if let begun = try tx.takeOver(of: name) { return begun }
            try Self.requireEmpty(directory, for: name, tx)
            try tx.put(state)
            return state
        }
    }

    // MARK: One turn

    private func write(
        _ accounts: [BroughtAccount], _ before: TakeOver, _ after: TakeOver, _ directory: Directory,
        _ dialect: DialectName
    ) async throws {
        let prepared = try ports.store.prepared(accounts.map(\.user), with: accounts.flatMap(\.identities))
        let sessions = accounts.flatMap { account in
            account.sessions.map {
                $0.records(of: account.user.id, in: directory, for: dialect, random: ports.random)
            }
        }
        let factors = accounts.flatMap(\.factors)
        let forms = Set(accounts.compactMap { $0.user.passwordHash?.form })
        try await ports.store.write { tx in
            guard try tx.takeOver(of: before.source) == before else {
                throw AuthError(.conflict, reason: "another server takes the same accounts over: start this one again")
            }
            try ForeignHashes.admit(forms: forms, in: directory.id, tx)
            try tx.insert(prepared)
            for factor in factors { try tx.insert(factor) }
            for (session, _) in sessions { try tx.insert(session) }
            try tx.insert(sessions.flatMap(\.tokens))
            try tx.put(after)
        }
    }

    private static func requireEmpty(
        _ directory: Directory, for source: String, _ tx: any StoreReading
    ) throws {
        guard try tx.userCount(in: directory.id) == 0 else {
            throw AuthError(
                .conflict,
                reason: "the Directory \(directory.name) has users of its own, which those of \(source) would meet")
        }
    }

    /// Says which accounts have what another has: they have it since they were looked through.
    private func explain(
        _ conflict: StoreConflict, _ accounts: [BroughtAccount], _ directory: Directory,
        _ fault: @escaping (String, String) -> Void
    ) async throws -> AuthError {
        struct Found: Error { var faults: [(id: String, error: AuthError)] }
        do {
            try await ports.store.write { tx in
                var faults: [(id: String, error: AuthError)] = []
                for account in accounts {
                    let record = TransferRecord(
                        user: account.user, identities: account.identities, groups: [], factors: account.factors)
                    if let error = try record.clash(directory.settings, tx) {
                        faults.append((account.user.id.rawValue, error))
                    } else {
                        do {
                            try tx.insert([account.user], with: account.identities)
                            for factor in account.factors { try tx.insert(factor) }
                        } catch let conflict as StoreConflict {
                            faults.append((account.user.id.rawValue, AuthError(taken: conflict)))
                        }
                    }
                }
                // Undoes what was tried.
                throw Found(faults: faults)
            }
        } catch let found as Found {
            var faults = TakeOverFaults(fault)
            for (id, error) in found.faults { faults.add(id, error) }
            if let refusal = faults.refusal(isBegun: true) { return refusal }
        }
        return AuthError(taken: conflict)
    }
}
