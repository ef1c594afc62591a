// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Takes back a new way by itself while too much of it fails, and tries it again with a few (H-10). Pure: who asks says
/// how much time has passed.
public struct FallbackBreaker: Sendable, Hashable {
    /// How far back failures count.
    public var window: TimeSpan
    /// How many must have been tried before the share says anything.
    public var minimum: Int
    /// The share of failures from which on the new way is left.
    public var opensAt: Double
    /// How long it is left. Then one is let try, and every failure lengthens the time twofold, up to eight times.
    public var pause: TimeSpan
    /// How many in a row must succeed, one at a time, before everybody is let in again: less fails now than made it
    /// leave.
    public var closesAfter: Int

    private var outcomes: [Outcome] = []
    private var openSince: TimeSpan?
    private var pauses = 0
    private var successes = 0
    /// The test that is under way.
    private var test: Try?
    /// Grows whenever the new way is left or taken again, and with each test: what was begun before says nothing of
    /// what came after.
    private var generation = 0

    /// One sign-in by the new way, as it was let in: it says something of the breaker that let it in, and of no later
    /// one.
    public struct Try: Sendable, Hashable {
        fileprivate let generation: Int
    }

    private struct Outcome: Sendable, Hashable {
        var at: TimeSpan
        var failed: Bool
    }

    /// With the thresholds of docs/hybrid-sign-in.md, unless others are given.
    public init(
        window: TimeSpan = .minutes(15), minimum: Int = 5, opensAt: Double = 0.2, pause: TimeSpan = .minutes(10),
        closesAfter: Int = 3
    ) {
        self.window = window
        self.minimum = max(minimum, 1)
        self.opensAt = opensAt
        self.pause = pause
        self.closesAfter = max(closesAfter, 1)
    }

    /// Whether the old way is taken at the moment.
    public var isOpen: Bool { openSince != nil }

    /// Whether the new way may be tried now: what comes of it is told by ``record(_:failed:at:)``, or
    /// ``giveUp(_:)``.
    ///
    /// - Parameter uptime: time that only grows.
    /// - Returns: `nil` where the old way is to be taken.
    public mutating func begin(at uptime: TimeSpan) -> Try? {
        guard let openSince else { return Try(generation: generation) }
        let factor = Int64(1) << Int64(min(max(pauses - 1, 0), 3))
        let (pause, overflow) = max(pause, .zero).microseconds.multipliedReportingOverflow(by: factor)
        guard test == nil, uptime >= openSince + TimeSpan(microseconds: overflow ? .max : pause) else { return nil }
        generation += 1
        test = Try(generation: generation)
        return test
    }

    /// The user turned back, typed what is wrong, or had no network: that says nothing. Another may be let try.
    public mutating func giveUp(_ attempt: Try) {
        if attempt == test { test = nil }
    }

    /// Counts one try, unless the way was left, taken again or put to the test since it began.
    public mutating func record(_ attempt: Try, failed: Bool, at uptime: TimeSpan) {
        guard attempt.generation == generation else { return }
        if isOpen {
            // A test counts once, and what was begun before it says nothing of whether the way is mended.
            guard attempt == test else { return }
            test = nil
            successes = failed ? 0 : successes + 1
            if failed {
                open(at: uptime)
            } else if successes >= closesAfter {
                (openSince, pauses, outcomes, successes) = (nil, 0, [], 0)
                generation += 1
            }
            return
        }
        outcomes.removeAll { uptime > $0.at + window }
        outcomes.append(Outcome(at: uptime, failed: failed))
        // Older ones say no more than these.
        if outcomes.count > 1_000 { outcomes.removeFirst() }
        let failures = outcomes.count { $0.failed }
        if outcomes.count >= minimum, Double(failures) >= opensAt * Double(outcomes.count), failures > 0 {
            open(at: uptime)
        }
    }

    private mutating func open(at uptime: TimeSpan) {
        openSince = uptime
        pauses = min(pauses + 1, 4)
        successes = 0
        generation += 1
    }
}

extension TimeSpan {
    fileprivate static func + (lhs: TimeSpan, rhs: TimeSpan) -> TimeSpan {
        let (sum, overflow) = lhs.microseconds.addingReportingOverflow(rhs.microseconds)
        return TimeSpan(microseconds: overflow ? .max : sum)
    }
}
