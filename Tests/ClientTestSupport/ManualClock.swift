// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import TestSupport

/// Time that passes when a test says so. Who waits goes on when their time is reached; nobody sleeps for real.
public final class ManualClock: ClientClock {
    private struct Sleeper {
        var until: TimeSpan
        var resume: CheckedContinuation<Bool, Never>
    }
    private struct Time {
        var now: Instant
        var uptime: TimeSpan = .seconds(1000)
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
    }

    private let time: Guarded<Time>

    /// - Parameter now: 2026-07-29T00:00:00Z where a test does not care.
    public init(now: Instant = Instant(seconds: 1_785_283_200)) {
        time = Guarded(Time(now: now))
    }

    public var now: Instant { time.withLock { $0.now } }
    public var uptime: TimeSpan { time.withLock { $0.uptime } }
    /// How many tasks wait.
    public var sleeping: Int { time.withLock { $0.sleepers.count } }
    /// When the first of those who wait goes on. `nil` where nobody waits.
    public var next: TimeSpan? { time.withLock { $0.sleepers.values.map(\.until).min() } }

    /// Lets time pass on both clocks.
    public func advance(by span: TimeSpan) {
        let due = time.withLock { time in
            time.now = time.now + span
            time.uptime = TimeSpan(microseconds: time.uptime.microseconds + span.microseconds)
            let ids = time.sleepers.filter { $0.value.until <= time.uptime }
                .sorted { ($0.value.until, $0.key) < ($1.value.until, $1.key) }.map(\.key)
            return ids.compactMap { time.sleepers.removeValue(forKey: $0)?.resume }
        }
        for continuation in due { continuation.resume(returning: true) }
    }

    /// Sets the wall clock, as a user or a network does: nothing passes by it.
    public func set(_ now: Instant) { time.withLock { $0.now = now } }

    /// Does `work` while pauses pass by themselves, as the one before something is asked once more. Whatever is further
    /// ahead than `longest` comes no nearer but by those.
    public func passingPauses<Outcome: Sendable>(
        of longest: TimeSpan = .milliseconds(450), _ work: @Sendable () async throws -> Outcome
    ) async rethrows -> Outcome {
        let passing = Task {
            while !Task.isCancelled {
                if let left = next.map({ $0.microseconds - uptime.microseconds }), left <= longest.microseconds {
                    advance(by: TimeSpan(microseconds: max(0, left)))
                }
                await Task.yield()
            }
        }
        defer { passing.cancel() }
        return try await work()
    }

    /// Returns as soon as at least `count` tasks wait.
    public func untilSleeping(_ count: Int = 1) async throws {
        try await eventually("\(count) wait for the clock") { sleeping >= count }
    }

    public func wait(_ span: TimeSpan) async throws(CancellationError) {
        guard span > .zero else { return }
        let id = time.withLock { time in
            time.nextID += 1
            return time.nextID
        }
        let reached = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let cancelled = time.withLock { time in
                    if time.cancelled.remove(id) != nil { return true }
                    let (until, overflow) = time.uptime.microseconds.addingReportingOverflow(span.microseconds)
                    time.sleepers[id] = Sleeper(
                        until: TimeSpan(microseconds: overflow ? .max : until), resume: continuation)
                    return false
                }
                if cancelled { continuation.resume(returning: false) }
            }
        } onCancel: {
            let sleeper = time.withLock { time in
                let sleeper = time.sleepers.removeValue(forKey: id)
                if sleeper == nil { time.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.resume.resume(returning: false)
        }
        if !reached { throw CancellationError() }
    }
}
