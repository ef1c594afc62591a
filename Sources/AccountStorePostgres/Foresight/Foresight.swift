// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStore

/// What one transaction knows before it is asked: answers that came along with others, and what its statements will
/// change.
///
/// Everything that is used of it is checked, here or by the server, before the transaction is committed; where it was
/// wrong the transaction is undone and run again without.
struct Foresight {
    /// A statement that is sent with what comes after it.
    struct Deferred {
        let sql: String
        let arguments: PostgresArguments
    }

    let paths: StatementPaths
    /// Run again, because a guess was wrong.
    private(set) var isPlain: Bool
    private(set) var path: StatementPath?
    /// What the transaction began with, and is for.
    private(set) var first: PathName?
    /// Whether it may change something.
    var isWrite = false
    private(set) var asked: [AskedQuery] = []
    private(set) var deferred: [Deferred] = []
    /// What was known before the transaction, as if it had been asked first.
    private let given: AskedQuery?
    private let purpose: String
    private var numbers: [String: Int] = [:]
    private var answers: [Question: PostgresResult] = [:]
    private var exchanges = 0
    /// Whether it went otherwise than the path says.
    private var isSurprised = false
    private var expected: Set<QueryName> = []
    /// Answers that a change has made worthless, and the queries that were asked again for that.
    private var forgotten: Set<Question> = []
    private var vain: Set<QueryName> = []

    /// - Parameter values: what the transaction's caller knows that it will ask by.
    init(_ paths: StatementPaths, isPlain: Bool, about values: ForeseenValues? = nil) {
        self.paths = paths
        self.isPlain = isPlain
        given = values.map { AskedQuery(given: $0) }
        purpose = values?.purpose ?? ""
    }

    /// Whether one exchange will most likely do for it: it needs no beginning and no end then.
    var isWhole: Bool { exchanges == 0 && (path?.wholes ?? 0) > 1 }

    mutating func countExchange() { exchanges += 1 }

    // MARK: Queries

    mutating func name(_ sql: String) -> QueryName {
        let number = numbers[sql, default: 0]
        numbers[sql] = number + 1
        let name = QueryName(sql: sql, number: number)
        enter(name)
        return name
    }

    private mutating func enter(_ name: QueryName) {
        guard first == nil else { return }
        let first = PathName(query: name, isWrite: isWrite, purpose: purpose)
        self.first = first
        if !isPlain, paths.isPlain(first) { isPlain = true }
        if !isPlain { path = paths.path(from: first) }
    }

    /// The answer to a question, where it came with another one's, or was asked for before.
    func answer(to question: Question) -> PostgresResult? { answers[question] }

    mutating func note(_ name: QueryName, _ arguments: [SQLValue], _ result: PostgresResult, wasAhead: Bool) {
        if !wasAhead, !asked.isEmpty { isSurprised = true }
        if !forgotten.isEmpty, forgotten.contains(Question(sql: name.sql, arguments: arguments)) { vain.insert(name) }
        asked.append(AskedQuery(name: name, arguments: arguments, row: result.firstRow))
        expected.remove(name)
    }

    func queries(with current: Question, named name: QueryName) -> [ExpectedQuery] {
        let queries = path?.expected(with: current, named: name, after: (given.map { [$0] } ?? []) + asked) ?? []
        // What has come and was not asked for yet does not come again.
        return queries.filter { query in
            query.values.map { answers[Question(sql: query.name.sql, arguments: $0)] == nil } ?? true
        }
    }

    /// Keeps the answer to a question, which may be asked again, and what came along with it.
    mutating func keep(
        _ queries: [ExpectedQuery], _ results: [PostgresResult], with current: Question, _ found: PostgresResult
    ) {
        answers[current] = found
        var rows: [Question: [SQLValue]] = [:]
        rows[current] = found.onlyRow
        for (query, result) in zip(queries, results) {
            expected.insert(query.name)
            guard let question = query.asked({ rows[$0] ?? answers[$0]?.onlyRow }) else { continue }
            rows[question] = result.onlyRow
            answers[question] = result
        }
    }

    // MARK: Changes

    /// How many rows a statement will change, as far as that is known.
    mutating func changes(by sql: String) -> Int? {
        enter(QueryName(sql: sql, number: 0))
        guard !isPlain else { return nil }
        switch paths.kind(of: sql) {
        case .insertion: return 1
        case .change, .deletion: return paths.changes(by: sql)
        case .other: return nil
        }
    }

    /// Puts a statement off to the next exchange. Where it changes another number of rows than was expected, the server
    /// refuses it.
    mutating func putOff(_ sql: String, _ arguments: PostgresArguments, changing count: Int) {
        var text = sql
        if case .insertion = paths.kind(of: sql) {
        } else {
            text = "WITH changed AS (\(sql) RETURNING 1) SELECT 1 / (count(*) = \(count))::int FROM changed"
        }
        deferred.append(Deferred(sql: text, arguments: arguments))
        forget(sql)
    }

    mutating func takeDeferred() -> [Deferred] {
        defer { deferred = [] }
        return deferred
    }

    /// What was asked ahead of a table that is written to is asked anew.
    mutating func forget(_ sql: String) {
        guard !answers.isEmpty else { return }
        switch paths.kind(of: sql) {
        case .insertion(let table), .change(let table): forgetAnswers(from: table)
        // A deleted row takes along those that refer to it.
        case .deletion(let table) where !StatementPaths.referred.contains(table): forgetAnswers(from: table)
        case .deletion, .other: forgotten.formUnion(answers.keys)
        }
        for question in forgotten { answers[question] = nil }
    }

    private mutating func forgetAnswers(from table: String) {
        for question in answers.keys where paths.mentions(table, in: question.sql) { forgotten.insert(question) }
    }

    mutating func note(_ changes: Int, by sql: String) {
        enter(QueryName(sql: sql, number: 0))
        paths.note(changes, by: sql)
        forget(sql)
    }

    // MARK: The end

    /// The transaction has ended well.
    func learn() {
        guard let first, let begun = asked.first, begun.name == first.query else { return }
        let wasWhole = (path?.wholes ?? 0) > 1
        let isFirm = path?.isFirm(whereFound: !begun.row.isEmpty) == true
        if isSurprised || !expected.isEmpty || wasWhole != (exchanges == 1) || !isFirm {
            paths.learn(first, asked, given: given, vain: vain, exchanges: exchanges)
        }
    }

    /// A guess of it was wrong.
    func regret() { if let first { paths.wasWrong(first) } }

    /// One answer was to do for it, and did not.
    func wasNotWhole() { if let first { paths.wasNotWhole(first) } }

    /// What it asked ahead can't be asked so.
    func giveUp() { if let first { paths.giveUp(first) } }
}
