// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A client's answer to an authentication: `AuthenticationResponseJSON` (Web Authentication Level 3, section 5.1.9).
public struct AuthenticationResponse: Sendable, Hashable {
    /// Octets of a user handle (section 5.4.3).
    public static let longestUserHandle = 64
    private static let longestData = 8 << 10
    /// RSA of 8,192 bits has as many.
    private static let longestSignature = 1024

    /// By which the record is found that it is judged by.
    public var id: [UInt8]
    public var clientDataJSON: [UInt8]
    public var authenticatorData: [UInt8]
    public var signature: [UInt8]
    /// Whose the authenticator says the credential is; `nil` where it says nothing.
    public var userHandle: [UInt8]?

    public init(
        id: [UInt8], clientDataJSON: [UInt8], authenticatorData: [UInt8], signature: [UInt8], userHandle: [UInt8]?
    ) {
        self.id = id
        self.clientDataJSON = clientDataJSON
        self.authenticatorData = authenticatorData
        self.signature = signature
        self.userHandle = userHandle
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
        authenticatorData = try members.octets("authenticatorData", atMost: Self.longestData)
        signature = try members.octets("signature", atMost: Self.longestSignature)
        userHandle = try members.optionalOctets("userHandle", atMost: Self.longestUserHandle)
    }
}
