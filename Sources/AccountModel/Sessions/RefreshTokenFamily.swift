// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// The linear chain of refresh tokens of one session, of which one is live.
///
/// ```mermaid
/// stateDiagram-v2
///     [*] --> live : open
///     live --> live : live token presented / rotate, one successor
///     live --> live : parent presented / the same successor again
///     live --> live : second factor shown / a token that no other leads to
///     live --> live : token of before that / refused
///     live --> live : older token, its child used within the reuse interval / the same successor again
///     live --> revoked : any other token of the family / replay
/// ```
///
/// A successor is derived from its parent's secret and a nonce that the store keeps. So whoever holds the parent can
/// be given the live token again after an answer was lost, while the store alone, read by a thief, yields no token.
public struct RefreshTokenFamily: Sendable, Equatable {
    /// How the live token came from its parent.
    public struct Step: Sendable, Equatable {
        /// Mixed with the parent's secret to make the child's.
        public var nonce: [UInt8]
        /// Of the token that it was made of.
        public var parentHash: [UInt8]
        /// When the parent was last given the child.
        public var at: Instant

        public init(nonce: [UInt8], parentHash: [UInt8], at: Instant) {
            self.nonce = nonce
            self.parentHash = parentHash
            self.at = at
        }
    }

    /// What a client or its Directory says of a family.
    public struct Rules: Sendable, Equatable {
        /// Whether a token that is used has a successor; else it stays.
        public var rotates: Bool
        /// For how long a token may still be presented once its child has been used. Counted from there, and not from
        /// its own first use: until its child is used, its holder may have had no answer, however long ago they asked,
        /// and what the network delays or doubles must not sign them out.
        public var reuseInterval: TimeSpan

        public init(rotates: Bool, reuseInterval: TimeSpan) {
            self.rotates = rotates
            self.reuseInterval = reuseInterval
        }
    }

    /// What whoever presents a token is owed.
    public enum Verdict: Sendable {
        /// The live token was used for the first time: this is its one successor.
        case rotated(RefreshToken)
        /// The token was used before and its holder is owed the same answer: this is the live token.
        case repeated(RefreshToken, Cause)
        /// The live token stays, since the Directory does not rotate.
        case kept(RefreshToken)
        /// Somebody holds a token that its owner has long left behind: the family must end.
        case replayed
        /// The token is of before the chain was begun anew: worth nothing, and no sign of theft.
        case superseded
    }

    /// Why an answer is given again.
    public enum Cause: Sendable {
        /// The live token has not been used yet: whoever has its parent may not have had the answer.
        case parentOfLive
        /// The token's child was used a moment ago: several callers refreshed at once.
        case reuseInterval
    }

    /// In place of a nonce where the chain was begun anew: nothing leads from the parent to the child.
    private static let restart = Array("begun anew: none".utf8)

    /// The steps kept: enough for callers that race within the reuse interval, bounded for the store.
    public static let maximumSteps = 8

    /// Of the live token: 1 for the first, and one more for each successor.
    public private(set) var generation: UInt32
    /// Of the live token.
    public private(set) var liveHash: [UInt8]
    /// Oldest first; the last one made the live token.
    public private(set) var steps: [Step]

    /// A family as the store remembers it.
    public init(generation: UInt32, liveHash: [UInt8], steps: [Step]) {
        self.generation = generation
        self.liveHash = liveHash
        self.steps = steps
    }

    /// Opens a family with its first token.
    ///
    /// - Parameter secret: 24 random bytes.
    public static func open(for session: SessionID, secret: [UInt8]) -> (family: RefreshTokenFamily, live: RefreshToken)
    {
        let token = RefreshToken(session: session, generation: 1, secret: secret)
        return (RefreshTokenFamily(generation: 1, liveHash: token.hash, steps: []), token)
    }

    /// Begins the chain anew with a token that nothing leads to. Whoever has one of before has nothing: what the user
    /// proves now is not theirs. They may be the user all the same, whom the answer has not reached: what is remembered
    /// of the former tokens says so.
    ///
    /// - Parameter secret: 24 random bytes.
    package mutating func restart(for session: SessionID, secret: [UInt8], at now: Instant) -> RefreshToken {
        let token = RefreshToken(session: session, generation: generation &+ 1, secret: secret)
        steps = Array((steps + [Step(nonce: Self.restart, parentHash: liveHash, at: now)]).suffix(Self.maximumSteps))
        generation = token.generation
        liveHash = token.hash
        return token
    }

    /// Judges a token of this family. The caller keeps the family when this changed it.
    ///
    /// An answer given again counts as given now: copies of the call that the network delivers late must meet the reuse
    /// interval from there, however long ago the first answer was lost.
    ///
    /// - Parameter nonce: 16 random bytes for the successor, used when there is to be one.
    public mutating func present(_ token: RefreshToken, nonce: [UInt8], at now: Instant, rules: Rules) -> Verdict {
        noticeSetBack(at: now)
        if token.generation == generation {
            guard constantTimeEqual(token.hash, liveHash) else { return .replayed }
            guard rules.rotates, generation < .max else { return .kept(token) }
            return .rotated(advance(from: token, nonce: nonce, at: now, rules: rules))
        }
        guard token.generation < generation, generation - token.generation <= UInt32(steps.count) else {
            return .replayed
        }
        let distance = Int(generation - token.generation)
        let path = steps.suffix(distance)
        guard let first = path.first, constantTimeEqual(token.hash, first.parentHash) else { return .replayed }
        guard !path.contains(where: { $0.nonce == Self.restart }) else { return .superseded }
        if let childUsed = path.dropFirst().first?.at {
            guard now - childUsed < rules.reuseInterval else { return .replayed }
        }
        let live = path.reduce(token) { Self.child(of: $0, nonce: $1.nonce) }
        guard constantTimeEqual(live.hash, liveHash) else { return .replayed }
        guard distance == 1 else { return .repeated(live, .reuseInterval) }
        // Only the parent's: older tokens must not keep each other alive.
        if let last = steps.indices.last { steps[last].at = now.orLater(steps[last].at) }
        return .repeated(live, .parentOfLive)
    }

    /// What was given at a time that lies ahead, since the clock has been set back, counts as given now: its holder is
    /// not signed out, and the reuse interval ends, for all that.
    private mutating func noticeSetBack(at now: Instant) {
        for index in steps.indices where steps[index].at.liesAhead(of: now) { steps[index].at = now }
    }

    private mutating func advance(
        from token: RefreshToken, nonce: [UInt8], at now: Instant, rules: Rules
    ) -> RefreshToken {
        let child = Self.child(of: token, nonce: nonce)
        let grown = steps + [Step(nonce: nonce, parentHash: token.hash, at: now)]
        // A step whose parent can no longer be repeated would only be a secret kept for nothing.
        let left = zip(grown, grown.dropFirst()).prefix { now - $1.at >= rules.reuseInterval }.count
        steps = Array(grown.dropFirst(left).suffix(Self.maximumSteps))
        generation = child.generation
        liveHash = child.hash
        return child
    }

    private static func child(of parent: RefreshToken, nonce: [UInt8]) -> RefreshToken {
        let mac = HMAC<SHA256>.authenticationCode(
            for: Array("successor".utf8) + nonce, using: SymmetricKey(data: parent.secret))
        return RefreshToken(
            session: parent.session, generation: parent.generation &+ 1,
            secret: Array(mac.prefix(RefreshToken.secretLength)))
    }
}
