// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A JWS in compact form (RFC 7515, section 7.1), taken apart. Nothing of it is to be believed before
/// ``verify(with:allowing:)`` has returned.
public struct ParsedJWS: Sendable {
    /// The protected header; nothing vouches for it before the signature was judged.
    public let header: JOSEHeader
    /// The payload's bytes, decoded from Base64URL.
    public let payload: [UInt8]
    /// The signature's bytes, decoded from Base64URL.
    public let signature: [UInt8]
    /// Header and payload as they were signed, a part of the token's own bytes.
    let signingInput: ArraySlice<UInt8>

    /// The longest token read unless the caller says otherwise: 16 KiB, what servers take in one header field.
    public static let defaultLimit = 16 << 10

    /// Takes a token apart: three segments, each strict base64url, the header a JSON object without duplicates.
    ///
    /// - Parameters:
    ///   - token: the compact form's bytes.
    ///   - limit: bytes of the longest token read; a longer one is refused before it is looked at.
    /// - Throws: ``JOSEError`` with ``JOSEError/Code/malformed``, ``JOSEError/Code/tooLarge`` or
    ///   ``JOSEError/Code/algorithmNotAllowed``.
    @inlinable
    public init(parsing token: some Collection<UInt8>, limit: Int = Self.defaultLimit) throws(JOSEError) {
        guard token.count <= limit else { throw JOSEError(.tooLarge, "the token is too long") }
        try self.init(Array(token))
    }

    @usableFromInline
    init(_ bytes: [UInt8]) throws(JOSEError) {
        let segments = try JWSSegments(bytes)
        header = try segments.readHeader()
        payload = segments.payload
        signature = segments.signature
        signingInput = segments.signingInput
    }

    /// Checks the signature.
    ///
    /// - Parameters:
    ///   - key: of the issuer that the caller believes the token to be from.
    ///   - algorithms: what the caller allows; the key's own algorithms narrow it further.
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
