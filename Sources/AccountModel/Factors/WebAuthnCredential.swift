// SPDX-License-Identifier: Apache-2.0

/// A public key credential (Web Authentication Level 3, section 4, "credential record").
public struct WebAuthnCredential: Sendable, Hashable {
    /// What it was set up for. Stored, so the names never change.
    public enum Use: String, Sendable, CaseIterable {
        /// It is asked for beside something else that was shown.
        case secondFactor = "second_factor"
        /// It is a way in by itself, which nobody is asked for who came by another: a passkey.
        case signIn = "sign_in"
    }

    public var use: Use
    /// By which an authenticator and its relying party know it: up to 1,023 octets.
    public var id: [UInt8]
    /// COSE_Key (RFC 9052, section 7), as the authenticator gave it.
    public var publicKey: [UInt8]
    /// The highest that was seen; 0 for an authenticator that counts nothing.
    public var signatureCount: UInt32
    /// As the client named them, such as `internal` and `hybrid`.
    public var transports: [String]
    /// The authenticator's model: 16 octets, or none.
    public var aaguid: [UInt8]
    /// The relying party identifier that it was made for.
    public var relyingParty: String
    /// Whether its user is found by it alone, without a name.
    public var isDiscoverable: Bool
    /// Whether its user was verified when it was made, and not only present.
    public var isUserVerified: Bool
    /// Whether it may be kept in more places than one, and whether it is.
    public var isBackupEligible: Bool
    public var isBackedUp: Bool
    /// By which its authenticator knows whose it is: 1 to 64 octets that say nothing of the person.
    public var userHandle: [UInt8]

    public init(
        use: Use = .secondFactor, id: [UInt8], publicKey: [UInt8], signatureCount: UInt32 = 0,
        transports: [String] = [], aaguid: [UInt8] = [],
        relyingParty: String, isDiscoverable: Bool = false, isUserVerified: Bool = false,
        isBackupEligible: Bool = false, isBackedUp: Bool = false,
        userHandle: [UInt8] = []
    ) {
        self.use = use
        self.id = id
        self.publicKey = publicKey
        self.signatureCount = signatureCount
        self.transports = transports
        self.aaguid = aaguid
        self.relyingParty = relyingParty
        self.isDiscoverable = isDiscoverable
        self.isUserVerified = isUserVerified
        self.isBackupEligible = isBackupEligible
        self.isBackedUp = isBackedUp
        self.userHandle = userHandle
    }
}
