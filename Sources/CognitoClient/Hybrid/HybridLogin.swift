// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A hybrid sign-in, as a session's tokens tell of it.
struct HybridLogin: Sendable {
    /// Made at the sign-in and kept through all refreshes: tells it from the next one of the same user.
    var signIn: String
    /// The provider's name for the user.
    var subject: String
    /// The provider's token by which credentials are had. It lives an hour.
    var token: Secret<String>

    static let signInName = "hybrid.signIn"

    init(signIn: String, subject: String, token: Secret<String>) {
        self.signIn = signIn
        self.subject = subject
        self.token = token
    }

    /// - Returns: `nil` for tokens of no hybrid sign-in.
    init?(of tokens: TokenSet) {
        let attachments = tokens.attachments.reveal()
        guard let subject = attachments["hybrid.providerSubject"] ?? attachments["providerSubject"],
            let token = attachments["hybrid.providerToken"].map({ Secret($0) }) ?? tokens.refreshToken
        else { return nil }
        self.init(signIn: attachments[Self.signInName] ?? "of \(subject)", subject: subject, token: token)
    }
}

/// Whose the kit and the credentials are. What comes late is judged by it: a sign-out of one sign-in empties nothing of
/// another's.
struct HybridMemory: Sendable {
    /// What the provider's kit holds on the device.
    enum Kit: Sendable, Hashable {
        /// Of an earlier process.
        case unknown
        case empty
        /// What that sign-in has left there.
        case holds(String)
    }

    /// Credentials that a sign-in has fetched, until its session counts.
    struct Offer: Sendable {
        var signIn: String
        var credentials: TemporaryCredentials
        var lifetime: TimeSpan
    }

    /// Whose credentials are given out.
    private(set) var present: HybridLogin?
    /// Whose session counts, as far as a service says.
    private(set) var followed: HybridLogin?
    private(set) var kit = Kit.unknown
    private var offer: Offer?
    /// How often it became somebody else's: what was begun before does not count after.
    private(set) var generation = 0

    /// The kit has signed somebody in.
    mutating func hold(_ signIn: String) { kit = .holds(signIn) }

    /// What a sign-in has led to. While somebody else's session counts, it is theirs until then.
    ///
    /// - Returns: whether the credentials are to be given out from now on.
    mutating func take(_ login: HybridLogin, _ offer: Offer, since begun: Int) -> Bool {
        guard generation == begun else { return false }
        guard followed == nil else {
            self.offer = offer
            return false
        }
        present = login
        return true
    }

    /// A newer token of the same sign-in, or the first that is known of it in this process.
    mutating func renew(_ login: HybridLogin, since begun: Int) {
        guard generation == begun, present.map({ $0.signIn == login.signIn }) ?? true,
            followed.map({ $0.signIn == login.signIn }) ?? true
        else { return }
        present = login
    }

    /// That session counts from now on.
    ///
    /// - Returns: `nil` where nothing changes; else the credentials that are to take the place of what is kept.
    mutating func follow(_ next: HybridLogin?) -> Offer?? {
        followed = next
        if kit == .unknown, let next { kit = .holds(next.signIn) }
        defer { if next != nil { offer = nil } }
        guard present?.signIn != next?.signIn else { return nil }
        present = next
        generation += 1
        return .some(offer?.signIn == next?.signIn ? offer : nil)
    }

    /// A sign-in has failed after the kit knew the user.
    ///
    /// - Returns: whether the kit is to forget them: not where it is the same user's whose session goes on, nor where
    ///   somebody has signed in or out since.
    mutating func undo(_ signIn: String, of subject: String?) -> Bool {
        guard kit == .holds(signIn) else { return false }
        if let followed, Subject.isSame(followed.subject, subject) {
            kit = .holds(followed.signIn)
            return false
        }
        kit = .empty
        return true
    }

    /// Somebody has signed in at the kit who is not whose session it is.
    mutating func empty() { kit = .empty }

    /// What of a session that has ended is still there, and is to go.
    struct Leftover: Sendable {
        var isInKit = false
        var isInCredentials = false
        /// Nobody else of that name is there.
        var isInQueue = false
    }

    /// - Parameter gone: what the session's tokens say.
    mutating func release(_ gone: HybridLogin) -> Leftover {
        var leftover = Leftover()
        // A session that counts has not ended: these are tokens that others of the same sign-in have taken the place
        // of.
        guard followed?.signIn != gone.signIn else { return leftover }
        if kit == .unknown || kit == .holds(gone.signIn) {
            // A second sign-in of the same user that came to nothing: their kit serves the session that goes on.
            leftover.isInKit = !Subject.isSame(followed?.subject, gone.subject)
            kit = leftover.isInKit ? .empty : .holds(followed?.signIn ?? gone.signIn)
        }
        if offer?.signIn == gone.signIn { offer = nil }
        if present?.signIn == gone.signIn {
            leftover.isInCredentials = true
            present = followed
            generation += 1
        }
        leftover.isInQueue =
            !Subject.isSame(present?.subject, gone.subject) && !Subject.isSame(followed?.subject, gone.subject)
        return leftover
    }
}
