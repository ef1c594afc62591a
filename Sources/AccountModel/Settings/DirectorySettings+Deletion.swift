// SPDX-License-Identifier: Apache-2.0

extension DirectorySettings {
    /// How a user's wish to have their account deleted is met (ADR 0064).
    public struct Deletion: Sendable, Equatable {
        /// Seconds in which signing in undoes it; 0 deletes at once.
        public var grace: Int64 = 0
        public var reauthentication = Reauthentication.dialect
        public init() {}

        /// Whether an open session is enough to ask for it.
        public enum Reauthentication: String, Sendable, CaseIterable {
            /// Not where the dialect's vendor asks for a recent sign-in.
            case dialect
            /// In no dialect.
            case always
        }
    }

    static let deletions: Table = [
        .whole(
            "deletion.grace", \.deletion.grace, in: 0...7_776_000, key: "directory.deletion.grace",
            "seconds between a user's wish to be deleted and the deletion, in which signing in undoes it; 0 deletes at once",
            risk: "at 0 whoever has a session for long enough deletes the account for good; the vendors' apps expect it"
        ),
        .choice(
            "deletion.reauthentication", \.deletion.reauthentication, key: "directory.deletion.reauthentication",
            "dialect: a recent sign-in is asked for where the dialect's vendor does; always: in every dialect",
            risk: "with dialect, a stolen token of a dialect whose vendor does not ask deletes the account"),
    ]
}
