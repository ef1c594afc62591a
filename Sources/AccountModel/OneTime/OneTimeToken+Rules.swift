// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

extension OneTimeToken.Purpose {
    /// For how long the link of this purpose works; for as long as its code where there is hardly a link.
    package func linkLifetime(_ settings: DirectorySettings, usual: TimeSpan) -> TimeSpan {
        switch self {
        case .signUpConfirmation, .emailChangeCurrent, .emailChangeNew:
            .seconds(settings.oneTime.confirmationLifetime)
        case .invitation: .seconds(settings.oneTime.invitationLifetime)
        case .magicLink, .recovery, .unlock, .export: .seconds(settings.oneTime.recoveryLifetime)
        case .phoneSignIn, .phoneChange, .reauthentication: codeTerm(settings.oneTime, usual: usual)
        // For as long as there is something to stop.
        case .factorRecoveryStop: .seconds(settings.factors.recoveryWait + settings.factors.recoveryWindow)
        }
    }

    /// For how long the code of this purpose works: never for longer than its link, and where it signs somebody in for
    /// ten minutes at most (NIST SP 800-63B, section 3.1.3.2).
    ///
    /// - Parameter usual: where the Directory does not say.
    package func codeLifetime(_ settings: DirectorySettings, usual: TimeSpan) -> TimeSpan {
        min(codeTerm(settings.oneTime, usual: usual), linkLifetime(settings, usual: usual))
    }

    private func codeTerm(_ settings: DirectorySettings.OneTime, usual: TimeSpan) -> TimeSpan {
        let term = settings.codeLifetime.map { TimeSpan.seconds(Int64($0)) } ?? usual
        return switch self {
        case .magicLink, .phoneSignIn, .reauthentication: min(term, .minutes(10))
        case .signUpConfirmation, .invitation, .recovery, .unlock, .export, .emailChangeCurrent, .emailChangeNew,
            .phoneChange, .factorRecoveryStop:
            term
        }
    }

    /// What the Directory's settings call the message with this proof, such as in
    /// ``DirectorySettings/MailSettings/paths``.
    public var messageName: String {
        switch self {
        case .signUpConfirmation: "confirmation"
        case .invitation: "invite"
        case .magicLink: "magic_link"
        case .recovery: "recovery"
        case .unlock: "account_locked"
        case .export: "account_export"
        case .emailChangeCurrent, .emailChangeNew: "email_change"
        case .reauthentication: "reauthentication"
        case .phoneSignIn, .phoneChange: "sms"
        case .factorRecoveryStop: "factor_recovery_begun"
        }
    }

    /// Whether its link leads to a page of this server's, whatever the app: no app has a place for it, and it signs
    /// nobody in.
    public var opensOwnPage: Bool { [.unlock, .export, .factorRecoveryStop].contains(self) }

    /// Whether its user is signed in by it, or goes on under what it proves, at their own wish.
    package var signsIn: Bool {
        switch self {
        case .signUpConfirmation, .magicLink, .recovery, .emailChangeNew, .phoneSignIn, .phoneChange: true
        case .invitation, .unlock, .export, .emailChangeCurrent, .reauthentication, .factorRecoveryStop: false
        }
    }

    /// How a session that begins with this proof was authenticated.
    package var method: AuthenticationMethod.Name {
        switch self {
        case .signUpConfirmation: .emailConfirmation
        case .invitation: .invitation
        case .magicLink: .magicLink
        case .recovery, .unlock, .export, .factorRecoveryStop: .recovery
        case .emailChangeCurrent, .emailChangeNew: .emailChange
        case .phoneSignIn, .phoneChange, .reauthentication: .oneTimeCode
        }
    }
}

extension OneTimeToken {
    /// Octets of a link's token and of what it follows from: 224 bits.
    package static let linkTokenLength = 28

    /// The link's token that follows from a token hash, by a one-way function.
    package static func linkToken(of tokenHash: String) -> String {
        Hex.encode(Array(SHA256.hash(data: Array("link token\u{0}\(tokenHash)".utf8)).prefix(linkTokenLength)))
    }

    /// SHA-256 of a link's token, which is random enough to need no key.
    package static func hash(link token: String) -> [UInt8] { Array(SHA256.hash(data: Array(token.utf8))) }

    /// HMAC of a code under the Directory's token key. A code has few digits, so its bare hash would be its text;
    /// bound to user and purpose, it is worth nothing elsewhere.
    package static func hash(code: String, of user: UserID, purpose: Purpose, under key: Secret<[UInt8]>) -> [UInt8] {
        let input = "one-time code\u{0}\(purpose.rawValue)\u{0}\(user.rawValue)\u{0}\(code)"
        let mac = HMAC<SHA256>.authenticationCode(for: Array(input.utf8), using: SymmetricKey(data: key.reveal()))
        return Array(mac)
    }
}
