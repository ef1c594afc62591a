// SPDX-License-Identifier: Apache-2.0

/// What companions were told of a user's end, and have not come to an end with in time.
struct Unheard: Sendable, Hashable {
    /// What the user chose to keep.
    var options: SignOutOptions
    /// Whose it is that is over; `nil` for whoever's there is.
    var subject: String?
    /// Those who have not, by their places among the service's.
    var companions: [Int]
}
