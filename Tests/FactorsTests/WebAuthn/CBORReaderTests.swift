// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Factors

@Suite("CBOR of authenticators")
struct CBORReaderTests {
    private static func octets(_ hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }

    @Test(
        "G-9.7 the examples of RFC 8949, appendix A, that authenticators may send",
        arguments: [
            ("00", .integer(0)), ("17", .integer(23)), ("1818", .integer(24)), ("18ff", .integer(255)),
            ("190100", .integer(256)), ("1a000f4240", .integer(1_000_000)),
            ("1b000000e8d4a51000", .integer(1_000_000_000_000)), ("20", .integer(-1)), ("3863", .integer(-100)),
            ("3903e7", .integer(-1000)), ("1b7fffffffffffffff", .integer(.max)), ("3b7fffffffffffffff", .integer(.min)),
            ("f4", .bool(false)), ("f5", .bool(true)), ("f6", .null), ("40", .bytes([])),
            ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text("")), ("62c3bc", .text("\u{FC}")), ("80", .array([])),
            ("83010203", .array([.integer(1), .integer(2), .integer(3)])), ("a0", .map([:])),
            ("a201020304", .map([.integer(1): .integer(2), .integer(3): .integer(4)])),
            (
                "a26161016162820203",
                .map([.text("a"): .integer(1), .text("b"): .array([.integer(2), .integer(3)])])
            ),
        ] as [(String, CBORValue)])
    func examples(_ hex: String, _ value: CBORValue) throws {
        #expect(try CBORReader.value(of: Self.octets(hex)) == value)
        #expect(CBORWriter.write(value) == Self.octets(hex))
    }

    @Test(
        "G-9.7 what two readers may read differently is refused",
        arguments: [
            ("", "nothing"), ("1817", "a number in two octets that needs one"), ("190017", "in three"),
            ("1900ff", "in three that needs two"), ("1a0000ffff", "in five that needs three"),
            ("1b00000000ffffffff", "in nine that needs five"), ("5801ff", "a length in two octets that needs one"),
            ("5f42010243030405ff", "octets of indefinite length"), ("9fff", "an array of indefinite length"),
            ("bfff", "a map of indefinite length"), ("a201020103", "a name twice"), ("a2616101616102", "a text twice"),
            ("a1f500", "a name that is no name"), ("a1400000", "octets as a name"), ("0000", "something after it"),
            ("c074323031332d30332d32315432303a30343a30305a", "a tag"), ("f93c00", "half a number"),
            ("fb3ff199999999999a", "a fraction"), ("f7", "undefined"), ("f0", "an unknown simple kind"),
            ("f814", "false in two octets"), ("61ff", "text that is not UTF-8"), ("1c", "a reserved length"),
            ("ff", "an end of nothing"), ("1bffffffffffffffff", "beyond 63 bits"), ("3bffffffffffffffff", "below them"),
            ("9b7fffffffffffffff", "an array longer than the text"),
            ("bb7fffffffffffffff", "a map longer than the text"),
            ("5b7fffffffffffffff", "octets longer than the text"), ("7bffffffffffffffff", "text longer than the text"),
        ])
    func refused(_ hex: String, _ what: String) {
        #expect(refusal { _ = try CBORReader.value(of: Self.octets(hex)) } == .malformed, "\(what)")
    }

    @Test("G-9.7 eight levels are read and nine are not; 1,024 items and no more")
    func bounds() {
        func nested(_ depth: Int) -> [UInt8] { [UInt8](repeating: 0x81, count: depth) + [0] }
        #expect(refusal { _ = try CBORReader.value(of: nested(8)) } == nil)
        #expect(refusal { _ = try CBORReader.value(of: nested(9)) } == .malformed)
        #expect(refusal { _ = try CBORReader.value(of: nested(100_000)) } == .malformed)
        func wide(_ count: Int) -> [UInt8] { CBORWriter.head(4, UInt64(count)) + [UInt8](repeating: 0, count: count) }
        #expect(refusal { _ = try CBORReader.value(of: wide(1023)) } == nil)
        #expect(refusal { _ = try CBORReader.value(of: wide(1024)) } == .tooLarge)
    }

    @Test("R8.1 a name of 128 octets is read and a longer one is not: hostile ones cost the square of their length")
    func names() {
        func named(_ count: Int) -> [UInt8] {
            [0xA1] + CBORWriter.write(.text(String(repeating: "a", count: count))) + [0]
        }
        #expect(refusal { _ = try CBORReader.value(of: named(128)) } == nil)
        #expect(refusal { _ = try CBORReader.value(of: named(129)) } == .tooLarge)
    }

    @Test(
        "R8.1 no text has more than 30 combining marks in a row: to compare hostile ones costs the square of their number"
    )
    func marks() {
        func written(_ marks: Int) -> CBORValue { .text("a" + String(repeating: "\u{307}", count: marks)) }
        #expect(refusal { _ = try CBORReader.value(of: CBORWriter.write(written(30))) } == nil)
        #expect(refusal { _ = try CBORReader.value(of: CBORWriter.write(written(31))) } == .tooLarge)
        let object = CBORValue.map([
            .text("fmt"): written(31), .text("attStmt"): .map([:]), .text("authData"): .bytes([]),
        ])
        #expect(refusal { _ = try AttestationObject(CBORWriter.write(object)) } == .tooLarge)
    }
}
