// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes

/// A request's JSON object, read the way this platform's server reads it: a member that is missing, null or empty is
/// the same as not given, unknown members are passed over, and a member of another type is a malformed body.
struct Input: Sendable {
    let object: JSONObject

    func text(_ name: String) throws(WireError) -> String? {
        switch object[name] {
        case nil, .null: nil
        case .string(let value): value.isEmpty ? nil : value
        default: throw mismatch(name, "string")
        }
    }

    /// Unlike ``text(_:)``, an empty string is a value.
    func textOrEmpty(_ name: String) throws(WireError) -> String? {
        switch object[name] {
        case nil, .null: nil
        case .string(let value): value
        default: throw mismatch(name, "string")
        }
    }

    func secret(_ name: String) throws(WireError) -> Secret<String>? { try text(name).map { Secret($0) } }

    /// A password to be set: an empty one is a weak one, and not none.
    func newSecret(_ name: String) throws(WireError) -> Secret<String>? {
        try textOrEmpty(name).map { Secret($0) }
    }

    func flag(_ name: String) throws(WireError) -> Bool? {
        switch object[name] {
        case nil, .null: nil
        case .bool(let value): value
        default: throw mismatch(name, "boolean")
        }
    }

    func members(_ name: String) throws(WireError) -> JSONObject? {
        switch object[name] {
        case nil, .null: nil
        case .object(let value): value
        default: throw mismatch(name, "object")
        }
    }

    /// - Throws: `validation_failed`.
    func email(_ name: String = "email") throws -> EmailAddress? {
        guard let text = try text(name) else { return nil }
        return try EmailAddress(text)
    }

    func phone(_ name: String = "phone") throws -> PhoneNumber? {
        guard let text = try text(name) else { return nil }
        return try PhoneNumber(text)
    }

    /// An empty list is a value.
    func texts(_ name: String) throws(WireError) -> [String]? {
        switch object[name] {
        case nil, .null: return nil
        case .array(let values):
            let texts = values.compactMap(\.stringValue)
            guard texts.count == values.count else { throw mismatch(name, "list of strings") }
            return texts
        default: throw mismatch(name, "list")
        }
    }

    private func mismatch(_ name: String, _ type: String) -> WireError {
        WireError(.badRequest, "bad_json", "Could not parse request body as JSON: \(name) must be a \(type)")
    }
}
