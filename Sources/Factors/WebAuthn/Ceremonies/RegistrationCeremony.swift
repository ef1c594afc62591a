// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// What an answer to a registration is held to (Web Authentication Level 3, section 7.1): all of it the relying party's
/// own, kept since it asked, and nothing of it from the answer. That a challenge is answered once, and that no user has
/// a credential of that name yet (step 26), is for whoever keeps them.
public struct RegistrationCeremony: Sendable {
    public var relyingParty: RelyingParty
    /// At least 16 random octets.
    public var challenge: [UInt8]
    public var userVerification: UserVerification
    /// Those that were offered.
    public var algorithms: [COSEAlgorithm]
    public var attestation: AttestationPolicy
    /// Whether the browser was asked to make one by the way, while the user signed in by other means: then nobody needs
    /// to have touched the authenticator.
    public var isConditional: Bool

    public init(
        relyingParty: RelyingParty, challenge: [UInt8], userVerification: UserVerification = .preferred,
        algorithms: [COSEAlgorithm] = COSEAlgorithm.offered, attestation: AttestationPolicy = .optional,
        isConditional: Bool = false
    ) {
        self.relyingParty = relyingParty
        self.challenge = challenge
        self.userVerification = userVerification
        self.algorithms = algorithms
        self.attestation = attestation
        self.isConditional = isConditional
    }

    /// - Parameter now: by which certificates of attestations are valid.
    /// - Throws: ``WebAuthnError``: what of it was wrong first, in the order of the standard.
    public func verify(_ response: RegistrationResponse, at now: Instant) throws(WebAuthnError) -> RegisteredCredential
    {
        try ClientData(response.clientDataJSON).check(.registration, challenge: challenge, relyingParty)
        let object = try AttestationObject(response.attestationObject)
        let data = object.authenticatorData
        try relyingParty.check(data)
        guard isConditional || data.flags.contains(.userPresent) else { throw WebAuthnError(.userNotPresent) }
        try userVerification.check(data)
        try data.checkBackup()
        guard let credential = data.attestedCredential else {
            throw WebAuthnError(.malformed, "no credential was made")
        }
        let key = try COSEKey(credential.publicKey)
        guard algorithms.contains(key.algorithm) else { throw WebAuthnError(.algorithmNotOffered) }
        guard credential.id == response.id else { throw WebAuthnError(.credentialMismatch) }
        let hash = Array(SHA256.hash(data: response.clientDataJSON))
        let kind = try object.verify(credential, key: key, clientDataHash: hash, attestation, at: now)
        return RegisteredCredential(
            id: credential.id, publicKey: credential.publicKey, algorithm: key.algorithm,
            signatureCount: data.signatureCount, transports: response.transports, aaguid: credential.aaguid,
            isDiscoverable: response.isDiscoverable, isUserVerified: data.flags.contains(.userVerified),
            isBackupEligible: data.flags.contains(.backupEligible), isBackedUp: data.flags.contains(.backedUp),
            attestation: kind)
    }
}
