// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Takes note of what went wrong in an app.
public protocol CrashReporter: Sendable {
    /// Takes it and returns at once.
    func report(_ event: CrashEvent)
    /// Sends nothing any more, and forgets what has not been sent. Returns at once.
    func shutdown()
}

/// Something that went wrong.
public struct CrashEvent: Sendable, Hashable {
    /// How bad something is, in the protocol's words.
    public enum Level: String, Sendable {
        /// The app has ended.
        case fatal
        /// Something failed.
        case error
        /// Something may fail.
        case warning
        /// Worth knowing.
        case info
        /// For who looks for a fault.
        case debug
    }

    /// How bad it is.
    public var level: Level
    /// What kind of error: the name of its type, or `AuthErrorCode`.
    public var type: String
    /// What it says.
    public var value: String
    /// Short, for searching.
    public var tags: [String: String]
    /// Whatever explains it.
    public var extra: JSONObject

    /// Something that went wrong.
    public init(
        _ type: String, _ value: String, level: Level = .error, tags: [String: String] = [:], extra: JSONObject = [:]
    ) {
        self.level = level
        self.type = type
        self.value = value
        self.tags = tags
        self.extra = extra
    }
}

/// What there is without consent.
public struct NoopCrashReporter: CrashReporter {
    /// Reports nothing.
    public init() {}
    public func report(_ event: CrashEvent) {}
    public func shutdown() {}
}
