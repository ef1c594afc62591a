// SPDX-License-Identifier: Apache-2.0

/// The members of a JSON object in the order they were written, each name once.
///
/// Reading and setting a member takes the same time however many there are; removing one takes time that grows with
/// their number, so to remove several use ``merging(_:)``.
public struct JSONObject: Sendable, ExpressibleByDictionaryLiteral {
    /// A name and its value.
    public struct Member: Sendable, Hashable {
        /// What stands before the colon.
        public var name: String
        /// What stands behind it.
        public var value: JSONValue
    }

    /// In the order in which they were written.
    public private(set) var members: [Member] = []
    private var places = MemberPlaces()

    /// Without members.
    public init() {}

    /// Of a name that is given twice the last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        members.reserveCapacity(elements.count)
        for (name, value) in elements { self[name] = value }
    }

    /// Takes members whose names the caller knows to be distinct, and where they are.
    init(_ members: [Member], at places: MemberPlaces) {
        self.members = members
        self.places = places
    }

    /// Whether it has no members.
    public var isEmpty: Bool { members.isEmpty }
    /// How many members it has.
    public var count: Int { members.count }
    /// The members' names, in their order.
    public var names: [String] { members.map(\.name) }

    /// The value of `name`; setting `nil` removes the member. Use `.null` to write a JSON null.
    public subscript(name: String) -> JSONValue? {
        get { places.place(of: name, in: members).map { members[$0].value } }
        set {
            switch (places.place(of: name, in: members), newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): remove(at: [place])
            case (nil, let value?):
                members.append(Member(name: name, value: value))
                places.appended(to: members)
            case (nil, nil): break
            }
        }
    }

    /// Lays `changes` over these members; a null in `changes` removes the member (RFC 7396, one level deep).
    public func merging(_ changes: JSONObject) -> JSONObject {
        var merged = self
        var removed: [Int] = []
        for member in changes.members {
            if !member.value.isNull {
                merged[member.name] = member.value
            } else if let place = merged.places.place(of: member.name, in: merged.members) {
                removed.append(place)
            }
        }
        if !removed.isEmpty { merged.remove(at: removed) }
        return merged
    }

    /// In one pass, however many there are.
    private mutating func remove(at removed: [Int]) {
        if removed.count == 1 {
            members.remove(at: removed[0])
        } else {
            let removed = Set(removed)
            members = members.indices.filter { !removed.contains($0) }.map { members[$0] }
        }
        places = MemberPlaces(of: members)
    }
}

extension JSONObject: Hashable {
    /// Two objects are equal when they hold the same members in any order (RFC 8259, section 4).
    public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
        lhs.count == rhs.count && lhs.members.allSatisfy { rhs[$0.name] == $0.value }
    }

    /// Goes into each member once: a set of them would hash what is in each twice, at every level of nesting anew.
    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for member in members {
            var own = Hasher()
            own.combine(member)
            sum &+= own.finalize()
        }
        hasher.combine(members.count)
        hasher.combine(sum)
    }
}
