// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension DirectorySettings {
    /// Links, codes, and what may be changed by them.
    static let proofs: Table = [
        .choice(
            "oneTime.linkConfirms", \.oneTime.linkConfirms, key: "directory.linkConfirms",
            "page: a mailed link opens a page with a button; get: it takes effect at once",
            risk: "with get, a mail system that opens links confirms sign-ups that nobody meant"),
        .whole(
            "oneTime.codeLength", \.oneTime.codeLength, in: 6...10, key: "directory.codeLength", "digits of a code"),
        .optionalWhole(
            "oneTime.codeLifetime", \.oneTime.codeLifetime, in: 1...600, key: "directory.codeLifetime",
            default: "600, or what the vendor's own apps expect of a dialect", "seconds that a code works"),
        .whole(
            "oneTime.confirmationLifetime", \.oneTime.confirmationLifetime, in: 1...604_800,
            key: "directory.confirmationLifetime", "seconds that a confirmation link works"),
        .whole(
            "oneTime.recoveryLifetime", \.oneTime.recoveryLifetime, in: 1...86_400, key: "directory.recoveryLifetime",
            "seconds that a link works which sets a new password",
            risk: "who reads the mailbox later can still take the account"),
        .whole(
            "oneTime.invitationLifetime", \.oneTime.invitationLifetime, in: 1...7_776_000,
            key: "directory.invitationLifetime", "seconds that an invitation works"),
        .whole(
            "oneTime.maximumAttempts", \.oneTime.maximumAttempts, in: 1...100, key: "directory.codeAttempts",
            "wrong codes after which the code is dead", risk: "each is a guess at a code of six digits"),
        .whole(
            "oneTime.authorizationCodeLifetime", \.oneTime.authorizationCodeLifetime, in: 1...600,
            key: "directory.authorizationCodeLifetime", "seconds in which an authorization code is exchanged"),
        .optionalWhole(
            "oneTime.resendInterval", \.oneTime.resendInterval, in: 0...604_800, key: "directory.resendInterval",
            default: "60, or what the vendor's own apps expect of a dialect",
            "the shortest time between two messages to one address, in seconds"),
        .texts(
            "oneTime.testCodes", \.oneTime.testCodes, limit: 16,
            "codes by the digits of numbers that no message is sent to: for tests",
            risk: "whoever knows such a number and its code signs in as whoever has it"),
        .whole(
            "oneTime.testCodesEnd", \.oneTime.testCodesEnd, in: 0...253_402_300_799, key: "directory.testCodesEnd",
            "when oneTime.testCodes cease to hold, in seconds since 1970; 0 for never",
            risk: "at 0 codes that were meant for a test work for good"),
        .flag(
            "oneTime.secureEmailChange", \.oneTime.secureEmailChange, key: "directory.secureEmailChange",
            "whether both addresses confirm a change"),
        .flag(
            "oneTime.addressChangeNeedsReauthentication", \.oneTime.addressChangeNeedsReauthentication,
            key: "directory.addressChangeNeedsReauthentication",
            "whether a session older than an hour needs a code or the password to change address or number",
            risk: "off, a stolen token becomes lasting access by an address or a number of the thief's"),
    ]

    static let mails: Table = [
        .text(
            "mail.siteName", \.mail.siteName, limit: 256, key: "directory.siteName",
            "the name that mails and pages call the app"),
        .texts("mail.subjects", \.mail.subjects, "subjects of mails by kind, in place of the built-in ones"),
        .texts("mail.bodies", \.mail.bodies, limit: 256 << 10, "HTML bodies of mails by kind"),
        .texts(
            "mail.paths", \.mail.paths, "paths of the links in mails by kind",
            risk: "a path that no dialect serves makes links that lead nowhere"),
        .texts("mail.texts", \.mail.texts, "text messages by kind, in place of the built-in ones"),
        .texts(
            "mail.appLinks", \.mail.appLinks,
            "where the links in mails lead straight into an app, by kind: scheme://place, to which the proof is added",
            risk: "whatever app opens a scheme of its own is given the proof; an https link that the app has claimed "
                + "(App Links, universal links) is nobody else's"),
    ]

    /// How often something may be done: a count, and the seconds it is in.
    static let rates: Table = described.flatMap { rate($0.name, $0.limit, $0.what) }

    private typealias DescribedRate = (name: String, limit: any WritableKeyPath<Limits, Rate> & Sendable, what: String)

    private static let described: [DescribedRate] = [
        ("mailSent", \.mailSent, "all mail, half of it for proven addresses"),
        ("messagesSent", \.messagesSent, "all text messages, half of them for proven numbers"),
        (
            "messagesPerRecipient", \.messagesPerRecipient,
            "messages of one kind with a proof to one recipient, until one is answered; of changes and factors that "
                + "accounts wish for, by one account and by one client"
        ),
        ("verify", \.verify, "codes and links given back by one client"),
        ("tokenRefresh", \.tokenRefresh, "refreshes of one client"),
        ("signIn", \.signIn, "sign-ins of one client"),
        ("signUp", \.signUp, "sign-ups of one client"),
        ("clientRegistration", \.clientRegistration, "clients that register themselves from one address"),
        ("providerEvents", \.providerEvents, "events of identity providers, from one address"),
        ("anonymous", \.anonymous, "anonymous sign-ups of one client"),
        ("oneTimeToken", \.oneTimeToken, "requests for messages of one client"),
        ("signInPerIdentifier", \.signInPerIdentifier, "wrong passwords of one client at one account"),
        ("signInPerAccount", \.signInPerAccount, "wrong passwords at one account from networks it was never used in"),
    ]

    private static func rate(
        _ name: String, _ limit: any WritableKeyPath<Limits, Rate> & Sendable, _ what: String
    ) -> Table {
        let count = SettingForm.whole(0...1_000_000_000)
        let seconds = SettingForm.whole(1...31_536_000)
        return [
            Setting(
                "limits.\(name).count", count, key: "directory.limits.\(name)", default: nil,
                "how many in the seconds of directory.limits.\(name)Seconds: \(what)",
                risk: "high values let guessing and flooding through"
            ) {
                .integer(Int64($0.limits[keyPath: limit].count))
            } write: { settings, value throws(AuthError) in
                guard let count = value.integerValue.flatMap({ Int(exactly: $0) }) else { return false }
                settings.limits[keyPath: limit].count = count
                return true
            },
            Setting(
                "limits.\(name).seconds", seconds, key: "directory.limits.\(name)Seconds", default: nil,
                "the seconds of directory.limits.\(name)", risk: "few of them let guessing and flooding through"
            ) {
                .integer($0.limits[keyPath: limit].seconds)
            } write: { settings, value throws(AuthError) in
                guard let seconds = value.integerValue else { return false }
                settings.limits[keyPath: limit].seconds = seconds
                return true
            },
        ]
    }
}
