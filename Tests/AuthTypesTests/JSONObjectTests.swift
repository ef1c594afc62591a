// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite("R8.3 what is done to an object once for each member takes time that grows with their number")
struct JSONObjectTests {
    /// What an object does, told member by member.
    private struct Model {
        var members: [(name: String, value: JSONValue)] = []

        mutating func set(_ name: String, _ value: JSONValue?) {
            let place = members.firstIndex { $0.name == name }
            switch (place, value) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append((name, value))
            case (nil, nil): break
            }
        }

        func isShown(by object: JSONObject) -> Bool {
            object.names == members.map(\.name) && members.allSatisfy { object[$0.name] == $0.value }
                && object.count == members.count && object["nobody"] == nil
        }
    }

    @Test(
        "Setting, removing and merging give the same members in the same order, whatever their number", arguments: 1...8
    )
    func equivalence(seed: UInt64) {
        var generator = Generator(state: seed)
        var object = JSONObject()
        var model = Model()
        // Walks over the number from which on members are found by a table, both ways and often.
        for step in 0..<3000 {
            let reach = step / 500 % 2 == 0 ? 40 : 12
            let name = "k\(generator.next(below: reach))"
            switch generator.next(below: 10) {
            case 0..<5:
                object[name] = .integer(Int64(step))
                model.set(name, .integer(Int64(step)))
            case 5..<8:
                object[name] = Optional<JSONValue>.none
                model.set(name, nil)
            default:
                var changes = JSONObject()
                for _ in 0..<generator.next(below: 30) {
                    let value: JSONValue = generator.next(below: 3) == 0 ? .null : .integer(Int64(step))
                    changes["k\(generator.next(below: reach))"] = .some(value)
                }
                object = object.merging(changes)
                for change in changes.members {
                    model.set(change.name, change.value.isNull ? Optional<JSONValue>.none : change.value)
                }
            }
            #expect(model.isShown(by: object), "step \(step)")
        }
        let read = try? JSONObject(parsing: object.serialized())
        #expect(read == object && read?.names == object.names && read?.hashValue == object.hashValue)
    }

    @Test("Objects of the same members are equal in any order, and hash alike")
    func order() {
        let forward = JSONObject.numbered(0..<100)
        let backward = JSONObject.numbered((0..<100).reversed())
        #expect(forward == backward && forward.hashValue == backward.hashValue)
        #expect(forward != JSONObject.numbered(0..<101) && forward != JSONObject.numbered(1..<101))
    }

    @Test("200,000 members are set, looked up, merged, removed and compared", .timeLimit(.minutes(5)))
    func many() {
        // Squared, each of these takes many minutes, and runs into the limit.
        let count = 200_000
        let object = JSONObject.numbered(0..<count)
        let merged = object.merging(JSONObject.numbered((count / 2..<2 * count).reversed()))
        #expect(merged.count == 2 * count && merged["key\(2 * count - 1)"] == .integer(Int64(2 * count - 1)))
        var removals = JSONObject()
        for name in merged.names.dropFirst(10) { removals[name] = .some(.null) }
        #expect(merged.merging(removals) == JSONObject.numbered(0..<10))
        #expect(object == JSONObject.numbered((0..<count).reversed()))
    }

    @Test("An object in an object, 64 times over, is hashed as quickly as it is written", .timeLimit(.minutes(1)))
    func deep() {
        var value: JSONValue = 1
        for _ in 0..<64 { value = ["a": value, "b": 1] }
        // Twice the work at each level would be 2^64 hashes.
        #expect(Set([value, value]).count == 1)
    }
}

extension JSONObject {
    fileprivate static func numbered(_ numbers: some Sequence<Int>) -> JSONObject {
        var object = JSONObject()
        for number in numbers { object["key\(number)"] = .integer(Int64(number)) }
        return object
    }
}

/// The same numbers each time (SplitMix64).
private struct Generator {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(bound))
    }
}
