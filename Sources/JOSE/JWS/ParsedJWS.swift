// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A JWS in compact form (RFC 7515, section 7.1), taken apart. Nothing of it is to be believed before
/// ``verify(with:allowing:)`` has returned.
public struct ParsedJWS: Sendable {
    public let header: JOSEHeader
    public let payload: [UInt8]
    public let signature: [UInt8]
    /// Header and payload as they were signed, a part of the token's own bytes.
    let signingInput: ArraySlice<UInt8>

    /// The longest token read unless the caller says otherwise: 16 KiB, what servers take in one header field.
    public static let defaultLimit = 16 << 10

    /// Takes a token apart: three segments, each strict base64url, the header a JSON object without duplicates.
    ///
    /// - Parameter limit: bytes of the longest token read; a longer one is refused before it is looked at.
    /// - Throws: ``JOSEError`` with ``JOSEError/Code/malformed``, ``JOSEError/Code/tooLarge`` or
    ///   ``JOSEError/Code/algorithmNotAllowed``.
    @inlinable
    public init(parsing token: some Collection<UInt8>, limit: Int = Self.defaultLimit) throws(JOSEError) {
        guard token.count <= limit else { throw JOSEError(.tooLarge, "the token is too long") }
        try self.init(Array(token))
    }

    @usableFromInline
    init(_ bytes: [UInt8]) throws(JOSEError) {
        // A third dot needs no search: it is no digit of the signature.
        guard let first = Self.dot(in: bytes, from: 0), let second = Self.dot(in: bytes, from: first + 1) else {
            throw JOSEError(.malformed, "not three segments")
        }
        let segments = bytes.withUnsafeBufferPointer {
            bytes -> (header: [UInt8], payload: [UInt8], signature: [UInt8])? in
            guard let header = Base64URL.decode(UnsafeBufferPointer(rebasing: bytes[..<first])),
                let payload = Base64URL.decode(UnsafeBufferPointer(rebasing: bytes[(first + 1)..<second])),
                let signature = Base64URL.decode(UnsafeBufferPointer(rebasing: bytes[(second + 1)...])),
                !signature.isEmpty
            else { return nil }
            return (header, payload, signature)
        }
        guard let segments else { throw JOSEError(.malformed, "a segment is not base64url") }
        header = try JOSEHeader(parsing: segments.header)
        payload = segments.payload
        signature = segments.signature
        signingInput = bytes[..<second]
    }

    /// The first dot at or after `start`. Eight bytes at a time: a token is mostly other bytes.
    private static func dot(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            let ones: UInt64 = 0x0101_0101_0101_0101
            let dots = ones &* UInt64(UInt8(ascii: "."))
            var place = start
            while place &+ 8 <= bytes.count {
                let other = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) ^ dots
                // Some byte of `other` is zero (Warren, Hacker's Delight, section 6-1).
                if (other &- ones) & ~other & (ones &* 0x80) != 0 { break }
                place &+= 8
            }
            while place < bytes.count {
                if bytes[place] == UInt8(ascii: ".") { return place }
                place &+= 1
            }
            return nil
        }
    }

    /// Checks the signature.
    ///
    /// - Parameter algorithms: what the caller allows; the key's own algorithms narrow it further.
    /// - Throws: ``JOSEError`` with ``JOSEError/Code/keyNotFound`` when the token names another key,
    ///   ``JOSEError/Code/algorithmNotAllowed`` or ``JOSEError/Code/signatureInvalid``.
    public func verify(
        with key: VerificationKey, allowing algorithms: Set<JWSAlgorithm>
    ) throws(JOSEError) {
        if let wanted = header.keyID, let keyID = key.keyID, wanted != keyID { throw JOSEError(.keyNotFound) }
        guard algorithms.contains(header.algorithm) else { throw JOSEError(.algorithmNotAllowed) }
        try verify(with: key)
    }

    /// As ``verify(with:allowing:)``, with whatever algorithm the key is for.
    public func verify(with key: VerificationKey) throws(JOSEError) {
        if let wanted = header.keyID, let keyID = key.keyID, wanted != keyID { throw JOSEError(.keyNotFound) }
        guard key.algorithms.contains(header.algorithm) else { throw JOSEError(.algorithmNotAllowed) }
        guard key.isValid(signature, for: signingInput, algorithm: header.algorithm) else {
            throw JOSEError(.signatureInvalid)
        }
    }
}
