// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE

/// A profile, and the source that its keys come from. What each token is compared with is laid out for that here.
final class TrustedProfile: Sendable {
    let profile: TokenProfile
    let rules: TokenRules
    /// Those of the rules: a few, looked through sooner than hashed.
    let algorithms: [JWSAlgorithm]
    /// Those that ``AudienceRule/audiences(_:)`` names, in UTF-8, the first few of them: compared sooner than hashed.
    let audiences: [[UInt8]]
    let source: any KeySource
    /// The same for profiles that share a source.
    let sourceNumber: Int
    private let hasAccepted = AtomicFlag()

    init(_ profile: TokenProfile, source: any KeySource, sourceNumber: Int) {
        self.profile = profile
        rules = profile.rules
        algorithms = Array(profile.rules.algorithms)
        if case .audiences(let audiences) = profile.rules.audience {
            self.audiences = audiences.prefix(8).map { Array($0.utf8) }
        } else {
            audiences = []
        }
        self.source = source
        self.sourceNumber = sourceNumber
    }

    /// Whether a signature was good once, so that its header may be known. Until then the source is not asked for its
    /// keys on behalf of a token whose header may be refused.
    var mayKnowHeaders: Bool { hasAccepted.load() }

    func noteGoodSignature() { hasAccepted.store(true) }
}

/// How far a token came with a profile. Where several profiles are about one issuer and all refuse, the refusal of the
/// one that it came furthest with is reported: an expired ID token is expired, and not merely no access token.
struct Rejection: Error {
    enum Stage: Int, Comparable {
        case algorithm, unknownKey, signature, keysUnavailable, kind, audience, times, claims, revocation, nonce

        static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    var stage: Stage
    var error: TokenError

    init(_ stage: Stage, _ error: TokenError) {
        self.stage = stage
        self.error = error
    }
}
