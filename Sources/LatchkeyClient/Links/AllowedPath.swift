// SPDX-License-Identifier: Apache-2.0

/// A place within the app that links may lead to. Only a ``RedirectAllowList`` makes one, so whoever holds it need not
/// look again.
public struct AllowedPath: Sendable, Hashable, CustomStringConvertible {
    /// `/plants/42`, or with a query `/plants/42?tab=log`. Everyone reads it alike: there is nothing to decode in it,
    /// no dot segment and no empty one.
    public let rawValue: String

    init(checked rawValue: String) {
        self.rawValue = rawValue
    }

    /// Without slashes; never `.` or `..`.
    public var segments: [String] {
        rawValue.prefix { $0 != "?" }.split(separator: "/").map(String.init)
    }
    public var description: String { rawValue }
}
