// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors

/// One answer of an authenticator that is to say who it is, read, and judged by whatever credential it names.
struct PasskeyAttempt: Sendable {
    /// What it was read as; `nil` for what is no answer.
    let response: AuthenticationResponse?
    private let fault: WebAuthnError
    private let judgement: WebAuthnJudgement

    init(_ answer: JSONObject, _ judgement: WebAuthnJudgement) {
        self.judgement = judgement
        var fault = WebAuthnError(.malformed)
        do {
            response = try AuthenticationResponse(answer)
        } catch {
            response = nil
            fault = error
        }
        self.fault = fault
    }

    /// - Parameter factor: that has the credential; `nil` where nobody has: then the answer is judged by a key that is
    ///   nobody's, so that it costs what a wrong signature does.
    func verdict(on factor: Factor?, _ ceremony: WebAuthnCeremony) -> Result<VerifiedAssertion, WebAuthnError> {
        guard let response else { return .failure(fault) }
        let known = factor?.webAuthn
        do {
            let assertion = try judgement.asserted(
                response, to: ceremony, by: known ?? Self.nobodys(response), isUserKnown: false)
            return known == nil ? .failure(WebAuthnError(.credentialNotAllowed)) : .success(assertion)
        } catch {
            // That the signature is none of the key's that is nobody's, says that nobody has the credential.
            let isUnknown = known == nil && error.code == .signatureInvalid
            return .failure(isUnknown ? WebAuthnError(.credentialNotAllowed) : error)
        }
    }

    /// All of it is as the answer says but the key.
    private static func nobodys(_ response: AuthenticationResponse) -> WebAuthnCredential {
        // What an authenticator says of backups (Web Authentication Level 3, section 6.1).
        let flags = response.authenticatorData.dropFirst(32).first ?? 0
        return WebAuthnCredential(
            id: response.id, publicKey: publicKey, relyingParty: "", isBackupEligible: flags & 0b1000 != 0,
            userHandle: response.userHandle ?? [])
    }

    /// The base point of P-256 (NIST SP 800-186, section 3.2.1.3) as a COSE_Key.
    private static let publicKey =
        Hex.decode(
            "a5010203262001"
                + "2158206b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
                + "2258204fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5") ?? []
}
