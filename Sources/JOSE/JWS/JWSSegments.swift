// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A JWS in compact form, cut at its dots, with its header still to be read. Who knows the header's text already
/// need not read it: see ``VerificationKeySet/knownHeader(of:)``.
package struct JWSSegments: Sendable {
    let token: [UInt8]
    /// Where the two dots are: in ascending order, and within ``token``.
    private let first: Int
    private let last: Int
    package let payload: [UInt8]
    package let signature: [UInt8]

    /// - Throws: ``JOSEError/Code/malformed`` for other than three segments, and for a payload or a signature that is
    ///   not base64url.
    package init(_ token: [UInt8]) throws(JOSEError) {
        // Those between the first and the last need no search: a dot is no digit of the payload.
        guard let first = Self.firstDot(in: token), let last = Self.lastDot(in: token), first < last else {
            throw JOSEError(.malformed, "not three segments")
        }
        let decoded = token.withUnsafeBufferPointer { bytes -> (payload: [UInt8], signature: [UInt8])? in
            guard let payload = Base64URL.decode(UnsafeBufferPointer(rebasing: bytes[(first + 1)..<last])),
                let signature = Base64URL.decode(UnsafeBufferPointer(rebasing: bytes[(last + 1)...])),
                !signature.isEmpty
            else { return nil }
            return (payload, signature)
        }
        guard let decoded else { throw Self.notBase64 }
        payload = decoded.payload
        signature = decoded.signature
        self.token = token
        self.first = first
        self.last = last
    }

    /// Header and payload as they were signed, a part of the token's own bytes.
    package var signingInput: ArraySlice<UInt8> { token[..<last] }
    /// The header as it was signed, still base64url.
    var encodedHeader: ArraySlice<UInt8> { token[..<first] }

    /// Whether the encoded header is `text`.
    @inline(__always)
    func hasHeader(_ text: [UInt8]) -> Bool {
        text.count == first && token.withUnsafeBufferPointer { $0.holds(text, at: 0) }
    }

    /// - Throws: as ``ParsedJWS/init(parsing:limit:)``.
    package func readHeader() throws(JOSEError) -> JOSEHeader {
        guard let text = Base64URL.decode(encodedHeader) else { throw Self.notBase64 }
        return try JOSEHeader(parsing: text)
    }

    private static var notBase64: JOSEError { JOSEError(.malformed, "a segment is not base64url") }

    private static func firstDot(in token: [UInt8]) -> Int? {
        token.withUnsafeBytes { bytes in
            var place = 0
            // Sixteen bytes at a time: a token is mostly other bytes.
            while place &+ 16 <= bytes.count, !hasDot(bytes, at: place) { place &+= 16 }
            while place < bytes.count {
                if bytes[place] == UInt8(ascii: ".") { return place }
                place &+= 1
            }
            return nil
        }
    }

    /// From the end, since the signature is most often shorter than the payload.
    private static func lastDot(in token: [UInt8]) -> Int? {
        token.withUnsafeBytes { bytes in
            var end = bytes.count
            while end >= 16, !hasDot(bytes, at: end &- 16) { end &-= 16 }
            while end > 0 {
                end &-= 1
                if bytes[end] == UInt8(ascii: ".") { return end }
            }
            return nil
        }
    }

    /// Whether one of the sixteen bytes from `place` on, which are within `bytes`, is a dot.
    @inline(__always)
    private static func hasDot(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let dots = ones &* UInt64(UInt8(ascii: "."))
        let left = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ dots
        let right = bytes.loadUnaligned(fromByteOffset: place &+ 8, as: UInt64.self) ^ dots
        // Some byte of `left` or `right` is zero (Warren, Hacker's Delight, section 6-1).
        return ((left &- ones) & ~left | (right &- ones) & ~right) & (ones &* 0x80) != 0
    }
}
