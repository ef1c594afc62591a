// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@Suite struct JSONLimitsWritingTests {
    /// The same numbers each time.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state ^ state >> 29) &* 0x9E37_79B9_7F4A_7C15
        }
    }

    private static let names = ["", "a", "é", "e\u{301}", "\u{0}", "\"\\", "\u{7F}\u{1}", "🧘", "long name of a member"]

    private static func value(_ depth: Int, _ random: inout Generator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(Int64(bitPattern: random.next()))
        case 3: return .number(Double(bitPattern: random.next()))
        case 4: return .number([0.1, -0.0, 1e300, 5e-300, 1e15, .infinity][Int.random(in: 0..<6, using: &random)])
        case 5, 6: return .string(names[Int.random(in: 0..<names.count, using: &random)])
        case 7: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth - 1, &random) })
        default: return .object(object(depth - 1, &random))
        }
    }

    private static func object(_ depth: Int, _ random: inout Generator) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            object[names[Int.random(in: 0..<names.count, using: &random)]] = value(depth, &random)
        }
        return object
    }

    @Test("R8.2 what is written within limits is read again within them as the same, and what is refused would not be")
    func roundTrip() {
        var random = Generator(state: 8)
        var written = 0
        for _ in 0..<20_000 {
            let object = Self.object(5, &random)
            let limits = JSONLimits(
                depth: Int.random(in: 1...6, using: &random), members: Int.random(in: 1...5, using: &random),
                bytes: Int.random(in: 2...200, using: &random))
            let again = try? JSONObject(parsing: object.serialized(), limits: limits)
            if let text = try? object.serialized(within: limits) {
                written += 1
                #expect(text == object.serialized() && again == object, "\(object.text)")
            } else {
                // Only a number that became a null is read at all, and not as what it was.
                #expect(again == nil || again != object, "\(object.text)")
            }
        }
        #expect((2_000...18_000).contains(written), "\(written)")
    }

    @Test("R8.2 each bound holds to the last byte, member and level")
    func bounds() throws {
        let object: JSONObject = ["a": ["b": [1, 2, 3]]]
        #expect(throws: Never.self) {
            try object.serialized(within: JSONLimits(depth: 3, members: 3, bytes: object.text.utf8.count))
        }
        for (limits, code) in [
            (JSONLimits(depth: 2), JSONError.Code.tooDeep), (JSONLimits(members: 2), .tooLarge),
            (JSONLimits(bytes: object.text.utf8.count - 1), .tooLarge),
        ] {
            let error = #expect(throws: JSONError.self) { try object.serialized(within: limits) }
            #expect(error?.code == code)
        }
        let number: JSONObject = ["a": .number(.infinity)]
        #expect(throws: JSONError.self) { try number.serialized(within: .default) }
    }
}
