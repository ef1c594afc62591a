// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A stored row that does not hold what this version of the program writes: the database was changed by other means.
package struct StoredRowError: Error, CustomStringConvertible {
    let column: Int

    package init(column: Int) {
        self.column = column
    }

    package var description: String { "a stored row has an unexpected value in column \(column)" }
}

/// What is written is held to the limits that it is read by.
enum StoredJSON {
    static let limits = JSONLimits.default
}

extension SQLRow {
    func optionalInteger(_ index: Int) throws -> Int64? { isNull(index) ? nil : try integer(index) }

    func optionalText(_ index: Int) throws -> String? { isNull(index) ? nil : try text(index) }

    /// A value kept as text. Text that it can't be read from is a fault of the store, not of whoever asked.
    func parsed<Value>(_ index: Int, _ parse: (String) throws -> Value) throws -> Value {
        let text = try text(index)
        do {
            return try parse(text)
        } catch {
            throw StoredRowError(column: index)
        }
    }

    func optionalParsed<Value>(_ index: Int, _ parse: (String) throws -> Value) throws -> Value? {
        isNull(index) ? nil : try parsed(index, parse)
    }

    func flag(_ index: Int) throws -> Bool { try integer(index) != 0 }

    func instant(_ index: Int) throws -> Instant { Instant(microseconds: try integer(index)) }

    func optionalInstant(_ index: Int) throws -> Instant? {
        try optionalInteger(index).map { Instant(microseconds: $0) }
    }

    func identifier<Tag>(_ index: Int) throws -> Identifier<Tag> { Identifier(try text(index)) }

    func object(_ index: Int) throws -> JSONObject {
        // Most are empty.
        try parsed(index) { $0 == "{}" ? JSONObject() : try JSONObject(parsing: $0.utf8, limits: StoredJSON.limits) }
    }

    /// Texts without spaces, in one.
    func words(_ index: Int) throws -> [String] { try text(index).split(separator: " ").map(String.init) }

    func words<Value: RawRepresentable>(_ index: Int, of _: Value.Type = Value.self) throws -> [Value]
    where Value.RawValue == String {
        try words(index).map { word in
            guard let value = Value(rawValue: word) else { throw StoredRowError(column: index) }
            return value
        }
    }

    func optionalChallenge(_ index: Int) throws -> CodeChallenge? {
        try optionalText(index).map { text in
            guard let challenge = CodeChallenge(text) else { throw StoredRowError(column: index) }
            return challenge
        }
    }

    func one<Value: RawRepresentable>(_ index: Int, of _: Value.Type = Value.self) throws -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: try text(index)) else { throw StoredRowError(column: index) }
        return value
    }
}

extension SQLValue {
    init(_ value: Int64) { self = .integer(value) }
    init(_ value: Int) { self = .integer(Int64(value)) }
    init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    init(_ value: String) { self = .text(value) }
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }
    init(words: [String]) { self = .text(words.joined(separator: " ")) }
    init(_ value: [UInt8]) { self = .blob(value) }
    init(_ value: [UInt8]?) { self = value.map { .blob($0) } ?? .null }
    init(_ value: Bool?) { self = value.map { .integer($0 ? 1 : 0) } ?? .null }
    init(_ value: Bool) { self = .integer(value ? 1 : 0) }
    init(_ value: Instant) { self = .integer(value.microseconds) }
    init(_ value: Instant?) { self = value.map { .integer($0.microseconds) } ?? .null }
    init<Tag>(_ value: Identifier<Tag>) { self = .text(value.rawValue) }
    init<Tag>(_ value: Identifier<Tag>?) { self = value.map { .text($0.rawValue) } ?? .null }

    /// - Throws: `AuthErrorCode.metadataTooLarge` for what ``SQLRow/object(_:)`` would not read again. Flows have
    ///   bounds of their own; this one is for whatever forgets them.
    init(_ value: JSONObject) throws(AuthError) {
        do {
            self = .text(String(decoding: try value.serialized(within: StoredJSON.limits), as: UTF8.self))
        } catch {
            throw AuthError(.metadataTooLarge, reason: "database: an object that can't be read again: \(error.code)")
        }
    }
}
