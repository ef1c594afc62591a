// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a client is asked for that is to use a credential: `PublicKeyCredentialRequestOptionsJSON` (Web Authentication
/// Level 3, section 5.1.9), for `PublicKeyCredential.parseRequestOptionsFromJSON()`.
public struct RequestOptions: Sendable, Hashable {
    public var relyingPartyID: String
    public var challenge: [UInt8]
    /// Milliseconds; a hint.
    public var timeout: Int64?
    /// Empty where any of the relying party's may answer, and says whose it is.
    public var allowed: [CredentialDescriptor]
    public var userVerification: UserVerification

    public init(
        relyingPartyID: String, challenge: [UInt8], timeout: Int64? = nil, allowed: [CredentialDescriptor] = [],
        userVerification: UserVerification = .preferred
    ) {
        self.relyingPartyID = relyingPartyID
        self.challenge = challenge
        self.timeout = timeout
        self.allowed = allowed
        self.userVerification = userVerification
    }

    public var json: JSONObject {
        var object: JSONObject = [
            "challenge": .string(Base64URL.encode(challenge)), "rpId": .string(relyingPartyID),
            "allowCredentials": .array(allowed.map(\.json)), "userVerification": .string(userVerification.rawValue),
        ]
        if let timeout { object["timeout"] = .integer(timeout) }
        return object
    }
}
