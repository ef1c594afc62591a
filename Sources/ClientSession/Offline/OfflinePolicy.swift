// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How long an app goes on while the service can't be asked (G-7): at first with everything, then by reading, then not.
///
/// Both limits are inclusive: a session that was confirmed exactly seven days ago is still `full`, and one of exactly
/// thirty days `readOnly`.
public struct OfflinePolicy: Sendable, Hashable {
    /// How long after the last confirmation everything is allowed.
    public let full: TimeSpan
    /// How long after the last confirmation, not after the end of `full`, reading is allowed.
    public let readOnly: TimeSpan

    /// Seven days, and thirty (G-7.1–G-7.3).
    public static let standard = OfflinePolicy(full: .days(7), upTo: .days(30))

    /// - Parameters:
    ///   - full: zero or more; zero lets nobody write offline.
    ///   - readOnly: `full` or more; the same leaves no time of reading only.
    /// - Throws: ``OfflinePolicyError`` for limits in another order.
    public init(full: TimeSpan, readOnly: TimeSpan) throws(OfflinePolicyError) {
        guard full >= .zero else { throw .negative(full) }
        guard readOnly >= full else { throw .outOfOrder(full: full, readOnly: readOnly) }
        self.init(full: full, upTo: readOnly)
    }

    private init(full: TimeSpan, upTo readOnly: TimeSpan) {
        self.full = full
        self.readOnly = readOnly
    }

    /// What is allowed now.
    ///
    /// - Parameters:
    ///   - standing: what is kept of the last confirmation. `nil`, where nothing is kept or it can't be read: a session
    ///     of which nobody knows when it was confirmed is blocked, or deleting a record would open what time has
    ///     closed.
    ///   - subject: whose session it is. Another user's confirmation counts for nothing.
    ///   - now: what the device's clock says.
    public func allowance(_ standing: OfflineStanding?, of subject: String, now: Instant) -> OfflineAllowance {
        guard let standing, Subject.isSame(standing.subject, subject) else { return .blocked }
        let age = standing.age(at: now)
        return age <= full ? .full : age <= readOnly ? .readOnly : .blocked
    }

    /// How long from now the allowance stays what it is, unless the service is reached. `nil` where only that ends it.
    public func timeLeft(_ standing: OfflineStanding?, of subject: String, now: Instant) -> TimeSpan? {
        guard let standing, Subject.isSame(standing.subject, subject) else { return nil }
        let age = standing.age(at: now)
        let limit = age <= full ? full : readOnly
        // The first microsecond past an inclusive limit.
        guard age <= limit else { return nil }
        return TimeSpan(microseconds: (limit.microseconds - age.microseconds).advanced(saturatingBy: 1))
    }
}

/// What an app may do while the service can't be asked.
public enum OfflineAllowance: String, Sendable, Hashable, CaseIterable {
    /// Reading and changing.
    case full
    /// Changes wait in a queue (G-7.2).
    case readOnly
    /// Nothing, until the service has been asked (G-7.3).
    case blocked

    /// For ``AuthState/offline(_:_:)``; `nil` where it is ``AuthState/blocked(_:)``.
    public var access: OfflineAccess? {
        switch self {
        case .full: .full
        case .readOnly: .readOnly
        case .blocked: nil
        }
    }
}

/// Limits that make no policy.
public enum OfflinePolicyError: Error, Sendable, Hashable {
    /// A length of time below zero.
    case negative(TimeSpan)
    /// Reading would end before writing does.
    case outOfOrder(full: TimeSpan, readOnly: TimeSpan)
}

extension Int64 {
    /// Saturates at the ends of the range instead of trapping.
    func advanced(saturatingBy step: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(step)
        return overflow ? (step < 0 ? .min : .max) : sum
    }
}
