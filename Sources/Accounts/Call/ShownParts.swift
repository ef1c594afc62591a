// SPDX-License-Identifier: Apache-2.0

/// What of a user a dialect's answers and tokens show beside the user: what none of them shows is not read for a
/// sign-in or a refresh.
public struct ShownParts: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// ``IssuedSession/identities``.
    public static let identities = ShownParts(rawValue: 1)
    /// ``IssuedSession/groups``.
    public static let groups = ShownParts(rawValue: 2)
    public static let all: ShownParts = [.identities, .groups]
}
