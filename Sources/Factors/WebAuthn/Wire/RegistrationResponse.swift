// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A client's answer to a registration: `RegistrationResponseJSON` (Web Authentication Level 3, section 5.1.8).
///
/// What the client computed from it for relying parties that read no CBOR (`publicKey`, `authenticatorData`) is not
/// looked at: it is in the attestation object.
public struct RegistrationResponse: Sendable, Hashable {
    /// Octets of an attestation object that are read at most.
    public static let longestAttestation = 64 << 10

    public var id: [UInt8]
    public var clientDataJSON: [UInt8]
    public var attestationObject: [UInt8]
    public var transports: [String]
    /// `credProps.rk`, where the client says it (section 10.1.3).
    public var isDiscoverable: Bool?

    public init(
        id: [UInt8], clientDataJSON: [UInt8], attestationObject: [UInt8], transports: [String] = [],
        isDiscoverable: Bool? = nil
    ) {
        self.id = id
        self.clientDataJSON = clientDataJSON
        self.attestationObject = attestationObject
        self.transports = transports
        self.isDiscoverable = isDiscoverable
    }

    /// - Throws: ``WebAuthnError`` with ``WebAuthnError/Code/malformed``, ``WebAuthnError/Code/tooLarge`` or
    ///   ``WebAuthnError/Code/credentialMismatch``.
    public init(parsing text: [UInt8]) throws(WebAuthnError) {
        try self.init(ResponseMembers.object(text))
    }

    /// The same of what was read already.
    public init(_ object: JSONObject) throws(WebAuthnError) {
        let members = try ResponseMembers(object)
        id = members.id
        clientDataJSON = try members.octets("clientDataJSON", atMost: ClientData.longest)
        attestationObject = try members.octets("attestationObject", atMost: Self.longestAttestation)
        transports = try members.transports()
        let results = object["clientExtensionResults"]?.objectValue
        isDiscoverable = results?["credProps"]?.objectValue?["rk"]?.boolValue
    }
}
