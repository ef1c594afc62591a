// SPDX-License-Identifier: Apache-2.0

import AccountStore

/// What transactions that begin with one query went on to ask, and where the arguments came from: out of an earlier query's
/// arguments, out of the first row that it found, or the same each time. By it the next such transaction asks all of that at once.
///
/// A guess, and only that: whatever it says, an answer is used for the very question that it is the answer to, and for no other.
/// A source that was wrong once is never used again: for a user who is not there arguments come from elsewhere than for one who is,
/// and the two must cost the same.
struct StatementPath: Sendable {
    enum Source: Hashable, Sendable {
        case argument(QueryName, Int)
        /// One of so many columns.
        case column(QueryName, Int, of: Int)
        case constant(SQLValue)
    }

    struct Step: Sendable {
        let name: QueryName
        /// Of each argument everything that it has equalled each time; the first that can be had is used.
        var sources: [[Source]]
        var score = 0
        /// The transaction changes what it reads before it comes to it.
        var isVain = false

        var isExpected: Bool { score > 0 && !isVain && !sources.contains(where: \.isEmpty) }
    }

    private static let maximumSteps = 24
    private static let maximumSources = 12
    private static let highest = 8
    /// A shorter text is equal to another by chance.
    private static let telling = 8

    private(set) var steps: [Step] = []
    /// Transactions in a row for which one exchange was enough.
    private(set) var wholes = 0

    /// Takes note of a transaction's queries, the first of which is the one that the path begins with.
    ///
    /// - Parameters:
    ///   - given: what was known before it.
    ///   - vain: those that had been asked ahead, and again once their table had been written to.
    mutating func learn(_ asked: [AskedQuery], given: AskedQuery? = nil, vain: Set<QueryName>, exchanges: Int) {
        wholes = exchanges == 1 ? min(wholes + 1, Self.highest) : min(wholes, 0)
        var known = given.map { [$0] } ?? []
        var seen: Set<QueryName> = []
        for query in asked {
            if !seen.isEmpty { note(query, after: known) }
            seen.insert(query.name)
            known.append(query)
        }
        for index in steps.indices where vain.contains(steps[index].name) { steps[index].isVain = true }
        for index in steps.indices where !seen.contains(steps[index].name) { steps[index].score -= 1 }
        steps.removeAll { $0.score <= -Self.highest }
    }

    /// What was asked ahead has failed: none of it is again.
    mutating func giveUp() {
        for index in steps.indices { steps[index].sources = [[]] }
        wholes = 0
    }

    /// One answer was to do, and did not: it costs a second run, so many have to go well before it is tried again.
    mutating func isNotWhole() { wholes = -4 * Self.highest }

    private mutating func note(_ query: AskedQuery, after known: [AskedQuery]) {
        guard let place = steps.firstIndex(where: { $0.name == query.name }) else {
            guard steps.count < Self.maximumSteps else { return }
            steps.append(Step(name: query.name, sources: query.arguments.map { Self.sources(of: $0, known) }))
            return
        }
        steps[place].score = min(steps[place].score + 1, Self.highest)
        for (index, argument) in query.arguments.enumerated() where index < steps[place].sources.count {
            steps[place].sources[index].removeAll { !Self.holds($0, argument, known) }
        }
    }

    private static func sources(of argument: SQLValue, _ known: [AskedQuery]) -> [Source] {
        var sources: [Source] = []
        if isTelling(argument) {
            for query in known {
                for (index, other) in query.arguments.enumerated() where other == argument {
                    sources.append(.argument(query.name, index))
                }
            }
            for query in known {
                for (index, other) in query.row.enumerated() where other == argument {
                    sources.append(.column(query.name, index, of: query.row.count))
                }
            }
        }
        return sources.prefix(maximumSources) + [.constant(argument)]
    }

    private static func isTelling(_ value: SQLValue) -> Bool {
        switch value {
        case .null: false
        case .integer: true
        case .text(let text): text.utf8.count >= telling
        case .blob(let bytes): bytes.count >= telling
        }
    }

    private static func holds(_ source: Source, _ argument: SQLValue, _ known: [AskedQuery]) -> Bool {
        switch source {
        case .constant(let value): return value == argument
        case .argument(let name, let index):
            guard let query = known.first(where: { $0.name == name }), index < query.arguments.count else {
                return false
            }
            return query.arguments[index] == argument
        case .column(let name, let index, _):
            guard let query = known.first(where: { $0.name == name }), index < query.row.count else { return false }
            return query.row[index] == argument
        }
    }

    // MARK: What comes

    /// What is to be asked along with a query.
    ///
    /// - Parameters:
    ///   - current: the query that is asked now.
    ///   - known: what was asked before it.
    func expected(with current: Question, named name: QueryName, after known: [AskedQuery]) -> [ExpectedQuery] {
        var batch = [ExpectedQuery(name: name, arguments: current.arguments.map { .value($0) })]
        let asked = Set(known.map(\.name))
        for step in steps where step.isExpected && step.name != name && !asked.contains(step.name) {
            var arguments: [ExpectedQuery.Argument] = []
            for sources in step.sources {
                guard let found = sources.lazy.compactMap({ Self.resolve($0, known, batch) }).first else { break }
                arguments.append(found)
            }
            guard arguments.count == step.sources.count else { continue }
            batch.append(ExpectedQuery(name: step.name, arguments: arguments))
        }
        return Array(batch.dropFirst())
    }

    private static func resolve(
        _ source: Source, _ known: [AskedQuery], _ batch: [ExpectedQuery]
    ) -> ExpectedQuery.Argument? {
        switch source {
        case .constant(let value): return .value(value)
        case .argument(let name, let index):
            if let query = known.first(where: { $0.name == name }) {
                return index < query.arguments.count ? .value(query.arguments[index]) : nil
            }
            guard let query = batch.first(where: { $0.name == name }), index < query.arguments.count else { return nil }
            return query.arguments[index]
        case .column(let name, let index, let count):
            if let query = known.first(where: { $0.name == name }) {
                return index < query.row.count ? .value(query.row[index]) : nil
            }
            // Not a query within a query within a query.
            guard let place = batch.firstIndex(where: { $0.name == name }), let values = batch[place].values else {
                return nil
            }
            return .column(index, of: count, in: Question(sql: name.sql, arguments: values))
        }
    }
}
