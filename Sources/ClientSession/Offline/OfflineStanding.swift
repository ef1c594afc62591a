// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// When a session was last confirmed by its service, and how much time has been seen to pass since (G-7.6). Kept under
/// ``SecureStoreKey/lastValidated``.
///
/// The time since is not the difference of two readings of the clock, which whoever sets the clock back makes smaller.
/// It is the sum of every step forward that was seen: going back adds nothing and takes nothing away, and what passes
/// afterwards counts again. What a clock that was set back hides is the time between the last look at it and the
/// setting; so look at each start, when the app goes to the background, and now and then between.
public struct OfflineStanding: Sendable, Hashable {
    /// Whose session it is: the claim `sub`.
    public let subject: String
    /// What the device's clock said when the service confirmed the session.
    public let validatedAt: Instant
    /// What the service said that the time was then. `nil` where its answer had no `Date`.
    public let serverValidatedAt: Instant?
    /// What the device's clock said at the last look.
    public private(set) var seenAt: Instant
    /// How much time had been seen to pass by then.
    public private(set) var age: TimeSpan

    /// The service has confirmed the session just now: by a sign-in, a refresh or an answer about the user.
    ///
    /// - Parameters:
    ///   - serverDate: the answer's `Date` (RFC 9110, section 6.6.1).
    public init(subject: String, validatedAt now: Instant, serverDate: Instant?) {
        self.init(subject: subject, validatedAt: now, serverValidatedAt: serverDate, seenAt: now, age: .zero)
    }

    init(subject: String, validatedAt: Instant, serverValidatedAt: Instant?, seenAt: Instant, age: TimeSpan) {
        self.subject = subject
        self.validatedAt = validatedAt
        self.serverValidatedAt = serverValidatedAt
        self.seenAt = seenAt
        self.age = age
    }

    /// How long ago the session was confirmed, as far as anybody here can know. Never negative, and never less than at
    /// an earlier look.
    public func age(at now: Instant) -> TimeSpan {
        TimeSpan(microseconds: age.microseconds.advanced(saturatingBy: max(0, (now - seenAt).microseconds)))
    }

    /// Notes a look at the clock. Keep what it returns.
    ///
    /// - Parameter passed: how much ``ClientClock/uptime`` has grown since the last look, where that was in this
    ///   process: it counts even while the clock is set back again and again.
    public func seen(_ now: Instant, passed: TimeSpan = .zero) -> OfflineStanding {
        var seen = self
        let walked = age(at: now)
        let lived = TimeSpan(microseconds: age.microseconds.advanced(saturatingBy: max(0, passed.microseconds)))
        seen.age = max(walked, lived)
        seen.seenAt = now
        return seen
    }
}
