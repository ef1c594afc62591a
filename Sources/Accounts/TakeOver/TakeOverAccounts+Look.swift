// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords

/// Whether all accounts can be taken over, found out before the first is written: whoever mends what can't is told
/// once, and begins with nothing.
extension TakeOverAccounts {
    /// - Throws: ``AuthErrorCode/conflict``, as ``callAsFunction(from:into:for:clock:read:progress:fault:)``.
    func requireFit(
        _ source: any AccountSource, _ read: (JSONObject) throws -> BroughtAccount,
        _ fault: @escaping (String, String) -> Void
    ) async throws {
        var (faults, forms) = (TakeOverFaults(fault), Set<String>())
        var repetitions = Repetitions(capacity: comparedNames)
        var isFirst = true
        repeat {
            try await eachPage(of: source) { rows in
                var others = TakeOverFaults { _, _ in }
                let accounts = isFirst ? Self.accounts(rows, &faults, read) : Self.accounts(rows, &others, read)
                for account in accounts {
                    for name in OwnName.all(of: account) { repetitions.note(name) }
                    // One more than there may be says enough.
                    if forms.count <= ForeignHashes.maximum, let hash = account.user.passwordHash {
                        forms.insert(hash.form)
                    }
                }
            }
            isFirst = false
        } while repetitions.needsAnotherTurn()
        if !repetitions.found.isEmpty {
            try await addSharers(of: repetitions.found, to: &faults, source, read)
        }
        if let refusal = faults.refusal() { throw refusal }
        guard forms.count <= ForeignHashes.maximum else {
            throw AuthError(
                .conflict,
                reason: "the accounts have hashes of more than \(ForeignHashes.maximum) kinds and costs: "
                    + "every attempt at a password would cost one of each")
        }
    }

    /// Finds who has what another one before has, in the order in which they are read.
    private func addSharers(
        of found: Set<UInt64>, to faults: inout TakeOverFaults, _ source: any AccountSource,
        _ read: (JSONObject) throws -> BroughtAccount
    ) async throws {
        var holders: [OwnName: String] = [:]
        var (known, ignored) = (faults, TakeOverFaults { _, _ in })
        try await eachPage(of: source) { rows in
            for account in Self.accounts(rows, &ignored, read) {
                let id = account.user.id.rawValue
                for name in OwnName.all(of: account) where found.contains(Repetitions.bits(of: name)) {
                    guard let holder = holders[name] else {
                        holders[name] = id
                        continue
                    }
                    let reason = holder == id ? "there twice" : "the same as that of \(holder)"
                    known.add(id, AuthError(.conflict, reason: reason, field: name.field))
                    // One reason is enough.
                    break
                }
            }
        }
        faults = known
    }

    private func eachPage(
        of source: any AccountSource, _ body: ([(id: String, account: JSONObject)]) -> Void
    ) async throws {
        var end: String?
        while true {
            try Task.checkCancellation()
            let rows = try await source.accounts(after: end, limit: Self.page)
            guard let last = rows.last else { return }
            body(rows)
            end = last.id
        }
    }

    static func accounts(
        _ rows: [(id: String, account: JSONObject)], _ faults: inout TakeOverFaults,
        _ read: (JSONObject) throws -> BroughtAccount
    ) -> [BroughtAccount] {
        var accounts: [BroughtAccount] = []
        for (id, row) in rows {
            do {
                accounts.append(try read(row))
            } catch {
                faults.add(id, error)
            }
        }
        return accounts
    }
}
