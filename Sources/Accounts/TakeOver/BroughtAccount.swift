// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// One account of another server's as its dialect has read it, sessions included.
public struct BroughtAccount: Sendable {
    public var user: User
    public var identities: [Identity] = []
    public var factors: [Factor] = []
    public var sessions: [BroughtSession] = []
    /// What of it stays where it is.
    public var left = TakeOver.Counts()

    public init(_ user: User) {
        self.user = user
    }

    /// How many of each kind come.
    var counts: TakeOver.Counts {
        TakeOver.Counts([
            .users: 1, .identities: identities.count, .factors: factors.count, .sessions: sessions.count,
            .tokens: sessions.reduce(0) { $0 + $1.liveTokens },
        ])
    }
}

/// A session of another server's, with the refresh tokens that its clients may have.
public struct BroughtSession: Sendable {
    public struct Token: Sendable {
        public var text: Secret<String>
        public var givenAt: Instant

        public init(_ text: Secret<String>, givenAt: Instant) {
            self.text = text
            self.givenAt = givenAt
        }
    }

    public var id: SessionID
    public var device = DeviceMetadata()
    public var methods: [AuthenticationMethod] = []
    public var assurance = AssuranceLevel.aal1
    public var createdAt: Instant
    public var lastActiveAt: Instant
    public var notAfter: Instant?
    /// One led to the next: the first one first, the live one last, unless the session has ended.
    public var chain: [Token] = []
    /// Beside the live one, and as good.
    public var twins: [Token] = []
    /// When the last of its tokens was taken back, where none is good.
    public var endedAt: Instant?

    public init(id: SessionID, createdAt: Instant, lastActiveAt: Instant) {
        self.id = id
        self.createdAt = createdAt
        self.lastActiveAt = lastActiveAt
    }

    /// Those by which it goes on.
    var liveTokens: Int { endedAt != nil || chain.isEmpty ? 0 : 1 + twins.count }

    /// As it is kept, with what stands for its tokens.
    ///
    /// - Parameter dialect: whose clients have them.
    func records(
        of user: UserID, in directory: Directory, for dialect: DialectName, random: any RandomSource
    ) -> (session: Session, tokens: [BroughtRefreshToken]) {
        var times: [Instant] = []
        // A clock that was set back there must not look here as if a token had been given before the one that led to
        // it.
        for token in chain { times.append(max(times.last ?? token.givenAt, token.givenAt)) }
        let rules = RefreshTokenFamily.Rules(
            rotates: true, reuseInterval: .seconds(directory.settings.sessions.reuseInterval))
        let (family, ours) = RefreshTokenFamily.takenOver(
            times.isEmpty ? [createdAt] : times, for: id, rules: rules, random: random)
        var brought = zip(chain, ours).map {
            BroughtRefreshToken($0.text, standingFor: $1, in: directory, for: dialect)
        }
        if let live = ours.last {
            brought += twins.map { BroughtRefreshToken($0.text, standingFor: live, in: directory, for: dialect) }
        }
        let session = Session(
            id: id, directoryID: directory.id, userID: user, device: device, methods: methods, assurance: assurance,
            createdAt: createdAt, lastActiveAt: lastActiveAt, notAfter: notAfter, revokedAt: endedAt,
            revocation: endedAt == nil ? nil : .replay, family: family)
        return (session, brought)
    }
}
