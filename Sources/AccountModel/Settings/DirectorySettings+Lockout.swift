// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension DirectorySettings {
    /// When wrong passwords lock what somebody signs in as (ADR 0055).
    public struct LockoutSettings: Sendable, Equatable {
        /// Wrong passwords that lock; 0 for no lock.
        public var attempts = 5
        /// The seconds within which they must fall.
        public var window: Int64 = 900
        /// The seconds that a lock lasts.
        public var duration: Int64 = 900
        public var disclosure = Disclosure.generic
        public init() {}

        /// What clients are told while a lock lasts.
        public enum Disclosure: String, Sendable, CaseIterable {
            /// What they are told of a wrong password.
            case generic
            /// That there is a lock, and the time left.
            case minutes
        }
    }

    static let lockouts: Table = [
        .whole(
            "lockout.attempts", \.lockout.attempts, in: 0...100, key: "directory.lockout.attempts",
            "wrong passwords that lock what somebody signs in as, whether anybody has it or not; 0 for no lock",
            risk: "each is a guess at somebody's password; without a lock the limits of ADR 0015 are all there is"),
        .whole(
            "lockout.window", \.lockout.window, in: 1...86_400, key: "directory.lockout.window",
            "seconds within which as many wrong passwords lock"),
        .whole(
            "lockout.duration", \.lockout.duration, in: 1...86_400, key: "directory.lockout.duration",
            "seconds that a lock lasts", risk: "for as long strangers keep owners out who do not open the mailed link"),
        .choice(
            "lockout.disclosure", \.lockout.disclosure, key: "directory.lockout.disclosure",
            "generic: a locked sign-in is answered as a wrong password is; minutes: it is told the time left",
            risk: "with minutes, whoever locks one name and tries another sees whether the two are one account's"),
    ]
}
