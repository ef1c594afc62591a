// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a client is asked for that is to make a credential: `PublicKeyCredentialCreationOptionsJSON` (Web
/// Authentication Level 3, section 5.1.8), for `PublicKeyCredential.parseCreationOptionsFromJSON()`.
public struct CreationOptions: Sendable, Hashable {
    /// Whether the credential alone is to say whose it is.
    public enum ResidentKey: String, Sendable, CaseIterable {
        case required
        case preferred
        case discouraged
    }

    /// What is asked of an authenticator beside the key (section 5.4.7).
    public enum AttestationConveyance: String, Sendable, CaseIterable {
        case none
        case indirect
        case direct
        case enterprise
    }

    /// Where the authenticator is to be (section 5.4.5).
    public enum Attachment: String, Sendable, CaseIterable {
        case platform
        case crossPlatform = "cross-platform"
    }

    public var relyingPartyID: String
    /// What people call the service.
    public var relyingPartyName: String
    /// 1 to 64 octets that say nothing of the person (section 14.6.1).
    public var userHandle: [UInt8]
    /// By which the user tells accounts apart, such as an address.
    public var userName: String
    public var displayName: String
    public var challenge: [UInt8]
    /// The best first.
    public var algorithms: [COSEAlgorithm]
    /// Milliseconds; a hint.
    public var timeout: Int64?
    /// Those that the user has: no authenticator makes a second one.
    public var excluded: [CredentialDescriptor]
    public var residentKey: ResidentKey
    public var userVerification: UserVerification
    public var attachment: Attachment?
    public var attestation: AttestationConveyance

    public init(
        relyingPartyID: String, relyingPartyName: String, userHandle: [UInt8], userName: String, displayName: String,
        challenge: [UInt8], algorithms: [COSEAlgorithm] = COSEAlgorithm.offered, timeout: Int64? = nil,
        excluded: [CredentialDescriptor] = [], residentKey: ResidentKey = .preferred,
        userVerification: UserVerification = .preferred, attachment: Attachment? = nil,
        attestation: AttestationConveyance = .none
    ) {
        self.relyingPartyID = relyingPartyID
        self.relyingPartyName = relyingPartyName
        self.userHandle = userHandle
        self.userName = userName
        self.displayName = displayName
        self.challenge = challenge
        self.algorithms = algorithms
        self.timeout = timeout
        self.excluded = excluded
        self.residentKey = residentKey
        self.userVerification = userVerification
        self.attachment = attachment
        self.attestation = attestation
    }

    public var json: JSONObject {
        var selection: JSONObject = [
            "residentKey": .string(residentKey.rawValue),
            // For clients of Level 1, which know no other (section 5.4.4).
            "requireResidentKey": .bool(residentKey == .required),
            "userVerification": .string(userVerification.rawValue),
        ]
        if let attachment { selection["authenticatorAttachment"] = .string(attachment.rawValue) }
        var object: JSONObject = [
            "rp": ["id": .string(relyingPartyID), "name": .string(relyingPartyName)],
            "user": [
                "id": .string(Base64URL.encode(userHandle)), "name": .string(userName),
                "displayName": .string(displayName),
            ],
            "challenge": .string(Base64URL.encode(challenge)),
            "pubKeyCredParams": .array(algorithms.map { ["type": "public-key", "alg": .integer($0.rawValue)] }),
            "excludeCredentials": .array(excluded.map(\.json)),
            "authenticatorSelection": .object(selection),
            "attestation": .string(attestation.rawValue),
            // Whether it says whose it is (section 10.1.3).
            "extensions": ["credProps": true],
        ]
        if let timeout { object["timeout"] = .integer(timeout) }
        return object
    }
}
