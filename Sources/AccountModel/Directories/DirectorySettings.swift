// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// The policies of one Directory. Every value has a safe default; lengths of time are in whole seconds.
///
/// A setting is added here and in ``table``, from which its stored form, configuration key, checks and documentation
/// are made.
public struct DirectorySettings: Sendable, Equatable {
    /// What people call the Directory; unlike its name it may be anything.
    public var title: String?
    /// The name of the Directory that this one is a part of, where a dialect divides one into several.
    public var partOf: String?
    /// ``attributes``, as the text of a JSON object: numbers must come back as they are.
    var attributesText: String?
    /// Where the app lives: links in mail lead there when the request names no allowed place, and to this server's own
    /// pages where this is `nil`. Never taken from a request's headers.
    public var siteURL: String?
    /// Further places that a link may lead to: exact URLs, or globs in which `*` stops at `.` and `/`, and `**` at
    /// nothing.
    public var redirectAllowList: [String] = []
    /// The `iss` of tokens when it is not the server's own URL.
    public var issuer: String?
    /// The `aud` of access tokens when it is not the dialect's own default.
    public var audience: String?
    /// Roles whose tokens may use the administrative operations.
    public var adminRoles: [String] = ["service_role"]

    public var signUp = SignUp()
    public var password = Password()
    public var lockout = LockoutSettings()
    public var sessions = Sessions()
    public var oneTime = OneTime()
    public var factors = Factors()
    public var passkeys = Passkeys()
    public var devices = Devices()
    public var oauthServer = OAuthServer()
    public var federation = Federation()
    public var mail = MailSettings()
    public var pages = Pages()
    public var limits = Limits()
    /// Of the RSA keys that are made from now on; those there are stay until they are rotated away.
    public var rsaKeyBits = RSAKeySize.bits2048
    /// Bytes of JSON that each object which is kept of a user may have: see ``MetadataLimit``.
    public var metadataLimit = 64 << 10
    public var deletion = Deletion()
    /// Days between a user's soft deletion and the purge of what is left of them.
    public var deletionGraceDays: Int64 = 30

    public init() {}

    /// What a dialect keeps of a Directory and the domain does not read.
    public var attributes: JSONObject {
        get { attributesText.flatMap { try? JSONObject(parsing: Array($0.utf8)) } ?? [:] }
        set { attributesText = newValue.isEmpty ? nil : JSONValue.object(newValue).text }
    }

    public struct SignUp: Sendable, Equatable {
        public var enabled = true
        public var emailEnabled = true
        /// Whether a mailed link, or the code beside it, is enough to sign in. Needs ``emailEnabled`` as well.
        public var emailLinkEnabled = true
        /// Whether a dialect whose clients may ask which addresses have accounts, and how those sign in, does not say.
        public var concealsEmails = true
        public var phoneEnabled = true
        public var anonymousEnabled = false
        /// Whether user names that differ in case alone are two names. Settled when the Directory is made: the keys of
        /// the names in it are made by it.
        public var caseSensitiveNames = false
        public var emailAutoConfirm = false
        public var phoneAutoConfirm = false
        public var unverifiedSignIn = UnverifiedSignIn.dialect
        /// Whether an address is proved by one user at most. Off, several may, and it then names none of those who
        /// share it: see ``AddressHolders``.
        public var uniqueEmails = true
        /// The same of numbers.
        public var uniquePhones = true
        public init() {}
    }

    /// Whether a password opens a session before what it signs in by is confirmed.
    public enum UnverifiedSignIn: String, Sendable, CaseIterable {
        /// In no dialect.
        case refuse
        /// In every dialect.
        case allow
        /// In those whose vendor does.
        case dialect
    }

    public struct Password: Sendable, Equatable {
        public var minimumLength = 8
        /// One character of each of these sets is required.
        public var requiredCharacters = [
            "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789",
        ]
        /// Whether common and breached passwords are refused.
        public var blocklist = true
        /// Whether a password change needs a fresh session or a code sent by mail.
        public var changeNeedsReauthentication = true
        /// Whether a password change needs the current password.
        public var changeNeedsCurrentPassword = false
        /// Whether users may sign in by the Secure Remote Password protocol; a verifier is then kept beside the hash.
        public var srpEnabled = false
        /// Days for which a password set by an administrator can be replaced by the user's own; 0 for no limit.
        public var temporaryLifetimeDays: Int64 = 7
        public init() {}
    }

