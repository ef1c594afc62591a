// SPDX-License-Identifier: Apache-2.0

/// A credential that was made: what its relying party keeps (Web Authentication Level 3, section 4, "credential
/// record").
public struct RegisteredCredential: Sendable, Hashable {
    /// 1 to 1,023 octets.
    public var id: [UInt8]
    /// COSE_Key, as the authenticator gave it.
    public var publicKey: [UInt8]
    public var algorithm: COSEAlgorithm
    public var signatureCount: UInt32
    /// As the client named them: a hint for the next time, and nothing that was proved.
    public var transports: [String]
    /// The authenticator's model, 16 octets; zeros where it is not said. Proved by an attestation that is trusted, and
    /// by nothing else.
    public var aaguid: [UInt8]
    /// Whether the client says that its user is found by it alone (`credProps`); `nil` where it says nothing.
    public var isDiscoverable: Bool?
    public var isUserVerified: Bool
    public var isBackupEligible: Bool
    public var isBackedUp: Bool
    public var attestation: Attestation
}
