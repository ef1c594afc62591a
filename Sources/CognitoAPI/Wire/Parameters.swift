// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A map of texts in an operation's input: `AuthParameters`, `ChallengeResponses`.
struct Parameters: Sendable {
    /// The model's limit on a text without one of its own.
    private static let limit = 131_072
    private static let prefix = "userAttributes."

    private let values: JSONObject

    init(_ input: Input, _ member: String) throws(WireError) {
        values = try input.members(member) ?? [:]
        for value in values.members {
            guard value.value.isNull || value.value.stringValue != nil else {
                throw Input.mismatch(member, "String")
            }
            guard value.value.stringValue?.utf8.count ?? 0 <= Self.limit else {
                throw Input.violation("Value", member, "have length less than or equal to \(Self.limit)")
            }
        }
    }

    subscript(name: String) -> String? { values[name]?.stringValue }

    /// - Throws: `InvalidParameterException`, also for a blank one.
    func required(_ name: String) throws(WireError) -> String {
        guard let value = self[name], !value.isEmpty else { throw .parameter("Missing required parameter \(name)") }
        return value
    }

    /// A user's name.
    func username() throws(WireError) -> String {
        let name = try required("USERNAME")
        try Member.username.check(name)
        return name
    }

    /// The attributes among the parameters, as a list of the form that `UpdateUserAttributes` takes.
    var attributes: [JSONValue] {
        values.members.filter { $0.name.hasPrefix(Self.prefix) && !$0.value.isNull }.map { member in
            ["Name": .string(String(member.name.dropFirst(Self.prefix.count))), "Value": member.value]
        }
    }
}
