// SPDX-License-Identifier: Apache-2.0

/// The keys of one issuer. A token's `kid` picks one of them and no other.
public struct VerificationKeySet: Sendable {
    let contents: Contents

    /// One reference, since each token asks for its issuer's set.
    final class Contents: Sendable {
        let named: [String: VerificationKey]
        let unnamed: VerificationKey?
        /// For a token without `kid`: the only key there is.
        let only: VerificationKey?
        /// The first of a chain.
        let known = SetOnce<KnownHeader>()

        init(named: [String: VerificationKey], unnamed: VerificationKey?, only: VerificationKey?) {
            self.named = named
            self.unnamed = unnamed
            self.only = only
        }
    }

    /// - Throws: ``JOSEError/Code/keySetInvalid`` for two keys of one `kid`, or two without any.
    public init(_ keys: [VerificationKey]) throws(JOSEError) {
        var named: [String: VerificationKey] = [:]
        var unnamed: VerificationKey?
        for key in keys {
            if let keyID = key.keyID {
                guard named.updateValue(key, forKey: keyID) == nil else {
                    throw JOSEError(.keySetInvalid, "two keys have the same kid")
                }
            } else {
                guard unnamed == nil else { throw JOSEError(.keySetInvalid, "two keys have no kid") }
                unnamed = key
            }
        }
        contents = Contents(named: named, unnamed: unnamed, only: keys.count == 1 ? keys.first : nil)
    }

    /// The keys of a set that verify signatures.
    ///
    /// - Throws: ``JOSEError/Code/keySetInvalid``, ``JOSEError/Code/keyInvalid`` or ``JOSEError/Code/keyTooWeak``.
    public init(_ set: JWKSet) throws(JOSEError) {
        var keys: [VerificationKey] = []
        for key in set.keys { keys.append(try VerificationKey(key)) }
        try self.init(keys)
    }

    /// The key that a token with this header must have been signed with: the one of its `kid`; without a `kid`, the one
    /// key that has none, or the only key. An unknown `kid` never falls back to another key.
    ///
    /// - Throws: ``JOSEError/Code/keyNotFound``.
    public func key(for header: JOSEHeader) throws(JOSEError) -> VerificationKey {
        guard let key = header.keyID.map({ contents.named[$0] }) ?? contents.unnamed ?? contents.only else {
            throw JOSEError(.keyNotFound)
        }
        return key
    }
}
