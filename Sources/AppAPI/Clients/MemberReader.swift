// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// One member of a request.
struct MemberReader {
    let name: String
    let value: JSONValue

    private var refusal: AuthError { AuthError(.invalidRequest, reason: "not of its type", field: name) }

    func text() throws(AuthError) -> String {
        guard let text = value.stringValue else { throw refusal }
        return text
    }

    func texts() throws(AuthError) -> [String] {
        guard let elements = value.arrayValue else { throw refusal }
        var texts: [String] = []
        for element in elements {
            guard let text = element.stringValue else { throw refusal }
            texts.append(text)
        }
        return texts
    }

    /// `nil` for null.
    func number() throws(AuthError) -> Int64? {
        if value == .null { return nil }
        guard let number = value.integerValue else { throw refusal }
        return number
    }

    func flag() throws(AuthError) -> Bool {
        guard let flag = value.boolValue else { throw refusal }
        return flag
    }

    func change<Value: Sendable>(_ read: (JSONValue) -> Value?) throws(AuthError) -> FieldChange<Value> {
        if value == .null { return .clear }
        guard let read = read(value) else { throw refusal }
        return .set(read)
    }

    func choice<Value: RawRepresentable>() throws(AuthError) -> Value where Value.RawValue == String {
        guard let choice = Value(rawValue: try text()) else { throw refusal }
        return choice
    }

    func choices<Value: RawRepresentable>() throws(AuthError) -> [Value] where Value.RawValue == String {
        var choices: [Value] = []
        for text in try texts() {
            guard let choice = Value(rawValue: text) else { throw refusal }
            choices.append(choice)
        }
        return choices
    }
}
