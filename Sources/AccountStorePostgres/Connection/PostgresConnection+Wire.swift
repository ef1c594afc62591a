// SPDX-License-Identifier: Apache-2.0

import AccountStore
import CPostgres
import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What is said to the server, and what it answers.
extension PostgresConnection {
    enum Outgoing {
        /// Without arguments, and with no answer that matters.
        case command(String)
        case statement(String, PostgresArguments)
    }

    private struct Preparation {
        let key: StatementKey
        let name: String
    }

    /// Before nobody waits any more, for an answer to one that was told to stop.
    private static let hearing: Duration = .milliseconds(500)
    /// One after the other: a server that has stopped keeps one of them for as long as it likes, and no more than one
    /// thread.
    private static let cancellations = DispatchQueue(label: "account-store.cancellations")

    /// Of each answer that is to come what it is to: a preparation, or one of the parts.
    private typealias Slot = (part: Int, preparation: Preparation?)

    /// Sends what waits, and what is given, in one go.
    ///
    /// - Returns: an answer to each of `parts`.
    /// - Throws: ``PostgresFailure`` for the first thing that failed; nothing after it was done.
    func exchange(_ parts: [Outgoing]) throws -> [PostgresResult] {
        let hadCancelled = hasCancelled
        let commands = waiting.map { Outgoing.command($0) }
        waiting = []
        failedPart = nil
        var slots: [Slot] = []
        var fresh: [StatementKey: String] = [:]
        for (index, part) in (commands + parts).enumerated() {
            let place = index - commands.count
            switch part {
            case .command(let text) where !repeated.contains(text):
                try sent(PQsendQueryParams(connection, text, 0, nil, nil, nil, nil, 0))
            case .command(let text): try send(text, PostgresArguments(), at: place, &slots, &fresh)
            case .statement(let sql, let arguments): try send(sql, arguments, at: place, &slots, &fresh)
            }
            slots.append((place, nil))
        }
        try sent(PQpipelineSync(connection))
        roundTrips += 1
        // The server gives up first, and says so.
        let answers = try answers(until: clock.now + patience + .seconds(1))
        // Kept from then on, whatever becomes of the transaction.
        for (slot, answer) in zip(slots, answers) where answer.status == PGRES_COMMAND_OK {
            if let preparation = slot.preparation, !preparation.name.isEmpty {
                prepared[preparation.key] = preparation.name
            }
        }
        for (index, answer) in answers.enumerated() where answer.hasFailed && answer.status != PGRES_PIPELINE_ABORTED {
            // Only a statement itself may fail and leave the transaction as it was.
            failedPart = index < slots.count ? slots[index].part : nil
            if failedPart.map({ $0 < 0 }) ?? true || slots[index].preparation != nil { loseSavepoint() }
            throw PostgresFailure(answer, schema: schema)
        }
        guard answers.count == slots.count else { throw lose() }
        // A commit that waits for a standby is answered as one when it is told to stop, and is not on the standby.
        guard !hasCancelled || hadCancelled else { throw giveUp() }
        return zip(slots, answers).filter { $0.0.part >= 0 && $0.0.preparation == nil }.map(\.1)
    }

    /// Sends a statement, and its preparation before it where it is a new one.
    private func send(
        _ sql: String, _ arguments: PostgresArguments, at place: Int, _ slots: inout [Slot],
        _ fresh: inout [StatementKey: String]
    ) throws {
        let key = StatementKey(sql)
        if let name = prepared[key] ?? fresh[key] { return try sent(arguments.send(on: connection, to: name)) }
        // The last one has no name, and is planned each time. No other connection's is called so: where a proxy leads
        // this one to another of the server's processes, a name stands for nothing there, and for no text but its own.
        let count = prepared.count + fresh.count
        let name = count < Self.maximumPrepared ? "\(nameOfOwn)_\(count)" : ""
        try sent(PQsendPrepare(connection, name, StatementText.numbered(sql), 0, nil))
        slots.append((place, Preparation(key: key, name: name)))
        if !name.isEmpty { fresh[key] = name }
        try sent(arguments.send(on: connection, to: name))
    }

    private func answers(until deadline: ContinuousClock.Instant) throws -> [PostgresResult] {
        try flush(until: deadline)
        var answers: [PostgresResult] = []
        var hasPaused = false
        while true {
            while PQisBusy(connection) == 1 {
                try wait(for: POLLIN, until: deadline)
                guard PQconsumeInput(connection) == 1 else { throw lose() }
            }
            guard let next = PQgetResult(connection) else {
                // One ends each statement's answers; of two in a row the second is no server's.
                guard !hasPaused, PQstatus(connection) == CONNECTION_OK else { throw lose() }
                hasPaused = true
                continue
            }
            hasPaused = false
            let result = PostgresResult(next)
            if result.status == PGRES_PIPELINE_SYNC { return answers }
            answers.append(result)
        }
    }

    /// Sends what libpq still holds, and takes what comes meanwhile: a server that can't answer reads nothing more.
    private func flush(until deadline: ContinuousClock.Instant) throws {
        while true {
            switch PQflush(connection) {
            case 0: return
            case 1: try wait(for: POLLIN | POLLOUT, until: deadline)
            default: throw lose()
            }
            guard PQconsumeInput(connection) == 1 else { throw lose() }
        }
    }

    private func wait(for events: some BinaryInteger, until deadline: ContinuousClock.Instant) throws {
        let isLast = hasCancelled
        let rest = clock.now.duration(to: isLast ? deadline : deadline - Self.hearing)
        let milliseconds = rest.components.seconds * 1_000 + rest.components.attoseconds / Self.millisecond
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        let found = poll(&descriptor, 1, CInt(clamping: max(0, milliseconds)))
        // A signal, or what libpq looks at by itself.
        guard found == 0 else { return }
        guard isLast else {
            // PostgreSQL bounds statements, and not what is put off until a COMMIT: an app's triggers run there.
            hasCancelled = true
            if let cancellation { Self.cancellations.async { cancellation.set() } }
            return try wait(for: events, until: deadline)
        }
        throw giveUp()
    }

    /// What has become of it nobody knows.
    private func giveUp() -> PostgresFailure {
        _ = lose()
        failure = .unanswered
        return .unanswered
    }

    func lose() -> PostgresFailure {
        failure = .lost
        prepared = [:]
        return .lost
    }

    private func sent(_ code: CInt) throws {
        guard code == 1 else { throw lose() }
    }
}
