// SPDX-License-Identifier: Apache-2.0

/// Why an answer of an authenticator was refused. Two errors are equal when their codes are; the reason is for the
/// operator's log, and quotes nothing of the answer.
public struct WebAuthnError: Error, Sendable {
    /// Stable names: they may be counted and logged.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Not of the form that the standard gives it.
        case malformed
        /// More octets than the limit of its kind.
        case tooLarge
        /// An answer to the other ceremony: a registration for an authentication, or the reverse.
        case ceremonyMismatch
        /// An answer to another challenge.
        case challengeMismatch
        /// From an origin that is none of the relying party's.
        case originNotAllowed
        /// From a frame within another's page, where that is not expected.
        case embeddingNotAllowed
        /// Made for another relying party identifier.
        case relyingPartyMismatch
        /// Nobody touched the authenticator.
        case userNotPresent
        /// The user was to be verified, and was not.
        case userNotVerified
        /// A key of an algorithm that was not offered, or that is not known here.
        case algorithmNotOffered
        /// No public key, or none that is fit for use.
        case keyInvalid
        /// Backed up without being eligible for it, or of another eligibility than when it was made.
        case backupStateInvalid
        /// The names of one credential in one answer differ, or it is another than the record's.
        case credentialMismatch
        /// A credential that was not asked for.
        case credentialNotAllowed
        /// The answer does not say whose it is, where nothing else does.
        case userHandleMissing
        /// The answer is another user's.
        case userHandleMismatch
        /// Not signed by the credential's key over this answer.
        case signatureInvalid
        /// The authenticator has counted less than was seen of it before: there may be two of it.
        case counterRegressed
        /// An attestation of a format that is not judged here.
        case attestationUnsupported
        /// An attestation that is wrong by its own format.
        case attestationInvalid
        /// An attestation by nobody whom the caller trusts, where such a one is demanded.
        case attestationUntrusted
        /// Made by an authenticator of a model that the caller does not take.
        case modelNotAllowed
    }

    public let code: Code
    /// For the operator's log; quotes nothing of the answer.
    public let reason: String?

    public init(_ code: Code, _ reason: String? = nil) {
        self.code = code
        self.reason = reason
    }
}

extension WebAuthnError: Hashable {
    public static func == (lhs: WebAuthnError, rhs: WebAuthnError) -> Bool { lhs.code == rhs.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension WebAuthnError: CustomStringConvertible {
    public var description: String { reason.map { "\(code.rawValue): \($0)" } ?? code.rawValue }
}