    public struct Sessions: Sendable, Equatable {
        public var accessTokenLifetime: Int64 = 3600
        /// For how long after its use a refresh token may be presented again, whatever its age in the chain.
        /// The parent of the live token may always be: see ``RefreshTokenFamily``.
        public var reuseInterval: Int64 = 10
        public var rotationEnabled = true
        /// The longest a session may last; 0 for no limit.
        public var timebox: Int64 = 90 * 86_400
        /// The longest a session may rest unused; 0 for no limit.
        public var inactivityTimeout: Int64 = 30 * 86_400
        /// Whether a new sign-in ends the user's other sessions.
        public var singlePerUser = false
        /// Whether a proof of a key (RFC 9449) must have a nonce that was given out not long ago.
        public var requiresProofNonces = false
        /// Whether the owner is told by mail of a sign-in from a device that the account was never used on.
        public var newDeviceMail = false
        public init() {}
    }

    /// What a mailed link does when it is opened.
    public enum LinkConfirmation: String, Sendable, CaseIterable {
        /// It shows a page, whose button does what the link is for.
        case page
        /// It does it at once, as the vendors' do: also when a mail system's scanner fetches it.
        case get
    }

    public struct OneTime: Sendable, Equatable {
        public var linkConfirms = LinkConfirmation.page
        public var codeLength = 6
        /// Codes that are typed by hand; `nil` for what the dialect's clients know. Those that authenticate work for at
        /// most ten minutes in any case (NIST SP 800-63B, section 3.1.3.2).
        public var codeLifetime: Int?
        /// Links that confirm an address the user has just given.
        public var confirmationLifetime: Int64 = 86_400
        public var recoveryLifetime: Int64 = 3600
        public var invitationLifetime: Int64 = 7 * 86_400
        /// Wrong codes after which the code is dead.
        public var maximumAttempts = 5
        /// Authorization codes of the PKCE flow. RFC 6749, section 4.1.2: at most ten minutes.
        public var authorizationCodeLifetime: Int64 = 300
        /// The shortest time between two messages to one address; `nil` for what the dialect's clients know.
        public var resendInterval: Int?
        /// Numbers, by their digits, for which no message is sent: the code of each is always this one. For tests.
        public var testCodes: [String: String] = [:]
        /// When ``testCodes`` cease to hold, in seconds since 1970; 0 for never.
        public var testCodesEnd: Int64 = 0
        /// Whether a change of address must be confirmed at the old and at the new one.
        public var secureEmailChange = true
        /// Whether a new address or number needs a fresh session, a code sent to the present one, or the password. Not
        /// asked where the present address itself confirms the change.
        public var addressChangeNeedsReauthentication = true
        public init() {}

        /// The code of a number that is there for tests.
        package func testCode(for number: PhoneNumber, at now: Instant) -> String? {
            testCodesEnd == 0 || now < Instant(seconds: testCodesEnd) ? testCodes[number.digits] : nil
        }
    }

    public struct MailSettings: Sendable, Equatable {
        /// The name of the app or service, as mails and pages call it.
        public var siteName = "Latchkey"
        /// Operator's templates by mail kind: subject and HTML body.
        public var subjects: [String: String] = [:]
        public var bodies: [String: String] = [:]
        /// Path of the verification link by mail kind, when it is not the dialect's own.
        public var paths: [String: String] = [:]
        /// Text messages by kind.
        public var texts: [String: String] = [:]
        /// Where a link leads straight into an app, by mail kind: what stands before its query.
        public var appLinks: [String: String] = [:]
        public init() {}
    }

    /// How often something may be done in how many seconds.
    public struct Rate: Sendable, Equatable {
        public var count: Int
        public var seconds: Int64
        public init(count: Int, seconds: Int64) {
            self.count = count
            self.seconds = seconds
        }
    }

    public struct Limits: Sendable, Equatable {
        /// Mails that the Directory sends in all. Half of them are kept for people who have proved to be reached.
        public var mailSent = Rate(count: 360, seconds: 3600)
        /// The same for text messages.
        public var messagesSent = Rate(count: 30, seconds: 3600)
        /// Messages with a proof to one address or number, until one is answered: of everybody's together, but what
        /// accounts wish for is counted by account and by client.
        public var messagesPerRecipient = Rate(count: 6, seconds: 3600)
        /// Per client address.
        public var verify = Rate(count: 30, seconds: 300)
        public var tokenRefresh = Rate(count: 150, seconds: 300)
        public var signIn = Rate(count: 60, seconds: 300)
        public var signUp = Rate(count: 30, seconds: 300)
        /// Clients that register themselves (RFC 7591).
        public var clientRegistration = Rate(count: 10, seconds: 300)
        /// What identity providers say of their users of their own accord: they do so in bursts, from a few addresses.
        public var providerEvents = Rate(count: 600, seconds: 300)
        public var anonymous = Rate(count: 30, seconds: 3600)
        public var oneTimeToken = Rate(count: 30, seconds: 300)
        /// Wrong passwords of one client at one account, by whatever it is named.
        public var signInPerIdentifier = Rate(count: 20, seconds: 900)
        /// Wrong passwords at one account from all clients together. From then on only those in networks that the
        /// account was used from are heard.
        public var signInPerAccount = Rate(count: 100, seconds: 3600)
        public init() {}
    }
}
