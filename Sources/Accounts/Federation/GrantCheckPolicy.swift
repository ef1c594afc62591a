// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// When a provider is asked whether a grant still stands: a pure function of what it last said.
struct GrantCheckPolicy: Sendable, Equatable {
    enum Outcome: Sendable, Hashable, CaseIterable {
        case stands
        /// Down, slow, busy, or not to be asked as it is configured: nothing is known, and nothing ends.
        case unanswered
    }

    private static let firstRetry = TimeSpan.minutes(15)

    /// Between two answers.
    let interval: TimeSpan

    /// `nil` for a provider that is asked nothing of the kind.
    init?(_ provider: IdentityProvider) {
        guard provider.grantCheckHours > 0 else { return nil }
        interval = .hours(Int64(provider.grantCheckHours))
    }

    /// For a grant that was just given.
    func first(at now: Instant, jitter: UInt16) -> Instant { now + spread(interval, jitter) }

    /// - Parameters:
    ///   - failures: how often in a row the provider had not said before.
    ///   - jitter: any random number. It puts the next time off by up to a quarter, so that grants that were asked
    ///     about together do not come back together, and an interval is never shorter than it is.
    func next(after outcome: Outcome, failures: Int, at now: Instant, jitter: UInt16) -> (due: Instant, failures: Int) {
        switch outcome {
        case .stands: return (now + spread(interval, jitter), 0)
        case .unanswered:
            // Each time four times as long, until it is as rare as if the provider had answered.
            let shift = Int64(2 * min(max(failures, 0), 8))
            let wait = min(TimeSpan(microseconds: Self.firstRetry.microseconds << shift), interval)
            return (now + spread(wait, jitter), min(failures, 1_000) + 1)
        }
    }

    private func spread(_ span: TimeSpan, _ jitter: UInt16) -> TimeSpan {
        TimeSpan(microseconds: span.microseconds + span.microseconds / 4 / Int64(UInt16.max) * Int64(jitter))
    }
}

extension UInt16 {
    static func random(_ source: any RandomSource) -> UInt16 { source.bytes(2).reduce(0) { $0 << 8 | UInt16($1) } }
}
