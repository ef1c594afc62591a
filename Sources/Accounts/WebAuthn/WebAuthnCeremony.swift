// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors

/// What an authenticator was asked, as its challenge keeps it until it is answered (``FactorChallenge/data``). Nothing
/// of it is read from the answer, so that none can be held to less than was asked.
struct WebAuthnCeremony: Sendable, Equatable {
    enum Kind: String {
        /// To make a credential.
        case registration
        /// To prove a factor that there is.
        case authentication
        /// To say who it is, and prove it.
        case signIn = "sign_in"
    }

    static let challengeLength = 32

    let kind: Kind
    let challenge: [UInt8]
    let relyingParty: String
    let userVerification: UserVerification
    /// Names of the credentials that may answer; empty where any may.
    var allowed: [[UInt8]] = []
    /// Of a registration: what for, and by which the authenticator is to know whose it is.
    var use = WebAuthnCredential.Use.signIn
    var userHandle: [UInt8] = []

    var data: JSONObject {
        [
            "ceremony": .string(kind.rawValue), "challenge": .string(Base64URL.encode(challenge)),
            "relying_party": .string(relyingParty), "user_verification": .string(userVerification.rawValue),
            "allowed": .array(allowed.map { .string(Base64URL.encode($0)) }), "use": .string(use.rawValue),
            "user_handle": .string(Base64URL.encode(userHandle)),
        ]
    }
}

extension WebAuthnCeremony {
    /// `nil` for what ``data`` has not written, and for another ceremony.
    init?(_ data: JSONObject, _ wanted: Kind) {
        func octets(_ name: String) -> [UInt8]? { data[name]?.stringValue.flatMap { Base64URL.decode($0) } }
        guard data["ceremony"]?.stringValue == wanted.rawValue, let challenge = octets("challenge"),
            let relyingParty = data["relying_party"]?.stringValue,
            let userVerification = data["user_verification"]?.stringValue.flatMap(UserVerification.init),
            let names = data["allowed"]?.arrayValue,
            let use = data["use"]?.stringValue.flatMap(WebAuthnCredential.Use.init),
            let userHandle = octets("user_handle")
        else { return nil }
        let allowed = names.compactMap { $0.stringValue.flatMap { Base64URL.decode($0) } }
        guard allowed.count == names.count else { return nil }
        self.init(
            kind: wanted, challenge: challenge, relyingParty: relyingParty, userVerification: userVerification,
            allowed: allowed, use: use, userHandle: userHandle)
    }
}
