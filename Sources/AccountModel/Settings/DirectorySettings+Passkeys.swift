// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension DirectorySettings {
    /// Public key credentials (Web Authentication Level 3): for whom they are made, and how their answers are judged.
    /// Holds of passkeys, and of security keys as second factors (``Factors/webAuthn``).
    public struct Passkeys: Sendable, Equatable {
        /// Whether users sign in by passkeys, and add them.
        public var enabled = false
        /// A domain; that of ``DirectorySettings/siteURL`` where this is `nil`, and else that of our own pages.
        public var relyingPartyID: String?
        /// What browsers call the service; the name in mails where this is `nil`.
        public var relyingPartyName: String?
        /// Whose pages and apps may ask: `https://app.example`, `android:apk-key-hash:…`. Where there are none, the
        /// site's, those of our own pages and the domain's.
        public var origins: [String] = []
        public var userVerification = UserVerification.preferred
        public var attestation = Attestation.none
        /// Certificates in base64 of DER, or in PEM, of authenticators' makers: where there are any, each new
        /// credential is to be attested by one of them.
        public var attestationRoots: [String] = []
        /// The AAGUIDs of the models that are taken, as UUIDs; every one where there are none.
        public var models: [String] = []
        public var counters = CounterPolicy.refuse
        /// That a user may have.
        public var maximum = 10
        /// Seconds in which a question is answered.
        public var challengeLifetime: Int64 = 300
        public init() {}
    }

    /// Whether an authenticator verifies its user, and does not only see that somebody is there (section 5.8.6).
    public enum UserVerification: String, Sendable, CaseIterable {
        case required
        case preferred
        case discouraged
    }

    /// Whether a new credential is to say which model has made it (section 5.4.7).
    public enum Attestation: String, Sendable, CaseIterable {
        case none
        case direct
    }

    /// What becomes of an answer whose counter has gone back, as of an authenticator that there is twice
    /// (section 6.1.1).
    public enum CounterPolicy: String, Sendable, CaseIterable {
        case refuse
        /// The answer holds, and the audit log says so.
        case record
    }

    static let passkeyTerms: Table = [
        .flag(
            "passkeys.enabled", \.passkeys.enabled, key: "directory.passkeys.enabled",
            "whether users add passkeys, and sign in by them"),
        .optionalText(
            "passkeys.relyingPartyID", \.passkeys.relyingPartyID, limit: 253, key: "directory.passkeys.rpId",
            default: "the host of directory.siteUrl, else of the account pages",
            "the domain that passkeys and security keys are made for",
            risk: "those that were made for another are good for nothing once it is changed"),
        .optionalText(
            "passkeys.relyingPartyName", \.passkeys.relyingPartyName, limit: 128, key: "directory.passkeys.rpName",
            default: "directory.siteName", "what browsers call the service when a passkey is made"),
        .list(
            "passkeys.origins", \.passkeys.origins, key: "directory.passkeys.origins",
            default: "those of directory.siteUrl, of the account pages and of directory.passkeys.rpId",
            "origins of the pages and apps that may use them, each as clients write it: https://app.example, "
                + "android:apk-key-hash:…",
            risk: "whoever has a page there can sign in whom it asks"),
        .choice(
            "passkeys.userVerification", \.passkeys.userVerification, key: "directory.passkeys.userVerification",
            "whether a finger, a face or a PIN is asked for: required, preferred or discouraged; a passkey without is one "
                + "factor, and one with is two"),
        .choice(
            "passkeys.attestation", \.passkeys.attestation, key: "directory.passkeys.attestation",
            "direct: a new one is to say which model has made it; none: it is not asked",
            risk: "with direct, browsers ask their users once more, and formats other than packed are refused"),
        .list(
            "passkeys.attestationRoots", \.passkeys.attestationRoots, key: "directory.passkeys.attestationRoots",
            default: "none",
            "certificates of authenticators' makers, in base64 or PEM; where there are any, a new passkey "
                + "or security key is taken whose attestation leads to one of them, and no other",
            risk: "passkeys that several devices share attest nothing, and are refused then; what there is stays"),
        .list(
            "passkeys.models", \.passkeys.models, key: "directory.passkeys.models", default: "every model",
            "AAGUIDs of the authenticators that may be added",
            risk: "without directory.passkeys.attestationRoots a model is what the authenticator says of itself"),
        .choice(
            "passkeys.counters", \.passkeys.counters, key: "directory.passkeys.counters",
            "what an answer comes to whose counter has gone back: refuse, or record it and go on",
            risk: "with record, a copied authenticator goes on working"),
        .whole(
            "passkeys.maximum", \.passkeys.maximum, in: 1...30, key: "directory.passkeys.maximum",
            "passkeys of a user"),
        .whole(
            "passkeys.challengeLifetime", \.passkeys.challengeLifetime, in: 30...600,
            key: "directory.passkeys.challengeLifetime", "seconds in which a passkey or a security key answers"),
    ]
}
