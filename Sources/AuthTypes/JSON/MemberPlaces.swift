// SPDX-License-Identifier: Apache-2.0

/// Finds members by name: by looking along the few of a usual object, by a table (seeded per process, so that no sender
/// can make its names collide) in a large one. So whatever is done to an object once for each member takes time that
/// grows with their number, not its square.
struct MemberPlaces: Sendable {
    /// Up to here looking along is quicker.
    static let few = 16

    /// Empty for few members, and complete for more.
    private var table: [String: Int] = [:]

    init() {}

    /// Of all `members`.
    init(of members: [JSONObject.Member]) {
        guard members.count > Self.few else { return }
        table.reserveCapacity(members.count)
        for (place, member) in members.enumerated() { table[member.name] = place }
    }

    /// - Parameter members: those that this was told of.
    func place(of name: String, in members: [JSONObject.Member]) -> Int? {
        members.count > Self.few ? table[name] : members.firstIndex { $0.name == name }
    }

    /// To be told of each member that has come to the end of `members`.
    mutating func appended(to members: [JSONObject.Member]) {
        if members.count == Self.few + 1 {
            self = MemberPlaces(of: members)
        } else if members.count > Self.few, let last = members.last {
            table[last.name] = members.count - 1
        }
    }
}
