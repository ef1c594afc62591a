// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Mail

/// What a flow is told of the call it serves. A dialect makes one from each request.
public struct CallContext: Sendable {
    public var directory: Directory
    public var now: Instant
    /// Where the call came from; its address is already truncated.
    public var device: DeviceMetadata
    /// What limits count the caller by: the client's address, or the part of it that one subscriber has. Never kept.
    /// `nil` for a caller who can't be told from others, behind a gateway that does not say who calls: counted as one
    /// client, the first of them would take the limit from all.
    public var origin: String? = "unknown"
    public var language: MessageLanguage
    /// How this dialect spells the links that its messages carry.
    public var links: any VerificationLinks
    /// Who is calling, for the audit log.
    public var actor: AuditEvent.Actor
    /// The dialect that the call came in, whose place in ``User/dialectData`` it writes, and whose refresh tokens it
    /// takes and gives; `nil` for a caller that does neither.
    public var dialect: DialectName?
    /// The dialect whose place of a user the call's attributes are for, where that is another than ``dialect``: that of
    /// an ``AccountSchema`` by whose form they were asked.
    public var attributePlace: DialectName?
    /// How many characters the identifiers have that the call's dialect gives the users it makes; `nil` where they are
    /// called by our own.
    public var identifierLength: Int?
    /// The registered client that the call comes through, in dialects that have such.
    public var client: Client?
    /// What must be confirmed before a password opens a session, as the dialect's vendor has it; the Directory may say
    /// otherwise: see ``DirectorySettings/SignUp/unverifiedSignIn``.
    public var confirmation = SignInConfirmation.address
    /// Whether the refresh tokens of sessions opened by this call rotate; `nil` takes the client's setting, and without
    /// a client the Directory's.
    public var rotates: Bool?
    /// For how long a step of a sign-in waits for the user, where the client has no setting of its own; `nil` for the
    /// time that a program needs.
    public var stepLifetime: TimeSpan?
    /// When the dialect's clients are asked for a second factor.
    public var factorPolicy = FactorPolicy.beforeSession
    /// Whether the dialect's clients keep a secret for the device that they are on, where the Directory tracks devices.
    public var tracksDevices = false
    /// The device that the caller says it is on. Proves nothing: who says so is asked for its secret.
    public var namedDevice: RememberedDeviceID?
    /// What the dialect's clients know of its codes and messages, where the Directory says nothing else.
    public var habits = MessageHabits()
    /// What the dialect shows of whoever signs in or refreshes.
    public var shows = ShownParts.all
    /// The versions of terms that the user was shown and agrees to with this call.
    public var agreedTerms: [TermsReference] = []
    /// What the client says to the operator's programs.
    public var notes = ProgramNotes()

    public init(
        directory: Directory, now: Instant, device: DeviceMetadata, language: MessageLanguage,
        links: any VerificationLinks, actor: AuditEvent.Actor = .unknown,
        dialect: DialectName? = nil, client: Client? = nil, rotates: Bool? = nil
    ) {
        self.directory = directory
        self.now = now
        self.device = device
        self.language = language
        self.links = links
        self.actor = actor
        self.dialect = dialect
        self.client = client
        self.rotates = rotates
    }

    public var settings: DirectorySettings { directory.settings }

    /// What the call's dialect calls a user whom it makes, beside our own identifier.
    func newIdentifiers(by random: any RandomSource) throws(AuthError) -> ExternalIdentifiers {
        guard let dialect, let identifierLength else { return ExternalIdentifiers() }
        let identifier = try ExternalIdentifier(random.letters(identifierLength, ofBothCases: true))
        return ExternalIdentifiers(identifier, in: dialect)
    }

    /// Refuses a way of signing in that the client was not registered for. Without a client each is allowed.
    ///
    /// - Throws: ``AuthErrorCode/flowNotAllowed``.
    public func requireFlow(_ flow: ClientFlow) throws(AuthError) {
        guard client?.settings.flows.contains(flow) ?? true else { throw AuthError(.flowNotAllowed) }
    }
}

/// What the clients of a dialect know of the codes and messages that they ask for.
public struct MessageHabits: Sendable {
    /// For how long a code works that confirms something.
    public var codeLifetime = TimeSpan.minutes(10)
    /// For how long nobody is sent the same once more.
    public var resendInterval = TimeSpan.minutes(1)
    /// Whether who asks for one message too many is told so, whoever they ask it for. Otherwise they are answered as if
    /// it had been sent.
    public var tellsLimits = false

    public init() {}
}

extension CallContext {
    /// For how long the link of this purpose works.
    func linkLifetime(_ purpose: OneTimeToken.Purpose) -> TimeSpan {
        purpose.linkLifetime(settings, usual: habits.codeLifetime)
    }

    /// For how long the code of this purpose works.
    func codeLifetime(_ purpose: OneTimeToken.Purpose) -> TimeSpan {
        purpose.codeLifetime(settings, usual: habits.codeLifetime)
    }

    /// For how long nobody is sent the same once more.
    var resendInterval: TimeSpan {
        settings.oneTime.resendInterval.map { .seconds(Int64($0)) } ?? habits.resendInterval
    }
}

/// Spells the link that a message carries. Built from configured URLs only, never from a request's headers
/// (a forged `Host` would send the user's token to a stranger).
public protocol VerificationLinks: Sendable {
    /// - Parameters:
    ///   - token: The link's secret.
    ///   - redirectTo: Where to go afterwards; already checked against the Directory's allow-list, or ``home(of:)``.
    func link(for purpose: OneTimeToken.Purpose, token: String, redirectTo: String, in directory: Directory) -> String
    /// The same for an app that takes its links itself: what its query says to the app's own library, which hands the
    /// proof over. `nil` where no library of this dialect's does.
    ///
    /// - Parameters:
    ///   - address: what the operator has put before the query.
    ///   - token: The link's secret, for dialects that call it so.
    ///   - tokenHash: What such a library hands over in place of it: see ``IssuedProof/tokenHash``.
    func appLink(
        _ address: String, for purpose: OneTimeToken.Purpose, token: String, tokenHash: String, redirectTo: String,
        in directory: Directory
    ) -> String?
    /// Where people are led whose app has named no place of its own: the Directory's account pages. Empty where the
    /// caller knows of none, who then sends no links.
    func home(of directory: Directory) -> String
    /// Whether the place to go afterwards keeps its fragment. Not where this dialect puts tokens there.
    var keepsFragment: Bool { get }
}

extension VerificationLinks {
    public var keepsFragment: Bool { false }
    public func appLink(
        _: String, for _: OneTimeToken.Purpose, token _: String, tokenHash _: String, redirectTo _: String,
        in _: Directory
    ) -> String? { nil }
    public func home(of _: Directory) -> String { "" }
}
