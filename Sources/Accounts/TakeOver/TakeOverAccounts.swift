// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// Takes the accounts of another server's database over, once: users with their hashes, identities, second factors, and the
/// sessions that their devices are signed in by.
///
/// It goes in turns, each a transaction that also says how far it is. One that was cut short at any moment goes on there, and two
/// that go at once do no harm: the second finds that it is further than it knew.
public struct TakeOverAccounts: Sendable {
    /// Users of one turn.
    private static let page = 100
    /// Accounts that can't be taken over and are named.
    private static let namedFaults = 20

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - dialect: whose clients the sessions are.
    ///   - clock: asked at each turn.
    ///   - read: makes an account of what the source has of it; throws what can't be taken over.
    ///   - progress: told after each turn, once it is durable.
    /// - Returns: what has come, now or before.
    /// - Throws: ``AuthErrorCode/conflict`` for a Directory that has users of its own before, for accounts that can't be taken
    ///   over, named by their identifiers, and where the comparison at the end finds a difference; what the source throws.
    public func callAsFunction(
        from source: any AccountSource, into directory: Directory, for dialect: DialectName,
        clock: @Sendable () -> Instant, read: @Sendable (JSONObject) throws -> BroughtAccount,
        progress: (TakeOver) -> Void = { _ in }
    ) async throws -> TakeOver {
        var state = try await begin(source, directory, clock(), read)
        guard state.finishedAt == nil else { return state }
        while true {
            try Task.checkCancellation()
            let rows = try await source.accounts(after: state.position, limit: Self.page)
            guard let last = rows.last else { break }
            let (accounts, faults) = Self.accounts(rows, read)
            guard faults.isEmpty else { throw Self.refusal(faults, of: faults.count, isBegun: true) }
            var next = state
            next.position = last.id
            for account in accounts {
                next.taken = next.taken + account.counts
                next.left = next.left + account.left
            }
            do {
                try await write(accounts, state, next, directory, dialect)
            } catch let conflict as StoreConflict {
                throw try await explain(conflict, accounts, directory)
            }
            state = next
            progress(state)
        }
        return try await source.finish(state, at: clock())
    }

    private func begin(
        _ source: any AccountSource, _ directory: Directory, _ now: Instant,
        _ read: (JSONObject) throws -> BroughtAccount
    ) async throws -> TakeOver {
        let name = source.name
        if let begun = try await ports.store.read({ try $0.takeOver(of: name) }) {
            guard begun.directoryID == directory.id else {
                throw AuthError(.conflict, reason: "accounts of \(name) were taken over into another Directory")
            }
            return begun
        }
        // First, since it asks for the rights that the looking through needs.
        let moment = try await source.moment()
        try await requireReadable(source, read)
        let state = TakeOver(source: name, directoryID: directory.id, moment: moment, startedAt: now)
        return try await ports.store.write { tx in
            // Another server may have come first.
            if let begun = try tx.takeOver(of: name) { return begun }
            guard try tx.userCount(in: directory.id) == 0 else {
                throw AuthError(
                    .conflict,
                    reason: "the Directory \(directory.name) has users of its own, which those of \(name) would meet")
            }
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

    // MARK: What can't be taken over

    private typealias Fault = (id: String, error: AuthError)

    private static func accounts(
        _ rows: [(id: String, account: JSONObject)], _ read: (JSONObject) throws -> BroughtAccount
    ) -> (accounts: [BroughtAccount], faults: [Fault]) {
        var (accounts, faults): ([BroughtAccount], [Fault]) = ([], [])
        for (id, row) in rows {
            do {
                accounts.append(try read(row))
            } catch {
                faults.append((id, error as? AuthError ?? AuthError(.invalidRequest, reason: "can't be read")))
            }
        }
        return (accounts, faults)
    }

    /// Looks through all before the first is written, so that whoever mends what can't be taken over is told once, and begins with
    /// nothing.
    private func requireReadable(
        _ source: any AccountSource, _ read: (JSONObject) throws -> BroughtAccount
    ) async throws {
        var (faults, count, end): ([Fault], Int, String?) = ([], 0, nil)
        while true {
            try Task.checkCancellation()
            let rows = try await source.accounts(after: end, limit: Self.page)
            guard let last = rows.last else { break }
            let found = Self.accounts(rows, read).faults
            count += found.count
            faults += found.prefix(max(0, Self.namedFaults - faults.count))
            end = last.id
        }
        guard faults.isEmpty else { throw Self.refusal(faults, of: count) }
    }

    /// - Parameter isBegun: whether some have come already, whose rows are compared at the end.
    private static func refusal(_ faults: [Fault], of count: Int, isBegun: Bool = false) -> AuthError {
        let named = faults.prefix(namedFaults).map { fault in
            let field = fault.error.field.map { "\($0): " } ?? ""
            return "\(fault.id) (\(field)\(fault.error.reason ?? fault.error.code.rawValue))"
        }
        return AuthError(
            .conflict,
            reason: "\(count) of the accounts can't be taken over, and so none is served: "
                + named.joined(separator: ", ") + (count > named.count ? ", …" : "")
                + (isBegun ? ". Mend them, drop our schema and start again" : ""))
    }

    /// Says which accounts have what another has.
    private func explain(
        _ conflict: StoreConflict, _ accounts: [BroughtAccount], _ directory: Directory
    ) async throws -> AuthError {
        struct Found: Error { var faults: [Fault] }
        do {
            try await ports.store.write { tx in
                var faults: [Fault] = []
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
        } catch let found as Found where !found.faults.isEmpty {
            return Self.refusal(found.faults, of: found.faults.count, isBegun: true)
        } catch is Found {}
        return AuthError(taken: conflict)
    }
}
