// SPDX-License-Identifier: Apache-2.0

import AccountStore

/// What transactions that begin alike went on to ask, and where the arguments came from: out of an earlier query's
/// arguments, out of the first row that it found, or the same each time. By it the next such transaction asks all of
/// that at once.
///
/// For a user who is not there arguments come from elsewhere than for one who is, and the two must cost the same. So
/// both are learned, by whether the first query has found a row, and asked for together.
///
/// A guess, and only that: whatever it says, an answer is used for the very question that it is the answer to, and for
/// no other. A source that was wrong once is never used again.
struct StatementPath: Sendable {
    enum Source: Hashable, Sendable {
        case argument(QueryName, Int)
        /// One of so many columns.
        case column(QueryName, Int, of: Int)
        case constant(SQLValue)
    }

    /// How a query was asked by transactions whose first one has found a row, or by those whose has not.
    struct Habit: Sendable {
        /// Of each argument everything that it has equalled each time; the first that can be had is used.
        var sources: [[Source]]
        var score = 0
        /// The transaction changes what it reads before it comes to it.
        var isVain = false

        /// Whether something it is asked by comes from nowhere that is known.
        var isLost: Bool { sources.contains(where: \.isEmpty) }
    }

    struct Step: Sendable {
        let name: QueryName
        var whereFound: Habit?
        var whereMissing: Habit?
        /// It can't be asked ahead.
        var isUnfit = false

        subscript(isFound isFound: Bool) -> Habit? {
            get { isFound ? whereFound : whereMissing }
            set { if isFound { whereFound = newValue } else { whereMissing = newValue } }
        }

        /// How it may be asked now.
        ///
        /// - Parameter isFound: `nil` while that is not known: it may be asked by either, or, where one can't be
        ///   foreseen, by neither.
        func habits(_ isFound: Bool?) -> [Habit] {
            let habits = (isFound.map { [self[isFound: $0]] } ?? [whereFound, whereMissing]).compactMap(\.self)
            guard !isUnfit, !habits.contains(where: \.isLost) else { return [] }
            return habits.filter { $0.score > 0 && !$0.isVain }
        }
    }

    private static let maximumSteps = 24
    private static let maximumSources = 12
    private static let highest = 8 * weight
    /// Transactions that do not ask it, for each that does: an answer for nothing costs little, one that is missing a
    /// round trip.
    private static let weight = 32
    /// Transactions in a row.
    private static let mostWholes = 8
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
        wholes = exchanges == 1 ? min(wholes + 1, Self.mostWholes) : min(wholes, 0)
        let isFound = asked.first?.row.isEmpty == false
        var known = given.map { [$0] } ?? []
        var seen: Set<QueryName> = []
        for query in asked {
            if !seen.isEmpty { note(query, after: known, isFound) }
            seen.insert(query.name)
            known.append(query)
        }
        for index in steps.indices where vain.contains(steps[index].name) {
            steps[index][isFound: isFound]?.isVain = true
        }
        for index in steps.indices where !seen.contains(steps[index].name) {
            steps[index][isFound: isFound]?.score -= 1
        }
        steps.removeAll { step in
            ![step.whereFound, step.whereMissing].contains { ($0?.score ?? -Self.highest) > -Self.highest }
        }
    }

    /// Whether there is nothing more to learn of those that go as it says.
    func isFirm(whereFound isFound: Bool) -> Bool {
        !steps.contains { ($0[isFound: isFound]?.score ?? Self.highest) < Self.highest }
    }

    /// What was asked ahead has failed: none of it is again.
    mutating func giveUp() {
        for index in steps.indices { steps[index].isUnfit = true }
        wholes = 0
    }

    /// One answer was to do, and did not: it costs a second run, so many have to go well before it is tried again.
    mutating func isNotWhole() { wholes = -4 * Self.mostWholes }

    private mutating func note(_ query: AskedQuery, after known: [AskedQuery], _ isFound: Bool) {
        let place = steps.firstIndex { $0.name == query.name } ?? steps.count
        if place == steps.count {
            guard steps.count < Self.maximumSteps else { return }
            steps.append(Step(name: query.name))
        }
        guard var habit = steps[place][isFound: isFound] else {
            // Once is enough for what the others ask as well: who is not there must not cost more than once.
            let score = steps[place][isFound: !isFound] == nil ? 0 : Self.weight
            steps[place][isFound: isFound] = Habit(
                sources: query.arguments.map { Self.sources(of: $0, known) }, score: score)
            return
        }
        habit.score = min(habit.score + Self.weight, Self.highest)
        for (index, argument) in query.arguments.enumerated() where index < habit.sources.count {
            habit.sources[index].removeAll { !Self.holds($0, argument, known) }
        }
        steps[place][isFound: isFound] = habit
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
        let isFound = known.first { !$0.isGiven }.map { !$0.row.isEmpty }
        for step in steps where step.name != name && !asked.contains(step.name) {
            let habits = step.habits(isFound)
            guard let count = habits.first?.sources.count else { continue }
            let arguments = (0..<count).compactMap { index in
                Self.resolve(habits.map { index < $0.sources.count ? $0.sources[index] : [] }, known, batch)
            }
            let query = ExpectedQuery(name: step.name, arguments: arguments)
            // What is asked twice is answered once.
            guard arguments.count == count,
                !batch.contains(where: { $0.name.sql == step.name.sql && $0.values != nil && $0.values == query.values }
                )
            else { continue }
            batch.append(query)
        }
        return Array(batch.dropFirst())
    }

    /// - Parameter sources: one list, or one for each thing that the first query may find: something, and nothing.
    private static func resolve(
        _ sources: [[Source]], _ known: [AskedQuery], _ batch: [ExpectedQuery]
    ) -> ExpectedQuery.Argument? {
        guard let first = sources.first, let last = sources.last else { return nil }
        let common = first.filter(last.contains)
        if let found = common.lazy.compactMap({ resolve($0, known, batch) }).first { return found }
        // Where there is something it is one of its columns, and where there is nothing what is known already.
        let instead = last.lazy.compactMap { resolve($0, known, batch)?.value }.first
        for source in first {
            guard let argument = resolve(source, known, batch) else { continue }
            guard case .column(let index, let count, let question, _) = argument,
                question.sql == batch[0].name.sql, question.arguments == batch[0].values
            else { continue }
            return .column(index, of: count, in: question, otherwise: instead)
        }
        return first.lazy.compactMap { resolve($0, known, batch) }.first
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
            return .column(index, of: count, in: Question(sql: name.sql, arguments: values), otherwise: nil)
        }
    }
}
