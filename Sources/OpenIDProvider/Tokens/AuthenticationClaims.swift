// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How and when the user of a session proved who they are: what ID and access tokens say of it alike, unchanged by
/// single sign-on and by every refresh (OpenID Connect Core, sections 2 and 12.2; RFC 9068, section 2.2.1).
struct AuthenticationClaims: Sendable {
    let session: Session

    /// The time of the latest proof.
    var authTime: Instant { session.methods.map(\.at).max() ?? session.createdAt }

    /// RFC 8176, section 2. What has no name there is left out.
    var methods: [String] {
        session.methods.compactMap { Self.name($0.name) }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    func add(to claims: inout JSONObject) {
        claims["auth_time"] = .integer(authTime.seconds)
        claims["acr"] = .string(session.assurance.acr)
        if !methods.isEmpty { claims["amr"] = .array(methods.map { .string($0) }) }
    }

    private static func name(_ method: AuthenticationMethod.Name) -> String? {
        switch method {
        case .password: "pwd"
        // Each is a secret that was sent to the user and works once.
        case .oneTimeCode, .magicLink, .emailConfirmation, .recovery, .invitation, .emailChange: "otp"
        case .totp, .emailFactor, .backupCode: "otp"
        case .phoneFactor, .textMessage: "sms"
        case .webAuthnFactor, .passkey, .passkeyPresence: "hwk"
        default: nil
        }
    }
}
