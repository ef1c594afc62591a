// SPDX-License-Identifier: Apache-2.0

/// A header as it is written, what it says, and the key that it names in one set of keys.
///
/// An issuer writes the same header with all tokens of a key, so that it need be read once only. What it says depends
/// on its text alone, and the key on the header and the set, which never changes: whoever finds the text here finds
/// what reading it would give. It is noted after a signature of that key was found good, so that only the issuer says
/// what is noted; and a new set of keys begins with none.
package final class KnownHeader: Sendable {
    package let header: JOSEHeader
    private let text: [UInt8]
    private let key: VerificationKey
    private let next = SetOnce<KnownHeader>()

    fileprivate init(_ text: [UInt8], _ header: JOSEHeader, _ key: VerificationKey) {
        self.text = text
        self.header = header
        self.key = key
    }

    /// Whether the signature is that of this header's key, by the algorithm that it names.
    package func isSigned(_ token: JWSSegments) -> Bool {
        key.isValid(token.signature, for: token.signingInput, algorithm: header.algorithm)
    }

    fileprivate func isOf(_ token: JWSSegments) -> Bool { token.hasHeader(text) }
    fileprivate var successor: KnownHeader? { next.load() }
    fileprivate func append(_ header: KnownHeader) { next.setIfNil(header) }
}

extension VerificationKeySet {
    /// How many are noted: those of two keys, each signing tokens of several types. A search passes all of them.
    private static let mostKnown = 8

    /// What is noted of the header of `token`. Nothing else of it has been looked at, least of all its signature.
    package func knownHeader(of token: JWSSegments) -> KnownHeader? {
        var place = contents.known.load()
        while let known = place {
            if known.isOf(token) { return known }
            place = known.successor
        }
        return nil
    }

    /// Judges the signature of `token`, and notes its header when it is good.
    ///
    /// - Parameter header: that of `token`.
    /// - Throws: ``JOSEError/Code/keyNotFound``, ``JOSEError/Code/algorithmNotAllowed`` for one that the key is not
    ///   for, or ``JOSEError/Code/signatureInvalid``.
    package func verify(_ token: JWSSegments, _ header: JOSEHeader) throws(JOSEError) {
        let key = try key(for: header)
        guard key.algorithms.contains(header.algorithm) else { throw JOSEError(.algorithmNotAllowed) }
        guard key.isValid(token.signature, for: token.signingInput, algorithm: header.algorithm) else {
            throw JOSEError(.signatureInvalid)
        }
        note(header, of: token, signedBy: key)
    }

    private func note(_ header: JOSEHeader, of token: JWSSegments, signedBy key: VerificationKey) {
        var count = 0
        var last: KnownHeader?
        var place = contents.known.load()
        while let known = place, !known.isOf(token) {
            last = known
            place = known.successor
            count += 1
        }
        guard place == nil, count < Self.mostKnown else { return }
        // Should another task append meanwhile, this header is left for a later token.
        let new = KnownHeader(Array(token.encodedHeader), header, key)
        if let last { last.append(new) } else { contents.known.setIfNil(new) }
    }
}
