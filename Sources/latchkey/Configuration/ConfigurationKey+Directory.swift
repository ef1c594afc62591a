// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import JOSE

extension ConfigurationKey {
    private typealias Settings = DirectorySettings

    private static func whole(
        _ range: ClosedRange<Int>, _ change: @escaping @Sendable (inout DirectorySettings, Int) -> Void
    ) -> Kind {
        .whole(range) { configuration, value in configuration.directoryChanges.append { change(&$0, value) } }
    }

    private static func flag(_ change: @escaping @Sendable (inout DirectorySettings, Bool) -> Void) -> Kind {
        .flag { configuration, value in configuration.directoryChanges.append { change(&$0, value) } }
    }

    private static func text(_ change: @escaping @Sendable (inout DirectorySettings, String) -> Void) -> Kind {
        .text { configuration, value in configuration.directoryChanges.append { change(&$0, value) } }
    }

    private static func list(_ change: @escaping @Sendable (inout DirectorySettings, [String]) -> Void) -> Kind {
        .list { configuration, value in configuration.directoryChanges.append { change(&$0, value) } }
    }

    /// The settings of the default Directory. Other Directories have theirs by `latchkey directory update`.
    static let directory: [ConfigurationKey] =
        [
            ConfigurationKey(
                "directory.siteUrl", text { $0.siteURL = $1 }, default: "http://localhost:3000",
                "where the app lives; links lead there unless the request names an allowed place"),
            ConfigurationKey(
                "directory.redirectAllowList", list { $0.redirectAllowList = $1 }, default: "none",
                "further places that links may lead to: URLs, or globs where * stops at . and /",
                risk: "a glob that matches a stranger's host hands them your users' sessions"),
            ConfigurationKey(
                "directory.siteName", text { $0.mail.siteName = $1 }, default: "Latchkey",
                "the name that mails call the app"),
            ConfigurationKey(
                "directory.signUp", flag { $0.signUp.enabled = $1 }, default: "true", "whether anybody may sign up"),
            ConfigurationKey(
                "directory.email", flag { $0.signUp.emailEnabled = $1 }, default: "true", "sign-in with email addresses"
            ),
            ConfigurationKey(
                "directory.phone", flag { $0.signUp.phoneEnabled = $1 }, default: "true", "sign-in with phone numbers"),
            ConfigurationKey(
                "directory.anonymous", flag { $0.signUp.anonymousEnabled = $1 }, default: "false", "anonymous sign-in",
                risk: "every visit can become a user"),
            ConfigurationKey(
                "directory.emailAutoConfirm", flag { $0.signUp.emailAutoConfirm = $1 }, default: "false",
                "whether addresses count as confirmed without a mail",
                risk: "anybody can sign up with anybody's address, and sign-up tells which addresses exist"),
            ConfigurationKey(
                "directory.phoneAutoConfirm", flag { $0.signUp.phoneAutoConfirm = $1 }, default: "false",
                "whether numbers count as confirmed without a message", risk: "as above"),
            ConfigurationKey(
                "directory.srp", flag { $0.password.srpEnabled = $1 }, default: "false",
                "sign-in by the Secure Remote Password protocol, which keeps a verifier beside each password's hash",
                risk: "a verifier costs one SHA-256 a guess: whoever steals the database guesses faster"),
            ConfigurationKey(
                "directory.allowUnverifiedSignIn", flag { $0.signUp.allowUnverifiedSignIn = $1 }, default: "false",
                "whether a password signs in before its address is confirmed",
                risk: "whoever comes first has the account, until the address's owner recovers it"),
            ConfigurationKey(
                "directory.password.minimumLength", whole(6...128) { $0.password.minimumLength = $1 }, default: "8",
                "code points; NIST advises 15 where the password is the only factor"),
            ConfigurationKey(
                "directory.password.requiredCharacters", list { $0.password.requiredCharacters = $1 },
                default: "lower, upper, digits", "sets of characters, one of each of which is required"),
            ConfigurationKey(
                "directory.password.blocklist", flag { $0.password.blocklist = $1 }, default: "true",
                "whether common passwords are refused", risk: "off, the first guess of an attacker may be right"),
            ConfigurationKey(
                "directory.password.changeNeedsReauthentication", flag { $0.password.changeNeedsReauthentication = $1 },
                default: "true",
                "whether a session older than a day needs a mailed code or the password to set a new one"),
            ConfigurationKey(
                "directory.password.changeNeedsCurrentPassword", flag { $0.password.changeNeedsCurrentPassword = $1 },
                default: "false", "whether a password change needs the current one"),
            ConfigurationKey(
                "directory.accessTokenLifetime", whole(60...86_400) { $0.sessions.accessTokenLifetime = Int64($1) },
                default: "3600", "seconds", risk: "a revoked session's token works elsewhere until it expires"),
            ConfigurationKey(
                "directory.refreshReuseInterval", whole(0...3600) { $0.sessions.reuseInterval = Int64($1) },
                default: "10",
                "seconds in which racing callers may present an older refresh token"),
            ConfigurationKey(
                "directory.refreshRotation", flag { $0.sessions.rotationEnabled = $1 }, default: "true",
                "whether each refresh gives a new refresh token", risk: "off, a stolen token is never noticed"),
            ConfigurationKey(
                "directory.sessionTimebox", whole(0...315_360_000) { $0.sessions.timebox = Int64($1) },
                default: "7776000",
                "the longest a session lasts in seconds; 0 for no limit"),
            ConfigurationKey(
                "directory.sessionInactivity", whole(0...315_360_000) { $0.sessions.inactivityTimeout = Int64($1) },
                default: "2592000", "the longest a session rests unused in seconds; 0 for no limit"),
            ConfigurationKey(
                "directory.singleSession", flag { $0.sessions.singlePerUser = $1 }, default: "false",
                "whether a sign-in ends the user's other sessions"),
            ConfigurationKey(
                "directory.linkConfirms",
                .text { configuration, value in
                    guard let confirms = Settings.LinkConfirmation(rawValue: value) else {
                        throw AuthError(.invalidRequest, reason: "expected page or get")
                    }
                    configuration.directoryChanges.append { $0.oneTime.linkConfirms = confirms }
                }, default: "page", "page: a mailed link opens a page with a button; get: it takes effect at once",
                risk: "with get, a mail system that opens links confirms sign-ups that nobody meant"),
            ConfigurationKey(
                "directory.codeLifetime", whole(60...600) { $0.oneTime.codeLifetime = Int64($1) }, default: "600",
                "seconds that a code works"),
            ConfigurationKey(
                "directory.confirmationLifetime", whole(60...604_800) { $0.oneTime.confirmationLifetime = Int64($1) },
                default: "86400", "seconds that a confirmation link works"),
            ConfigurationKey(
                "directory.resendInterval", whole(0...3600) { $0.oneTime.resendInterval = Int64($1) }, default: "60",
                "the shortest time between two messages to one address"),
            ConfigurationKey(
                "directory.rsaKeyBits",
                .whole(2048...4096) { configuration, value in
                    guard let size = RSAKeySize(rawValue: value) else {
                        throw AuthError(.invalidRequest, reason: "expected 2048, 3072 or 4096")
                    }
                    configuration.directoryChanges.append { $0.rsaKeyBits = size }
                }, default: "2048",
                "the size of the RSA keys that are made from now on; rotate twice to be rid of others",
                risk: "3072 makes an RS256 signature up to 8 times dearer, 4096 up to 17 times: see docs/performance.md"
            ),
            ConfigurationKey(
                "directory.metadataLimit", whole(MetadataLimit.range) { $0.metadataLimit = $1 }, default: "65536",
                "bytes of JSON that each object may have which is kept of a user",
                risk: "tokens carry the metadata: large ones do not fit into headers"),
            ConfigurationKey(
                "directory.secureEmailChange", flag { $0.oneTime.secureEmailChange = $1 }, default: "true",
                "whether both addresses confirm a change"),
            ConfigurationKey(
                "directory.addressChangeNeedsReauthentication",
                flag { $0.oneTime.addressChangeNeedsReauthentication = $1 }, default: "true",
                "whether a session older than an hour needs a code or the password to change address or number",
                risk: "off, a stolen token becomes lasting access by an address or a number of the thief's"),
        ] + limits

