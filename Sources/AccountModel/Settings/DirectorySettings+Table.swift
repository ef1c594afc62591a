// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension DirectorySettings {
    public typealias Table = [Setting<DirectorySettings>]

    /// Every setting of a Directory.
    public static let table: Table =
        identity + ways + passwords + lockouts + sessionTerms + proofs + factorTerms + passkeyTerms + deviceTerms
        + oauthServers + federations + keeping + deletions + mails + appearance + rates

    /// The setting that operators or the stored form call so.
    public static func setting(_ name: String) -> Setting<DirectorySettings>? {
        table.first { $0.key == name || $0.path == name }
    }

    private static let identity: Table = [
        .optionalText("title", \.title, limit: 256, default: "its name", "what people call the Directory"),
        .optionalText("partOf", \.partOf, limit: 63, default: "none", "the Directory that this one is a part of"),
        .optionalText(
            "attributesText", \.attributesText, limit: 1 << 20, default: "none",
            "what a dialect keeps of the Directory, as the text of a JSON object"),
        .optionalText(
            "siteURL", \.siteURL, key: "directory.siteUrl", default: "this server's account pages",
            "where the app lives; links lead there unless the request names an allowed place"),
        .list(
            "redirectAllowList", \.redirectAllowList, key: "directory.redirectAllowList", default: "none",
            "further places that links may lead to: URLs, or globs where * stops at . and /",
            risk: "a glob that matches a stranger's host hands them your users' sessions"),
        .optionalText(
            "issuer", \.issuer, key: "directory.issuer", default: "the server's URL", "the `iss` of tokens",
            risk: "changing it changes the issuer: tokens already issued are refused"),
        .optionalText(
            "audience", \.audience, key: "directory.audience", default: "the dialect's own",
            "the `aud` of access tokens", risk: "changing it has tokens already issued refused"),
        .list(
            "adminRoles", \.adminRoles, key: "directory.adminRoles",
            "roles whose tokens may use the administrative operations",
            risk: "whoever is given one of them administers the Directory"),
    ]

    private static let ways: Table = [
        .flag("signUp.enabled", \.signUp.enabled, key: "directory.signUp", "whether anybody may sign up"),
        .flag("signUp.emailEnabled", \.signUp.emailEnabled, key: "directory.email", "sign-in with email addresses"),
        .flag(
            "signUp.emailLinkEnabled", \.signUp.emailLinkEnabled, key: "directory.emailLink",
            "sign-in by a mailed link or code alone, where directory.email allows addresses"),
        .flag(
            "signUp.concealsEmails", \.signUp.concealsEmails, key: "directory.concealsEmails",
            "whether nobody is told which addresses have accounts, in dialects whose platform lets that be chosen",
            risk: "off, anybody finds out which addresses have accounts, and whether by a password"),
        .flag("signUp.phoneEnabled", \.signUp.phoneEnabled, key: "directory.phone", "sign-in with phone numbers"),
        .flag(
            "signUp.anonymousEnabled", \.signUp.anonymousEnabled, key: "directory.anonymous", "anonymous sign-in",
            risk: "every visit can become a user"),
        .flag(
            "signUp.caseSensitiveNames", \.signUp.caseSensitiveNames, key: "directory.caseSensitiveNames",
            "whether user names that differ in case alone are two names",
            risk: "settle it before there are users: those there are keep the names that they were found by"),
        .flag(
            "signUp.emailAutoConfirm", \.signUp.emailAutoConfirm, key: "directory.emailAutoConfirm",
            "whether addresses count as confirmed without a mail",
            risk: "anybody can sign up with anybody's address, and sign-up tells which addresses exist"),
        .flag(
            "signUp.phoneAutoConfirm", \.signUp.phoneAutoConfirm, key: "directory.phoneAutoConfirm",
            "whether numbers count as confirmed without a message",
            risk: "anybody can sign up with anybody's number, and sign-up tells which numbers exist"),
        .choice(
            "signUp.unverifiedSignIn", \.signUp.unverifiedSignIn, key: "directory.unverifiedSignIn",
            "whether a password opens a session before its address is confirmed: in no dialect, in all, or where the "
                + "dialect's vendor does",
            risk: "with allow, whoever comes first has the account until the address's owner proves it"),
        .flag(
            "signUp.uniqueEmails", \.signUp.uniqueEmails, key: "directory.uniqueEmails",
            "whether an address is proved by one user at most; off, several users who have names may",
            risk: "off, an address that several have proved signs none of them in"),
        .flag(
            "signUp.uniquePhones", \.signUp.uniquePhones, key: "directory.uniquePhones",
            "whether a number is proved by one user at most; off, several users who are named otherwise may",
            risk: "off, a number that several have proved signs none of them in"),
    ]

    private static let passwords: Table = [
        .whole(
            "password.minimumLength", \.password.minimumLength, in: 6...128, key: "directory.password.minimumLength",
            "code points; NIST advises 15 where the password is the only factor"),
        .list(
            "password.requiredCharacters", \.password.requiredCharacters, key: "directory.password.requiredCharacters",
            default: "lower, upper, digits", "sets of characters, one of each of which is required"),
        .flag(
            "password.blocklist", \.password.blocklist, key: "directory.password.blocklist",
            "whether common passwords are refused", risk: "off, the first guess of an attacker may be right"),
        .flag(
            "password.changeNeedsReauthentication", \.password.changeNeedsReauthentication,
            key: "directory.password.changeNeedsReauthentication",
            "whether a session older than a day needs a mailed code or the password to set a new one"),
        .flag(
            "password.changeNeedsCurrentPassword", \.password.changeNeedsCurrentPassword,
            key: "directory.password.changeNeedsCurrentPassword", "whether a password change needs the current one"),
        .flag(
            "password.srpEnabled", \.password.srpEnabled, key: "directory.srp",
            "sign-in by the Secure Remote Password protocol, which keeps a verifier beside each password's hash",
            risk: "a verifier costs one SHA-256 a guess: whoever steals the database guesses faster"),
        .whole(
            "password.temporaryLifetimeDays", \.password.temporaryLifetimeDays, in: 0...3650,
            key: "directory.password.temporaryLifetimeDays",
            "days for which a password that an administrator gave can be replaced by the user's own; 0 for no limit",
            risk: "a password that somebody else knows works for longer"),
    ]

    private static let sessionTerms: Table = [
        .whole(
            "sessions.accessTokenLifetime", \.sessions.accessTokenLifetime, in: 1...604_800,
            key: "directory.accessTokenLifetime", "seconds",
            risk: "a revoked session's token works elsewhere until it expires"),
        .whole(
            "sessions.reuseInterval", \.sessions.reuseInterval, in: 0...3600, key: "directory.refreshReuseInterval",
            "seconds in which racing callers may present an older refresh token"),
        .flag(
            "sessions.rotationEnabled", \.sessions.rotationEnabled, key: "directory.refreshRotation",
            "whether each refresh gives a new refresh token", risk: "off, a stolen token is never noticed"),
        .whole(
            "sessions.timebox", \.sessions.timebox, in: 0...315_360_000, key: "directory.sessionTimebox",
            "the longest a session lasts in seconds; 0 for no limit"),
        .whole(
            "sessions.inactivityTimeout", \.sessions.inactivityTimeout, in: 0...315_360_000,
            key: "directory.sessionInactivity", "the longest a session rests unused in seconds; 0 for no limit"),
        .flag(
            "sessions.singlePerUser", \.sessions.singlePerUser, key: "directory.singleSession",
            "whether a sign-in ends the user's other sessions"),
        .flag(
            "sessions.requiresProofNonces", \.sessions.requiresProofNonces, key: "directory.dpopNonces",
            "whether a DPoP proof must have a nonce of this server's, so that none can be made ahead of time; off, those "
                + "that clients send are judged all the same"),
        .flag(
            "sessions.newDeviceMail", \.sessions.newDeviceMail, key: "directory.newDeviceMail",
            "whether the owner is told by mail of a sign-in from a device that the account was never used on"),
    ]

    private static let metadataRange =
        Int64(MetadataLimit.range.lowerBound)...Int64(MetadataLimit.range.upperBound)

    private static let keeping: Table = [
        .size(
            "rsaKeyBits", \.rsaKeyBits, key: "directory.rsaKeyBits",
            "the size of the RSA keys that are made from now on; rotate twice to be rid of others",
            risk: "3072 makes an RS256 signature up to 8 times dearer, 4096 up to 17 times: see docs/performance.md"),
        .whole(
            "metadataLimit", \.metadataLimit, in: metadataRange, key: "directory.metadataLimit",
            "bytes of JSON that each object may have which is kept of a user",
            risk: "tokens carry the metadata: large ones do not fit into headers"),
        .whole(
            "deletionGraceDays", \.deletionGraceDays, in: 0...3650, key: "directory.deletionGraceDays",
            "days between a user's soft deletion and the purge of what is left of them",
            risk: "at 0 what was deleted by mistake is gone with the next purge"),
    ]
}
