// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The claims of a plain text, left where they stand in it: no claim becomes a value before somebody asks for it, but
/// for the times. The types of the registered ones have been checked, as ``RegisteredClaims`` checks them.
final class PlainClaims: Sendable {
    let text: [UInt8]
    private let members: [JSONOutline.Member]
    /// The ``JSONOutline/NameKey/bit`` of each name.
    private let bits: UInt64
    private let found: Found
    var expiresAt: Instant? { found.expiresAt }
    var notBefore: Instant? { found.notBefore }
    var issuedAt: Instant? { found.issuedAt }
    var mayStateKind: Bool { found.mayStateKind }

    /// - Returns: `nil` for a text of which there is no outline.
    /// - Throws: ``JOSEError/Code/malformed`` when a registered claim is not of its type.
    static func reading(_ text: [UInt8]) throws(JOSEError) -> PlainClaims? {
        let outcome = JSONOutline.withMembers(of: text, depth: 16) {
            bytes, members -> Result<PlainClaims, JOSEError>? in
            Result { () throws(JOSEError) in PlainClaims(text, members, try Found(members, of: bytes)) }
        }
        return try outcome?.get()
    }

    private init(_ text: [UInt8], _ members: UnsafeBufferPointer<JSONOutline.Member>, _ found: Found) {
        self.text = text
        self.members = Array(members)
        bits = members.reduce(0) { $0 | $1.key.bit }
        self.found = found
    }

    var issuer: String? { string(at: found.issuer) }
    var subject: String? { string(at: found.subject) }
    /// The bytes of `sub` as they are written; not positive without one.
    var subjectLength: Int { found.subject.range.count - 2 }
    var tokenID: String? { string(at: found.tokenID) }
    var audience: [String] { string(at: found.audience).map { [$0] } ?? found.audiences }

    func isIssuer(_ bytes: [UInt8]) -> Bool { isString(bytes, at: found.issuer) }
    func isAudience(_ bytes: [UInt8]) -> Bool { isString(bytes, at: found.audience) }

    /// The claim called `name`, byte for byte; `nil` when there is none.
    func value(of name: UnsafeBufferPointer<UInt8>) -> JSONValue? {
        valueText(of: name).flatMap { try? JSONValue(parsing: $0) }
    }

    /// The same as it is written.
    func valueText(of name: UnsafeBufferPointer<UInt8>) -> ArraySlice<UInt8>? {
        let key = JSONOutline.NameKey(name, 0..<name.count)
        guard bits & key.bit != 0 else { return nil }
        for member in members where member.key == key {
            if key.isWhole || text[member.name].elementsEqual(name) { return text[member.value] }
        }
        return nil
    }

    private func string(at place: Place) -> String? {
        text.withUnsafeBufferPointer { $0.plainString(in: place.range) }
    }

    /// Whether the string at `place` is `bytes`; `false` also where there is none.
    private func isString(_ bytes: [UInt8], at place: Place) -> Bool {
        // Two quotation marks more. A string without escapes is what stands between them.
        guard place.range.count == bytes.count + 2 else { return false }
        return text.withUnsafeBufferPointer { $0.holds(bytes, at: place.range.lowerBound + 1) }
    }
}

extension PlainClaims {
    /// Where a value is in the text; empty for none.
    private struct Place: Sendable {
        var start: UInt16 = 0
        var end: UInt16 = 0

        var range: Range<Int> { Int(start)..<Int(end) }
    }

    /// What was found in one pass over the members.
    private struct Found: Sendable {
        var issuer = Place()
        var subject = Place()
        var tokenID = Place()
        /// Of one that is a string; the strings of any other are in ``audiences``.
        var audience = Place()
        var audiences: [String] = []
        var expiresAt: Instant?
        var notBefore: Instant?
        var issuedAt: Instant?
        var mayStateKind = false

        /// In the order of the members, so that of several faults the first is named.
        init(
            _ members: UnsafeBufferPointer<JSONOutline.Member>, of text: UnsafeBufferPointer<UInt8>
        ) throws(JOSEError) {
            for member in members {
                switch (member.key.length, member.head) {
                case (3, Name.iss): issuer = try Self.string("iss", text, member)
                case (3, Name.sub): subject = try Self.string("sub", text, member)
                case (3, Name.jti): tokenID = try Self.string("jti", text, member)
                case (3, Name.aud):
                    if text.isString(in: member.value) {
                        audience = Place(start: member.valueStart, end: member.valueEnd)
                    } else {
                        audiences = try RegisteredClaims.strings("aud", Self.value(text, member))
                    }
                case (3, Name.exp): expiresAt = try Self.date("exp", text, member)
                case (3, Name.nbf): notBefore = try Self.date("nbf", text, member)
                case (3, Name.iat): issuedAt = try Self.date("iat", text, member)
                case (3, Name.typ), (6, Name.events), (6, Name.codeHash), (7, Name.accessTokenHash), (9, Name.tokenUse):
                    mayStateKind = true
                default: break
                }
            }
        }

        private static func string(
            _ name: String, _ text: UnsafeBufferPointer<UInt8>, _ member: JSONOutline.Member
        ) throws(JOSEError) -> Place {
            guard text.isString(in: member.value) else { throw RegisteredClaims.wrongType(name) }
            return Place(start: member.valueStart, end: member.valueEnd)
        }

        private static func date(
            _ name: String, _ text: UnsafeBufferPointer<UInt8>, _ member: JSONOutline.Member
        ) throws(JOSEError) -> Instant {
            if let seconds = text.plainInteger(in: member.value) {
                return try RegisteredClaims.date(name, .integer(seconds))
            }
            return try RegisteredClaims.date(name, value(text, member))
        }

        private static func value(
            _ text: UnsafeBufferPointer<UInt8>, _ member: JSONOutline.Member
        ) throws(JOSEError) -> JSONValue {
            do {
                return try JSONValue(parsing: text[member.value])
            } catch {
                throw JOSEError(.malformed, "\(error)")
            }
        }
    }

    /// ``JSONOutline/NameKey/head`` of names: their letters from the eighth, or the last, to the first.
    private enum Name {
        static let iss: UInt64 = 0x73_73_69
        static let sub: UInt64 = 0x62_75_73
        static let jti: UInt64 = 0x69_74_6A
        static let aud: UInt64 = 0x64_75_61
        static let exp: UInt64 = 0x70_78_65
        static let nbf: UInt64 = 0x66_62_6E
        static let iat: UInt64 = 0x74_61_69
        static let typ: UInt64 = 0x70_79_74
        static let events: UInt64 = 0x73_74_6E_65_76_65
        /// `c_hash`.
        static let codeHash: UInt64 = 0x68_73_61_68_5F_63
        /// `at_hash`.
        static let accessTokenHash: UInt64 = 0x68_73_61_68_5F_74_61
        /// `token_us`, of which every name of nine letters may be `token_use`.
        static let tokenUse: UInt64 = 0x73_75_5F_6E_65_6B_6F_74
    }
}
