// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Reads CBOR in the form that authenticators must write (CTAP 2.1, section 8): definite lengths, numbers in their
/// shortest form, no tags, each name once. So no two readers read one text differently.
///
/// The order of a map's members is not looked at: clients write attestation objects anew, each in its own order, and
/// with each name there once, order says nothing. Fractions and `undefined` are refused: nothing that is read here has
/// them.
struct CBORReader {
    /// Arrays and maps within each other. CTAP has four; attestations in each other have more.
    static let deepest = 8
    /// Data items in one text.
    static let mostItems = 1024

    /// Octets of a member's name. No name of the standards has 40.
    static let longestName = 128

    /// What was not read yet.
    private(set) var rest: ArraySlice<UInt8>
    private var items = 0

    init(_ octets: ArraySlice<UInt8>) {
        rest = octets
    }

    /// The one item that is all of `octets`.
    static func value(of octets: [UInt8]) throws(WebAuthnError) -> CBORValue {
        var reader = CBORReader(octets[...])
        let value = try reader.next()
        guard reader.rest.isEmpty else { throw WebAuthnError(.malformed, "octets after the CBOR item") }
        return value
    }

    /// The next item.
    mutating func next() throws(WebAuthnError) -> CBORValue { try item(below: 0) }

    private mutating func item(below depth: Int) throws(WebAuthnError) -> CBORValue {
        items += 1
        guard items <= Self.mostItems else { throw WebAuthnError(.tooLarge, "CBOR of too many items") }
        guard let first = rest.popFirst() else { throw Self.truncated }
        let (kind, short) = (first >> 5, first & 0x1F)
        if kind == 7 { return try simple(short) }
        let argument = try argument(short)
        switch kind {
        case 0: return .integer(try Self.signed(argument))
        case 1: return .integer(~(try Self.signed(argument)))
        case 2: return .bytes(Array(try take(argument)))
        case 3: return .text(try text(argument))
        case 4: return .array(try array(argument, below: depth))
        case 5: return .map(try map(argument, below: depth))
        default: throw WebAuthnError(.malformed, "CBOR with a tag")
        }
    }

    private func simple(_ short: UInt8) throws(WebAuthnError) -> CBORValue {
        switch short {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        default: throw WebAuthnError(.malformed, "CBOR of an unknown simple kind")
        }
    }

    /// The number after the kind (RFC 8949, section 3), in no more octets than it needs.
    private mutating func argument(_ short: UInt8) throws(WebAuthnError) -> UInt64 {
        guard short >= 24 else { return UInt64(short) }
        guard short <= 27 else { throw WebAuthnError(.malformed, "CBOR of indefinite length") }
        let width = 1 << Int(short - 24)
        let number = try take(UInt64(width)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let least: UInt64 = width == 1 ? 24 : 1 << UInt64(width * 4)
        guard number >= least else { throw WebAuthnError(.malformed, "a CBOR number that is not in its shortest form") }
        return number
    }

    private mutating func take(_ count: UInt64) throws(WebAuthnError) -> ArraySlice<UInt8> {
        guard count <= UInt64(rest.count) else { throw Self.truncated }
        let taken = rest.prefix(Int(count))
        rest = rest.dropFirst(Int(count))
        return taken
    }

    private mutating func text(_ count: UInt64) throws(WebAuthnError) -> String {
        guard let text = String(strictUTF8: try take(count)) else {
            throw WebAuthnError(.malformed, "CBOR text that is not UTF-8")
        }
        guard StreamSafeText.accepts(text) else {
            throw WebAuthnError(.tooLarge, "CBOR text of too many combining marks")
        }
        return text
    }

    private mutating func array(_ count: UInt64, below depth: Int) throws(WebAuthnError) -> [CBORValue] {
        try check(count, of: 1, below: depth)
        var values: [CBORValue] = []
        for _ in 0..<count { values.append(try item(below: depth + 1)) }
        return values
    }

    private mutating func map(
        _ count: UInt64, below depth: Int
    ) throws(WebAuthnError) -> [CBORValue.Key: CBORValue] {
        try check(count, of: 2, below: depth)
        var members: [CBORValue.Key: CBORValue] = [:]
        for _ in 0..<count {
            let key: CBORValue.Key
            switch try item(below: depth + 1) {
            case .integer(let number): key = .integer(number)
            case .text(let text):
                guard text.utf8.count <= Self.longestName else { throw WebAuthnError(.tooLarge, "a CBOR name") }
                key = .text(text)
            default: throw WebAuthnError(.malformed, "a CBOR name that is neither number nor text")
            }
            let value = try item(below: depth + 1)
            guard members.updateValue(value, forKey: key) == nil else {
                throw WebAuthnError(.malformed, "a CBOR name that is there twice")
            }
        }
        return members
    }

    /// Each item is an octet at least: a count that the text can't hold is refused before anything is made of it.
    private func check(_ count: UInt64, of items: UInt64, below depth: Int) throws(WebAuthnError) {
        guard depth < Self.deepest else { throw WebAuthnError(.malformed, "CBOR that is too deep") }
        guard count <= UInt64(rest.count) / items else { throw Self.truncated }
    }

    private static func signed(_ number: UInt64) throws(WebAuthnError) -> Int64 {
        guard let signed = Int64(exactly: number) else { throw WebAuthnError(.malformed, "a CBOR number of 64 bits") }
        return signed
    }

    private static var truncated: WebAuthnError { WebAuthnError(.malformed, "CBOR that ends too early") }
}