    private static let limits: [ConfigurationKey] = [
        limit("mailSent", "3600 s, all mail, half of it for proven addresses", "360") { $0.limits.mailSent.count = $1 },
        limit("messagesSent", "3600 s, all text messages, half of them for proven numbers", "30") {
            $0.limits.messagesSent.count = $1
        },
        limit("messagesPerRecipient", "3600 s and recipient, until one is answered", "6") {
            $0.limits.messagesPerRecipient.count = $1
        },
        limit("verify", "300 s and client", "30") { $0.limits.verify.count = $1 },
        limit("tokenRefresh", "300 s and client", "150") { $0.limits.tokenRefresh.count = $1 },
        limit("signIn", "300 s and client", "60") { $0.limits.signIn.count = $1 },
        limit("signUp", "300 s and client", "30") { $0.limits.signUp.count = $1 },
        limit("anonymous", "3600 s and client", "30") { $0.limits.anonymous.count = $1 },
        limit("oneTimeToken", "300 s and client", "30") { $0.limits.oneTimeToken.count = $1 },
        limit("signInPerIdentifier", "900 s, client and account: wrong passwords", "20") {
            $0.limits.signInPerIdentifier.count = $1
        },
        limit("signInPerAccount", "3600 s and account: wrong passwords from networks it was never used in", "100") {
            $0.limits.signInPerAccount.count = $1
        },
    ]

    private static func limit(
        _ name: String, _ per: String, _ value: String,
        _ change: @escaping @Sendable (inout DirectorySettings, Int) -> Void
    ) -> ConfigurationKey {
        ConfigurationKey(
            "directory.limits." + name, whole(0...1_000_000_000, change), default: value, "how often in " + per,
            risk: "high values let guessing and flooding through")
    }
}
