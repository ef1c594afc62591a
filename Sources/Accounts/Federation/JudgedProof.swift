// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A provider's word that was judged, and of which nothing has come yet. Flows alone make one, so that a dialect may
/// hold it between the judgement and what follows: it says what was said where the answer is no.
public struct JudgedProof: Sendable {
    private static let maximumSubject = 255
    private static let maximumName = 256

    public private(set) var proof: FederatedProof
    /// As it was configured then.
    let provider: IdentityProvider
    /// Names it, so that it is taken once; `nil` where the provider takes it once, or it may be shown again.
    let nonce: [UInt8]?
    /// After which it is judged no more.
    let expiresAt: Instant?

    /// - Throws: ``AuthErrorCode/identityTokenInvalid`` for a proof that says not whose it is: the last look before
    ///   anything is decided by it, whoever made it.
    init(
        _ proof: FederatedProof, of provider: IdentityProvider, nonce: [UInt8]? = nil, expiresAt: Instant? = nil
    ) throws(AuthError) {
        guard proof.provider == provider.name, !proof.issuer.isEmpty,
            (1...Self.maximumSubject).contains(proof.subject.utf8.count), StreamSafeText.accepts(proof.subject)
        else { throw AuthError(.identityTokenInvalid, reason: "a proof that says not whose it is") }
        self.proof = proof.addressed(by: provider.attributeMapping)
        self.provider = provider
        self.nonce = nonce
        self.expiresAt = expiresAt
    }

    /// A name that the app says beside the proof, where the proof says none: providers tell it once, and not in what
    /// they sign. It is the user's own word, and nothing is decided by it.
    public mutating func name(given: String?, family: String?) {
        func acceptable(_ name: String?) -> String? {
            name.flatMap { (1...Self.maximumName).contains($0.utf8.count) && StreamSafeText.accepts($0) ? $0 : nil }
        }
        proof.givenName = proof.givenName ?? acceptable(given)
        proof.familyName = proof.familyName ?? acceptable(family)
    }
}
