// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// What an answer to an authentication is held to (Web Authentication Level 3, section 7.2): all of it the relying
/// party's own, kept since it asked, and nothing of it from the answer. That a challenge is answered once is for
/// whoever keeps it.
public struct AuthenticationCeremony: Sendable {
    /// What happens where an authenticator has counted less than was seen of it (section 6.1.1).
    public enum CounterPolicy: Sendable, Hashable {
        /// The answer is refused.
        case refuse
        /// The answer holds, and its outcome says so.
        case flag
    }

    public var relyingParty: RelyingParty
    /// At least 16 random octets.
    public var challenge: [UInt8]
    public var userVerification: UserVerification
    /// Names of the credentials that were asked for; empty where any of the relying party's may answer.
    public var allowed: [[UInt8]]
    /// Whether something else said who signs in before they were asked. Where nothing did, the answer must.
    public var isUserKnown: Bool
    public var counterPolicy: CounterPolicy

    public init(
        relyingParty: RelyingParty, challenge: [UInt8], userVerification: UserVerification = .preferred,
        allowed: [[UInt8]] = [], isUserKnown: Bool, counterPolicy: CounterPolicy = .refuse
    ) {
        self.relyingParty = relyingParty
        self.challenge = challenge
        self.userVerification = userVerification
        self.allowed = allowed
        self.isUserKnown = isUserKnown
        self.counterPolicy = counterPolicy
    }

    /// - Parameter record: of the credential that the answer names.
    /// - Throws: ``WebAuthnError``: what of it was wrong first, in the order of the standard.
    public func verify(
        _ response: AuthenticationResponse, by record: CredentialRecord
    ) throws(WebAuthnError) -> VerifiedAssertion {
        guard allowed.isEmpty || allowed.contains(response.id) else { throw WebAuthnError(.credentialNotAllowed) }
        guard record.id == response.id else { throw WebAuthnError(.credentialMismatch) }
        if let handle = response.userHandle {
            guard constantTimeEqual(handle, record.userHandle) else { throw WebAuthnError(.userHandleMismatch) }
        } else if !isUserKnown {
            throw WebAuthnError(.userHandleMissing)
        }
        try ClientData(response.clientDataJSON).check(.authentication, challenge: challenge, relyingParty)
        let data = try AuthenticatorData(response.authenticatorData)
        try relyingParty.check(data)
        guard data.flags.contains(.userPresent) else { throw WebAuthnError(.userNotPresent) }
        try userVerification.check(data)
        try data.checkBackup()
        guard data.flags.contains(.backupEligible) == record.isBackupEligible else {
            throw WebAuthnError(.backupStateInvalid, "of another eligibility than when it was made")
        }
        let message = data.octets + SHA256.hash(data: response.clientDataJSON)
        guard try COSEKey(record.publicKey).isValid(response.signature, for: message) else {
            throw WebAuthnError(.signatureInvalid)
        }
        let counts = data.signatureCount != 0 || record.signatureCount != 0
        let isPossiblyCloned = counts && data.signatureCount <= record.signatureCount
        guard !isPossiblyCloned || counterPolicy == .flag else { throw WebAuthnError(.counterRegressed) }
        return VerifiedAssertion(
            signatureCount: max(data.signatureCount, record.signatureCount),
            isUserVerified: data.flags.contains(.userVerified), isBackedUp: data.flags.contains(.backedUp),
            isPossiblyCloned: isPossiblyCloned)
    }
}
