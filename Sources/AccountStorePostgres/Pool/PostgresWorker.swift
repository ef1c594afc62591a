// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A thread and its connection, which is opened when it is first needed and again when it is lost.
///
/// `@unchecked`: `connection` is touched on `thread` alone, which runs one thing at a time.
final class PostgresWorker: @unchecked Sendable {
    /// Transactions that others come between are run again as often; then their client is told to come back.
    private static let attempts = 24
    /// After as many a write has its turn, in which no other one is under way at any server.
    private static let patience = 3
    private static let longestPause: UInt32 = 50_000
    /// After which none is begun anew.
    private static let longest: Duration = .seconds(10)

    let thread: DispatchQueue
    /// A connection that was opened more lately would be no other one if it were opened again.
    private let youth: Duration
    private let open: @Sendable () throws -> PostgresConnection
    private let clock = ContinuousClock()
    /// What is learned of transactions; `nil` where each statement is waited for.
    private let paths: StatementPaths?
    private var connection: PostgresConnection?

    init(
        _ label: String, _ paths: StatementPaths?, youth: Duration = .seconds(1),
        _ open: @escaping @Sendable () throws -> PostgresConnection
    ) {
        self.youth = youth
        thread = DispatchQueue(label: label, qos: .userInitiated)
        self.paths = paths
        self.open = open
    }

    func close() { connection = nil }

    /// Runs `body` in a transaction, again where another one came between, or where the connection had been lost before
    /// anything was done.
    ///
    /// - Parameters:
    ///   - values: what its caller knows that it will ask by.
    ///   - wrote: called each time with whether another transaction came between.
    ///   - done: called with what `body` made: of a transaction that changes nothing before its end is heard of, of
    ///   another once it is durable.
    func run<Value>(
        _ isolation: PostgresConnection.Isolation, about values: ForeseenValues? = nil, stop: PostgresStop? = nil,
        wrote: (_ meeting: Bool) -> Void = { _ in }, _ body: (PostgresConnection) throws -> Value,
        done: (Result<Value, any Error>) -> Void
    ) {
        // What was told to stop may yet be told so, and whatever ran on the connection then would be in its place.
        defer { if stop?.isSet == true { connection = nil } }
        let deadline = clock.now + Self.longest
        var (isPlain, meetings, hasBroken) = (false, 0, false)
        defer {
            connection?.endTurn()
            // What it holds is given back with it.
            if connection?.isUsable == false { connection = nil }
        }
        for attempt in 1... {
            do {
                if meetings >= Self.patience { try takeTurn() }
                let foresight = paths.map { Foresight($0, isPlain: isPlain, about: values) }
                let value = try once(isolation, foresight, stop, body)
                guard isolation == .snapshot else {
                    wrote(false)
                    return done(.success(value))
                }
                done(.success(value))
                // The snapshot is given back; whoever asked has no use for knowing.
                return connection?.rollBack() ?? ()
            } catch let again as Again
                where attempt < Self.attempts && clock.now < deadline && (!again.failure.isOutdated || isOld)
                && !(again.failure.isInternal && hasBroken)
            {
                hasBroken = hasBroken || again.failure.isInternal
                if again.failure.isOutdated {
                    connection = nil
                    continue
                }
                if again.failure.isSerialization {
                    wrote(true)
                    meetings += 1
                }
                // Nobody came between where it was a guess: what is known now is known.
                if again.failure.isWrongGuess {
                    isPlain = isPlain || !again.failure.isNotWhole
                } else {
                    // Nobody waits for one that waits.
                    connection?.endTurn()
                    pause(after: attempt)
                }
            } catch {
                let cause = (error as? Again)?.failure ?? error
                let isStopped = stop?.isSet == true && (cause as? PostgresFailure)?.isCancelled != false
                return done(.failure(isStopped ? CancellationError() : PostgresFailure.domainError(cause)))
            }
        }
    }

    /// Nothing was done yet where the connection is lost meanwhile.
    private func takeTurn() throws {
        do {
            try usable().takeTurn()
        } catch let failure as PostgresFailure where failure.isPassing {
            throw Again(failure: failure)
        }
    }

    /// To be run once more.
    private struct Again: Error {
        let failure: PostgresFailure
    }

    /// Runs what begins and ends its transactions itself, or has none.
    func perform<Value>(_ body: (PostgresConnection) throws -> Value) -> Result<Value, any Error> {
        do {
            return .success(try body(try usable()))
        } catch {
            return .failure(PostgresFailure.domainError(error))
        }
    }

    private var isOld: Bool { connection.map { $0.openedAt + youth <= clock.now } ?? false }

    private func usable() throws -> PostgresConnection {
        if connection?.isUsable != true { connection = nil }
        let usable = try connection ?? open()
        connection = usable
        return usable
    }

    private func once<Value>(
        _ isolation: PostgresConnection.Isolation, _ foresight: Foresight?, _ stop: PostgresStop?,
        _ body: (PostgresConnection) throws -> Value
    ) throws -> Value {
        let connection = try usable()
        if let stop, !stop.watch(connection.cancellation) { throw CancellationError() }
        defer { stop?.end() }
        connection.begin(isolation, with: foresight)
        let value: Value
        do {
            value = try body(connection)
        } catch {
            connection.check()
            guard let failure = connection.failure else {
                connection.rollBack()
                throw error
            }
            connection.rollBack()
            // Nothing was committed.
            throw failure.isToBeRunAgain ? Again(failure: failure) : failure
        }
        if let failure = connection.failure {
            connection.rollBack()
            throw failure.isToBeRunAgain ? Again(failure: failure) : failure
        }
        guard isolation == .serializable else { return value }
        do {
            try connection.commit()
        } catch let failure as PostgresFailure
            where failure.isSerialization || failure.isWrongGuess || failure.isOutdated
        {
            throw Again(failure: failure)
        }
        return value
    }

    /// Longer each time, and not alike for two that met.
    private func pause(after attempt: Int) {
        let most = min(Self.longestPause, 500 << UInt32(min(attempt, 8)))
        usleep(UInt32.random(in: most / 4...most))
    }
}

extension PostgresFailure {
    /// Of a transaction whose commit was not sent.
    fileprivate var isToBeRunAgain: Bool { isPassing || isWrongGuess || isOutdated || isInternal }
}
