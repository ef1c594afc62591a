// SPDX-License-Identifier: Apache-2.0

import AccountStore
import AuthTypes

/// What all connections of a store have learned of its transactions: which queries follow which, and how many rows each
/// statement changes.
final class StatementPaths: Sendable {
    private struct State {
        var paths: [PathName: StatementPath] = [:]
        var changes: [StatementKey: Changes] = [:]
        /// Transactions that are to be run without guesses.
        var plain: [PathName: Int] = [:]
        var kinds: [StatementKey: StatementKind] = [:]
        /// Whether a query, the second, may read what a table, the first, holds.
        var readers: [[StatementKey]: Bool] = [:]
    }

    private struct Changes {
        var count: Int
        /// How often it must be as many before that is expected again.
        var doubt = 0
    }

    /// After a statement has changed another number of rows than before. That costs a second run, so whether there is
    /// such a user must not show in it more than once in a long while.
    private static let longDoubt = 10_000

    /// What a program says is few hundred texts; lists of varying length could be more.
    private static let maximum = 1_024
    /// As many that begin alike do without after one in which a guess was wrong: it cost a second run.
    private static let penance = 16

    /// The tables whose rows others refer to.
    static let referred: Set<String> = Set(
        Migration.all.flatMap(\.statements).flatMap { statement in
            let words = statement.split { " \n(),".contains($0) }
            return zip(words, words.dropFirst()).filter { $0.0 == "REFERENCES" }.map { String($0.1) }
        })

    private let state = Mutex(State())

    func path(from name: PathName) -> StatementPath? { state.withLock { $0.paths[name] } }

    /// How many rows a statement changes; `nil` where that is not always as many.
    func changes(by sql: String) -> Int? {
        state.withLock { state in state.changes[StatementKey(sql)].flatMap { $0.doubt > 0 ? nil : $0.count } }
    }

    func note(_ changes: Int, by sql: String) {
        let key = StatementKey(sql)
        state.withLock { state in
            guard var known = state.changes[key] else {
                if state.changes.count < Self.maximum { state.changes[key] = Changes(count: changes) }
                return
            }
            known.doubt = known.count == changes ? max(0, known.doubt - 1) : Self.longDoubt
            known.count = changes
            state.changes[key] = known
        }
    }

    /// Whether a transaction that begins so is to be run without guesses.
    func isPlain(_ name: PathName) -> Bool {
        state.withLock { state in
            guard let rest = state.plain[name] else { return false }
            state.plain[name] = rest > 1 ? rest - 1 : nil
            return true
        }
    }

    /// A guess was wrong: the transaction is run again.
    func wasWrong(_ name: PathName) {
        state.withLock { state in
            if state.plain.count < Self.maximum { state.plain[name] = Self.penance }
        }
    }

    func kind(of sql: String) -> StatementKind {
        let key = StatementKey(sql)
        return state.withLock { state in
            if let kind = state.kinds[key] { return kind }
            let kind = StatementKind(sql)
            if state.kinds.count < Self.maximum { state.kinds[key] = kind }
            return kind
        }
    }

    /// Whether a query's text has the name of a table in it.
    func mentions(_ table: String, in sql: String) -> Bool {
        let key = [StatementKey(table), StatementKey(sql)]
        return state.withLock { state in
            if let known = state.readers[key] { return known }
            let isReader = sql.contains(table)
            if state.readers.count < 16 * Self.maximum { state.readers[key] = isReader }
            return isReader
        }
    }

    /// One answer did not do for it.
    func wasNotWhole(_ name: PathName) { change(name) { $0.isNotWhole() } }

    func learn(_ name: PathName, _ asked: [AskedQuery], given: AskedQuery?, vain: Set<QueryName>, exchanges: Int) {
        change(name) { $0.learn(asked, given: given, vain: vain, exchanges: exchanges) }
    }

    func giveUp(_ name: PathName) { change(name) { $0.giveUp() } }

    private func change(_ name: PathName, _ body: (inout StatementPath) -> Void) {
        state.withLock { state in
            guard state.paths.count < Self.maximum || state.paths[name] != nil else { return }
            body(&state.paths[name, default: StatementPath()])
        }
    }
}
