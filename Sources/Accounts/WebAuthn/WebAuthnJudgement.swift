// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors

/// Judges what authenticators answer, by what was asked of them and by what the Directory says now: the one place where
/// that is done (ADR 0059).
struct WebAuthnJudgement: Sendable {
    private let relyingParty: RelyingParty
    private let settings: DirectorySettings.Passkeys
    private let now: Instant

    /// - Throws: ``AuthErrorCode/factorDisabled`` where nothing says for whom credentials are made.
    init(_ call: CallContext) throws(AuthError) {
        relyingParty = try call.relyingParty()
        settings = call.settings.passkeys
        now = call.now
    }

    /// The credential that an authenticator has made. A chain of certificates is followed for it: see
    /// ``RegistrationJudgement``.
    func registered(
        _ answer: JSONObject, to ceremony: WebAuthnCeremony, _ attestation: AttestationPolicy
    ) throws(WebAuthnError) -> WebAuthnCredential {
        let response = try RegistrationResponse(answer)
        let asked = RegistrationCeremony(
            relyingParty: relyingParty(of: ceremony), challenge: ceremony.challenge,
            userVerification: userVerification(of: ceremony), attestation: attestation)
        let made = try asked.verify(response, at: now)
        return WebAuthnCredential(
            use: ceremony.use, id: made.id, publicKey: made.publicKey, signatureCount: made.signatureCount,
            transports: made.transports, aaguid: made.aaguid, relyingParty: ceremony.relyingParty,
            isDiscoverable: made.isDiscoverable ?? (ceremony.use == .signIn), isUserVerified: made.isUserVerified,
            isBackupEligible: made.isBackupEligible, isBackedUp: made.isBackedUp, userHandle: ceremony.userHandle)
    }

    /// What a credential's answer has shown.
    ///
    /// - Parameter isUserKnown: whether something else than the answer has said whose it is.
    func asserted(
        _ answer: AuthenticationResponse, to ceremony: WebAuthnCeremony, by credential: WebAuthnCredential,
        isUserKnown: Bool
    ) throws(WebAuthnError) -> VerifiedAssertion {
        let asked = AuthenticationCeremony(
            relyingParty: relyingParty(of: ceremony), challenge: ceremony.challenge,
            userVerification: userVerification(of: ceremony), allowed: ceremony.allowed, isUserKnown: isUserKnown,
            counterPolicy: settings.counters == .refuse ? .refuse : .flag)
        return try asked.verify(
            answer,
            by: CredentialRecord(
                id: credential.id, publicKey: credential.publicKey, signatureCount: credential.signatureCount,
                isBackupEligible: credential.isBackupEligible, userHandle: credential.userHandle))
    }

    /// The origins of now, and the domain of then.
    private func relyingParty(of ceremony: WebAuthnCeremony) -> RelyingParty {
        var party = relyingParty
        party.id = ceremony.relyingParty
        return party
    }

    /// What was asked, or what is wanted by now where that is more.
    private func userVerification(of ceremony: WebAuthnCeremony) -> UserVerification {
        settings.userVerification == .required ? .required : ceremony.userVerification
    }
}

extension WebAuthnCredential {
    /// As it is kept from now on.
    func noting(_ assertion: VerifiedAssertion) -> WebAuthnCredential {
        var credential = self
        credential.signatureCount = assertion.signatureCount
        credential.isBackedUp = assertion.isBackedUp
        return credential
    }
}
