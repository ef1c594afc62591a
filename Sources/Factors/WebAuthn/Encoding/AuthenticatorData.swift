// SPDX-License-Identifier: Apache-2.0

/// What an authenticator says of itself and of what its user did (Web Authentication Level 3, section 6.1). Nothing of
/// it is to be believed before the signature over it was judged.
struct AuthenticatorData: Sendable {
    struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        static let userPresent = Flags(rawValue: 1 << 0)
        static let userVerified = Flags(rawValue: 1 << 2)
        static let backupEligible = Flags(rawValue: 1 << 3)
        static let backedUp = Flags(rawValue: 1 << 4)
        static let attestedCredential = Flags(rawValue: 1 << 6)
        static let extensions = Flags(rawValue: 1 << 7)
    }

    /// A credential that was made (section 6.5.1).
    struct AttestedCredential: Sendable {
        let aaguid: [UInt8]
        let id: [UInt8]
        /// The key's octets, as they stand there.
        let publicKey: [UInt8]
    }

    /// Octets of a credential's name, at most (section 5.4.3; section 7.1, step 25).
    static let longestID = 1023

    let octets: [UInt8]
    /// SHA-256 of the relying party identifier.
    let relyingPartyHash: [UInt8]
    let flags: Flags
    let signatureCount: UInt32
    let attestedCredential: AttestedCredential?
    /// By their names; empty where there are none.
    let extensions: [CBORValue.Key: CBORValue]

    /// - Throws: ``WebAuthnError/Code/malformed`` unless all that its flags promise is there, and nothing after it.
    init(_ octets: [UInt8]) throws(WebAuthnError) {
        guard octets.count >= 37 else { throw WebAuthnError(.malformed, "authenticator data that ends too early") }
        self.octets = octets
        relyingPartyHash = Array(octets[..<32])
        flags = Flags(rawValue: octets[32])
        signatureCount = octets[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
        var rest = octets[37...]
        attestedCredential = flags.contains(.attestedCredential) ? try AttestedCredential(&rest) : nil
        extensions = flags.contains(.extensions) ? try Self.extensions(&rest) : [:]
        guard rest.isEmpty else { throw WebAuthnError(.malformed, "octets after the authenticator data") }
    }

    private static func extensions(
        _ rest: inout ArraySlice<UInt8>
    ) throws(WebAuthnError) -> [CBORValue.Key: CBORValue] {
        var reader = CBORReader(rest)
        guard case .map(let extensions) = try reader.next() else {
            throw WebAuthnError(.malformed, "extensions that are no map")
        }
        rest = reader.rest
        return extensions
    }

    /// BE and BS of one authenticator never say that it is backed up without being eligible for it (section 6.1.3).
    func checkBackup() throws(WebAuthnError) {
        guard flags.contains(.backupEligible) || !flags.contains(.backedUp) else {
            throw WebAuthnError(.backupStateInvalid, "backed up, but not eligible")
        }
    }
}

extension AuthenticatorData.AttestedCredential {
    /// Takes it from the front of `rest`.
    fileprivate init(_ rest: inout ArraySlice<UInt8>) throws(WebAuthnError) {
        guard rest.count >= 18 else { throw WebAuthnError(.malformed, "credential data that ends too early") }
        aaguid = Array(rest.prefix(16))
        rest = rest.dropFirst(16)
        let length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(2)
        guard length <= AuthenticatorData.longestID else { throw WebAuthnError(.tooLarge, "the credential's name") }
        guard length > 0, length <= rest.count else { throw WebAuthnError(.malformed, "no credential's name") }
        id = Array(rest.prefix(length))
        rest = rest.dropFirst(length)
        var reader = CBORReader(rest)
        _ = try reader.next()
        publicKey = Array(rest[..<reader.rest.startIndex])
        rest = reader.rest
    }
}
