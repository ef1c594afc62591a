// SPDX-License-Identifier: Apache-2.0

/// The members of a JSON object in the order they were written, each name once.
public struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
    public struct Member: Sendable, Hashable {
        public var name: String
        public var value: JSONValue
    }

    public private(set) var members: [Member] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// Takes members whose names the caller knows to be distinct.
    init(distinct members: [Member]) {
        self.members = members
    }

    public var isEmpty: Bool { members.isEmpty }
    public var count: Int { members.count }
    public var names: [String] { members.map(\.name) }

    /// The value of `name`; setting `nil` removes the member. Use `.null` to write a JSON null.
    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Lays `changes` over these members; a null in `changes` removes the member (RFC 7396, one level deep).
    public func merging(_ changes: JSONObject) -> JSONObject {
        var merged = self
        for member in changes.members {
            // A bare `nil` would be read as the literal of a JSON null.
            merged[member.name] = member.value.isNull ? Optional<JSONValue>.none : member.value
        }
        return merged
    }
}

extension JSONObject: Hashable {
    // Two objects are equal when they hold the same members in any order (RFC 8259, section 4).
    public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
        lhs.count == rhs.count && lhs.members.allSatisfy { rhs[$0.name] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(Set(members))
    }
}
