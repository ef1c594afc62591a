// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A dialect, as what it keeps of a user is labelled. Stored, so it never changes.
public struct DialectName: Sendable, Hashable {
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// What dialects keep of a user that the domain has no words for: a place for each, which no other writes.
///
/// A flow writes into the place of its call's dialect and into no other, so a dialect can't name
/// somebody else's. Nothing in here means anything outside the dialect that wrote it.
public struct DialectData: Sendable, Hashable {
    /// What users may write and what only operators write are never one object.
    public struct Place: Sendable, Hashable {
        /// What users may write, under the dialect's own rules.
        public package(set) var byUser: JSONObject = [:]
        /// What only operators write, whoever asks and through whatever client.
        public package(set) var byOperator: JSONObject = [:]

        var isEmpty: Bool { byUser.isEmpty && byOperator.isEmpty }
    }

    private static let user = "user"
    private static let `operator` = "operator"

    private struct Entry: Sendable, Hashable {
        var dialect: DialectName
        var place: Place
    }

    /// In order of the names; none is empty.
    private var entries: [Entry] = []

    public init() {}

    /// Reads ``json``.
    ///
    /// - Throws: `AuthErrorCode.invalidRequest` for an object of another form.
    public init(_ json: JSONObject) throws(AuthError) {
        for member in json.members {
            guard let halves = member.value.objectValue,
                halves.names.allSatisfy({ $0 == Self.user || $0 == Self.operator })
            else { throw Self.malformed }
            self[DialectName(member.name)] = Place(
                byUser: try Self.object(halves[Self.user]), byOperator: try Self.object(halves[Self.operator]))
        }
    }

    /// `{"<dialect>": {"user": {…}, "operator": {…}}}`, in order of the names; what is empty is left out.
    public var json: JSONObject {
        var json = JSONObject()
        for entry in entries {
            var halves = JSONObject()
            if !entry.place.byUser.isEmpty { halves[Self.user] = .object(entry.place.byUser) }
            if !entry.place.byOperator.isEmpty { halves[Self.operator] = .object(entry.place.byOperator) }
            json[entry.dialect.rawValue] = .object(halves)
        }
        return json
    }

    /// Empty for a dialect that keeps nothing of the user.
    public package(set) subscript(dialect: DialectName) -> Place {
        get { entries.first { $0.dialect == dialect }?.place ?? Place() }
        set {
            entries.removeAll { $0.dialect == dialect }
            guard !newValue.isEmpty else { return }
            let index = entries.firstIndex { $0.dialect.rawValue > dialect.rawValue } ?? entries.endIndex
            entries.insert(Entry(dialect: dialect, place: newValue), at: index)
        }
    }

    /// - Throws: ``AuthErrorCode/metadataTooLarge``.
    package func requireBounded(_ settings: DirectorySettings) throws(AuthError) {
        for place in entries.map(\.place) {
            try settings.requireBounded(place.byUser, "dialects")
            try settings.requireBounded(place.byOperator, "dialects")
        }
    }

    /// Takes what users wrote in `other`, where it is not written here.
    package mutating func lay(under other: DialectData) {
        for entry in other.entries {
            self[entry.dialect].byUser = entry.place.byUser.merging(self[entry.dialect].byUser)
        }
    }

    /// Takes what operators, or their programs, have written in `other`, over what is written here.
    package mutating func take(operatorsOf other: DialectData) {
        for entry in other.entries where !entry.place.byOperator.isEmpty {
            self[entry.dialect].byOperator = self[entry.dialect].byOperator.merging(entry.place.byOperator)
        }
    }

    /// Drops what users wrote, in every place.
    package mutating func forgetUser() {
        for entry in entries { self[entry.dialect].byUser = [:] }
    }

    private static func object(_ value: JSONValue?) throws(AuthError) -> JSONObject {
        guard let value else { return [:] }
        guard let object = value.objectValue else { throw malformed }
        return object
    }

    private static let malformed = AuthError(
        .invalidRequest, reason: "an object with user and operator for each dialect is needed", field: "dialects")
}
