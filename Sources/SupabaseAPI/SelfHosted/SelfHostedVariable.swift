// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A variable of the platform's own auth container that is honoured: which settings it is, and how its text is read.
struct SelfHostedVariable: Sendable {
    let name: String
    /// The settings of the Directory that it sets, as they are stored; none where it is the server's.
    let settings: [String]
    let take: @Sendable (inout SelfHostedEnvironment, String) throws(AuthError) -> Void

    /// A setting of the server, of keys or of mail.
    static func server(
        _ name: String, _ take: @escaping @Sendable (inout SelfHostedEnvironment, String) throws(AuthError) -> Void
    ) -> SelfHostedVariable {
        SelfHostedVariable(name: name, settings: [], take: take)
    }

    static func text(_ name: String, _ path: String) -> SelfHostedVariable {
        one(name, path) { text throws(AuthError) in .string(text) }
    }

    static func list(_ name: String, _ path: String) -> SelfHostedVariable {
        one(name, path) { text throws(AuthError) in
            .array(SelfHostedEnvironment.list(text).map { .string($0) })
        }
    }

    /// - Parameter isNegated: whether the variable says the opposite of the setting.
    static func flag(_ name: String, _ path: String, isNegated: Bool = false) -> SelfHostedVariable {
        one(name, path) { text throws(AuthError) in .bool(try SelfHostedEnvironment.flag(text) != isNegated) }
    }

    static func whole(_ name: String, _ path: String) -> SelfHostedVariable {
        one(name, path) { text throws(AuthError) in
            // What is no number is refused by the setting, in the words of its range.
            Int64(text).map { .integer($0) } ?? .string(text)
        }
    }

    /// A length of time, such as `1h30m`, for a setting in seconds.
    static func duration(_ name: String, _ path: String) -> SelfHostedVariable {
        one(name, path) { text throws(AuthError) in .integer(try SelfHostedEnvironment.seconds(text)) }
    }

    /// As ``duration(_:_:)``, for a setting of which 0 means no limit: the platform does not take it for that, and a
    /// server without the limit that somebody meant to set is not to start.
    static func limit(_ name: String, _ path: String) -> SelfHostedVariable {
        one(name, path) { text throws(AuthError) in
            let seconds = try SelfHostedEnvironment.seconds(text)
            guard seconds > 0 else {
                throw AuthError(
                    .invalidRequest, reason: "expected a second or more; without the variable there is no limit")
            }
            return .integer(seconds)
        }
    }

    static func characters(_ name: String, _ path: String) -> SelfHostedVariable {
        one(name, path) { text throws(AuthError) in
            .array(SelfHostedEnvironment.requiredCharacters(text).map { .string($0) })
        }
    }

    /// A number of events in `seconds`, or `events/duration`.
    static func rate(_ name: String, _ paths: [String], per seconds: Int64) -> SelfHostedVariable {
        SelfHostedVariable(name: name, settings: paths.flatMap { [$0 + ".count", $0 + ".seconds"] }) {
            environment, text throws(AuthError) in
            let rate = try SelfHostedEnvironment.rate(text, per: seconds)
            for path in paths {
                try set(path + ".count", .integer(Int64(rate.count)), in: &environment)
                try set(path + ".seconds", .integer(rate.seconds), in: &environment)
            }
        }
    }

    private static func one(
        _ name: String, _ path: String, _ read: @escaping @Sendable (String) throws(AuthError) -> JSONValue
    ) -> SelfHostedVariable {
        SelfHostedVariable(name: name, settings: [path]) { environment, text throws(AuthError) in
            try set(path, try read(text), in: &environment)
        }
    }

    static func set(
        _ path: String, _ value: JSONValue, in environment: inout SelfHostedEnvironment
    ) throws(AuthError) {
        guard let setting = DirectorySettings.setting(path) else {
            throw AuthError(.unsupported, reason: "\(path) is no setting")
        }
        try setting.set(value, in: &environment.settings)
    }
}
