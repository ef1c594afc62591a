// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension DirectorySettings {
    /// What may be done with a kind of second factor.
    public enum FactorUse: String, Sendable, CaseIterable {
        /// None is set up, and none that was is asked for.
        case off
        /// Those that there are prove what they did; none is set up.
        case verify
        case on
    }

    /// Whose second factor is wanted.
    public enum FactorDemand: String, Sendable, CaseIterable {
        /// That of who has set one up.
        case own
        /// Everybody's: who has none sets one up before there is a session.
        case all
    }

    public struct Factors: Sendable, Equatable {
        public var totp = FactorUse.on
        /// Text messages can be read by others on their way: an operator chooses them.
        public var phone = FactorUse.off
        /// Whoever reads the mail can mostly replace the password too, so that it is hardly a second one.
        public var email = FactorUse.off
        public var webAuthn = FactorUse.off
        /// Codes for when the others are lost.
        public var backupCodes = FactorUse.on
        public var demand = FactorDemand.own
        /// Groups whose members must have a second factor where ``demand`` does not say so already.
        public var demandedGroups: [String] = []
        /// That a user may have, those that are being set up included.
        public var maximum = 10
        /// Whether who has none sets one up in a session of the last hour only.
        public var enrolmentNeedsReauthentication = true
        /// Seconds in which one is proved that is being set up.
        public var enrolmentLifetime: Int64 = 900
        /// Seconds in which a question is answered.
        public var challengeLifetime: Int64 = 300
        /// Wrong codes of one user after which none is heard for ``lockSeconds``.
        public var attempts = 3
        public var lockSeconds: Int64 = 300
        /// Time steps before and after the present one whose codes of authenticator apps are taken too.
        public var totpDrift = 1
        /// What authenticator apps call the service; the name in mails where this is `nil`.
        public var issuer: String?
        /// Seconds for which who has lost their second factors waits until a sign-in removes them; 0 where none does
        /// (ADR 0075).
        public var recoveryWait: Int64 = 0
        /// Seconds after the wait in which a sign-in does.
        public var recoveryWindow: Int64 = 259_200
        /// Groups whose members must ask an operator.
        public var recoveryExcludedGroups = ["admin"]
        public init() {}

        public func use(of kind: Factor.Kind) -> FactorUse {
            switch kind {
            case .totp: totp
            case .phone: phone
            case .email: email
            case .webAuthn: webAuthn
            }
        }
    }

    static let factorTerms: Table = [
        .choice(
            "factors.totp", \.factors.totp, key: "directory.factors.totp",
            "codes of authenticator apps as second factors: on; verify, for those that there are; off"),
        .choice(
            "factors.phone", \.factors.phone, key: "directory.factors.phone",
            "codes by text message as second factors: on, verify or off",
            risk: "text messages are read by whoever takes over a number"),
        .choice(
            "factors.email", \.factors.email, key: "directory.factors.email",
            "codes by mail as second factors: on, verify or off",
            risk: "whoever reads the mail has both factors where it resets the password too"),
        .choice(
            "factors.webAuthn", \.factors.webAuthn, key: "directory.factors.webAuthn",
            "security keys and passkeys as second factors: on, verify or off"),
        .choice(
            "factors.backupCodes", \.factors.backupCodes, key: "directory.factors.backupCodes",
            "codes for users who lose their second factor: on, verify or off"),
        .choice(
            "factors.demand", \.factors.demand, key: "directory.factors.demand",
            "own: a second factor is asked of who has one; all: everybody must set one up",
            risk: "with all, apps whose users open their session first must ask for it themselves"),
        .list(
            "factors.demandedGroups", \.factors.demandedGroups, key: "directory.factors.demandedGroups",
            default: "none",
            "groups whose members must have a second factor"),
        .whole(
            "factors.maximum", \.factors.maximum, in: 1...30, key: "directory.factors.maximum",
            "second factors of a user"),
        .flag(
            "factors.enrolmentNeedsReauthentication", \.factors.enrolmentNeedsReauthentication,
            key: "directory.factors.enrolmentNeedsReauthentication",
            "whether a session older than an hour must sign in again to set up its user's first second factor",
            risk: "off, whoever has stolen a token sets up a factor of theirs, and shuts the owner out"),
        .whole(
            "factors.enrolmentLifetime", \.factors.enrolmentLifetime, in: 60...86_400,
            key: "directory.factors.enrolmentLifetime", "seconds in which a second factor is proved for the first time"),
        .whole(
            "factors.challengeLifetime", \.factors.challengeLifetime, in: 30...600,
            key: "directory.factors.challengeLifetime", "seconds in which a question for a second factor is answered"),
        .whole(
            "factors.attempts", \.factors.attempts, in: 1...10, key: "directory.factors.attempts",
            "wrong codes of one user after which none is heard for a while",
            risk: "each is a guess at a code of six digits"),
        .whole(
            "factors.lockSeconds", \.factors.lockSeconds, in: 60...86_400, key: "directory.factors.lockSeconds",
            "seconds for which none is heard then", risk: "a short time gives more guesses a day"),
        .whole(
            "factors.totpDrift", \.factors.totpDrift, in: 0...10, key: "directory.factors.totpDrift",
            "steps of 30 seconds before and after the present one whose codes of authenticator apps are taken too",
            risk: "each makes two more codes right at a time"),
        .optionalText(
            "factors.issuer", \.factors.issuer, limit: 128, key: "directory.factors.issuer",
            default: "directory.siteName", "what authenticator apps call the service"),
        .whole(
            "factors.recoveryWait", \.factors.recoveryWait, in: 0...7_776_000, key: "directory.factors.recoveryWait",
            "seconds for which who has lost their second factors waits until a sign-in removes them; 0: operators alone do",
            risk: "whoever has the password, and an owner who reads no mail for that long, has the account"),
        .whole(
            "factors.recoveryWindow", \.factors.recoveryWindow, in: 3600...7_776_000,
            key: "directory.factors.recoveryWindow", "seconds after that wait in which a sign-in removes them",
            risk: "a long one gives whoever has the password more time"),
        .list(
            "factors.recoveryExcludedGroups", \.factors.recoveryExcludedGroups,
            key: "directory.factors.recoveryExcludedGroups", default: "`admin`",
            "groups whose members' second factors operators alone remove"),
    ]
}
