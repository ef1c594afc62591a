// SPDX-License-Identifier: Apache-2.0

@testable import Factors

/// CBOR as authenticators write it: shortest numbers, members in the order of their names.
enum CBORWriter {
    static func write(_ value: CBORValue) -> [UInt8] {
        switch value {
        case .integer(let number):
            return number < 0 ? head(1, UInt64(~number)) : head(0, UInt64(number))
        case .bytes(let octets): return head(2, UInt64(octets.count)) + octets
        case .text(let text): return head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .array(let values): return head(4, UInt64(values.count)) + values.flatMap(write)
        case .map(let members):
            let written = members.map { (name($0.key), write($0.value)) }
                .sorted { $0.0.count == $1.0.count ? $0.0.lexicographicallyPrecedes($1.0) : $0.0.count < $1.0.count }
            return head(5, UInt64(members.count)) + written.flatMap { $0.0 + $0.1 }
        case .bool(let value): return [value ? 0xF5 : 0xF4]
        case .null: return [0xF6]
        }
    }

    private static func name(_ key: CBORValue.Key) -> [UInt8] {
        switch key {
        case .integer(let number): write(.integer(number))
        case .text(let text): write(.text(text))
        }
    }

    static func head(_ kind: UInt8, _ number: UInt64) -> [UInt8] {
        let kind = kind << 5
        func octets(_ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
        }
        switch number {
        case 0..<24: return [kind | UInt8(number)]
        case 24..<256: return [kind | 24] + octets(1)
        case 256..<65_536: return [kind | 25] + octets(2)
        case 65_536..<4_294_967_296: return [kind | 26] + octets(4)
        default: return [kind | 27] + octets(8)
        }
    }
}
