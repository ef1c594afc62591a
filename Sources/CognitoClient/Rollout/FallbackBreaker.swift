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
    private var isTrying = false

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

    /// Whether the new way may be tried now. A yes is followed by ``record(failed:at:)``, or by ``giveUp()``.
    ///
    /// - Parameter uptime: time that only grows.
    public mutating func allows(at uptime: TimeSpan) -> Bool {
        guard let openSince else { return true }
        let factor = Int64(1) << Int64(min(max(pauses - 1, 0), 3))
        let (pause, overflow) = max(pause, .zero).microseconds.multipliedReportingOverflow(by: factor)
        guard !isTrying, uptime >= openSince + TimeSpan(microseconds: overflow ? .max : pause) else { return false }
        isTrying = true
        return true
    }

    /// The user turned back, typed what is wrong, or had no network: that says nothing.
    public mutating func giveUp() { isTrying = false }

    /// Counts one try.
    public mutating func record(failed: Bool, at uptime: TimeSpan) {
        if isOpen {
            // What was begun before it was left says nothing of whether it is mended.
            guard isTrying else { return }
            isTrying = false
            successes = failed ? 0 : successes + 1
            if failed {
                open(at: uptime)
            } else if successes >= closesAfter {
                (openSince, pauses, outcomes, successes) = (nil, 0, [], 0)
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
    }
}

extension TimeSpan {
    fileprivate static func + (lhs: TimeSpan, rhs: TimeSpan) -> TimeSpan {
        let (sum, overflow) = lhs.microseconds.addingReportingOverflow(rhs.microseconds)
        return TimeSpan(microseconds: overflow ? .max : sum)
    }
}
