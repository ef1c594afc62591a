// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import JOSE

/// Judges the tokens of the issuers that a server trusts (RFC 8725). One for a process is enough: it is safe to share,
/// and has no lock of its own.
///
/// The token's `iss` picks the profiles, and those the keys: a key of one issuer never verifies a token of another. The
/// signature is judged before anything that the token says, and nothing is said of a token that is not the issuer's
/// own. There is no mode without signatures, and no setting read from the environment.
public final class TokenVerifier: Sendable {
    private let trusted: [TrustedProfile]
    private let byIssuer: [String: [Int]]
    /// The first few of ``byIssuer``, in UTF-8: compared sooner than hashed.
    private let issuers: [(name: [UInt8], profiles: [Int])]
    private let cache: VerifiedTokenCache?
    private let clock: @Sendable () -> Instant
    /// Tells this verifier's entries in a shared cache from those of another, which may be stricter.
    private let number = UInt64(truncatingIfNeeded: numbers.add(1))

    private static let numbers = AtomicNumber()

    /// - Parameters:
    ///   - profiles: what to accept. Several may be about one issuer, such as its access and its ID tokens; the first
    ///     that accepts a token names it.
    ///   - keys: where the keys come from; one for the process.
    ///   - cache: remembers tokens judged good, until they expire. Without it each is judged each time.
    ///   - clock: says what time it is.
    public init(
        _ profiles: [TokenProfile], keys: any KeyProviding, cache: VerifiedTokenCache? = nil,
        clock: @escaping @Sendable () -> Instant
    ) {
        var trusted: [TrustedProfile] = []
        var byIssuer: [String: [Int]] = [:]
        var numbers: [KeyLocation: Int] = [:]
        for (index, profile) in profiles.enumerated() {
            for issuer in profile.rules.issuers { byIssuer[issuer, default: []].append(index) }
            if let fixed = profile.fixedKeys {
                // Two profiles may call different keys by the same name: fixed keys are never shared.
                trusted.append(TrustedProfile(profile, source: FixedKeys(fixed), sourceNumber: -1 - index))
            } else {
                let number = numbers[profile.keys, default: numbers.count]
                numbers[profile.keys] = number
                trusted.append(
                    TrustedProfile(profile, source: keys.source(for: profile.keys), sourceNumber: number))
            }
        }
        self.trusted = trusted
        self.byIssuer = byIssuer
        issuers = byIssuer.prefix(8).map { (Array($0.key.utf8), $0.value) }
        self.cache = cache
        self.clock = clock
    }

    /// For profiles that bring their keys along (``TokenProfile/fixedKeys``). One that does not has none here, and
    /// refuses every token.
    public convenience init(
        _ profiles: [TokenProfile], cache: VerifiedTokenCache? = nil, clock: @escaping @Sendable () -> Instant
    ) {
        self.init(profiles, keys: NoOtherKeys(), cache: cache, clock: clock)
    }

    /// Judges a token with the keys that are known now. Never waits.
    ///
    /// - Parameters:
    ///   - token: the compact form, as it came: bytes, or `text.utf8`.
    ///   - nonce: what the client sent when it asked for the ID token; `nil` where there was none. A token with another
    ///     nonce, or without, is refused.
    /// - Throws: ``TokenError``. ``TokenError/Code/malformed`` also for a token without `exp` or `iat`;
    ///   ``TokenError/Code/wrongAudience`` also for another nonce.
    @inlinable
    public func verify(_ token: some Collection<UInt8>, nonce: String? = nil) throws(TokenError) -> VerifiedToken {
        try verify(bytes: Self.bytes(of: token), nonce: nonce)
    }

    /// What is too long to be a token is not copied: what is left of it is refused for its length. A part of a string
    /// is copied byte by byte unless it is asked for its storage.
    @inlinable
    static func bytes(of token: some Collection<UInt8>) -> [UInt8] {
        guard token.count <= ParsedJWS.defaultLimit else { return Array(token.prefix(ParsedJWS.defaultLimit + 1)) }
        if let bytes = token as? [UInt8] { return bytes }
        return token.withContiguousStorageIfAvailable { Array($0) } ?? Array(token)
    }

    @usableFromInline
    func verify(bytes token: [UInt8], nonce: String?) throws(TokenError) -> VerifiedToken {
        let now = clock()
        guard let cache, token.count <= ParsedJWS.defaultLimit else { return try judge(token, nonce, now).token }
        let digest = TokenDigest(of: token)
        return try verify(token, digest, cache.entry(for: digest, at: now), in: cache, nonce, now)
    }

    /// As ``verify(_:nonce:)``, for a caller of this package that has the time of the request, the digest of the token,
    /// and what the cache of this verifier has by it at this time.
    package func verify(
        _ token: [UInt8], digest: TokenDigest, remembered entry: VerifiedTokenCache.Entry?, at now: Instant
    ) throws(TokenError) -> VerifiedToken {
        guard let cache else { return try judge(token, nil, now).token }
        return try verify(token, digest, entry, in: cache, nil, now)
    }

    private func verify(
        _ token: [UInt8], _ digest: TokenDigest, _ entry: VerifiedTokenCache.Entry?, in cache: VerifiedTokenCache,
        _ nonce: String?, _ now: Instant
    ) throws(TokenError) -> VerifiedToken {
        if let entry, entry.verifier == number {
            let trusted = trusted[entry.profile]
            // One that is refused now is judged anew below: another profile may be about it.
            if trusted.source.generation == entry.generation, isAcceptable(entry.token, to: trusted, nonce) {
                return entry.token
            }
        }
        let verdict = try judge(token, nonce, now)
        cache.insert(
            .init(
                token: verdict.token, verifier: number, profile: verdict.profile, generation: verdict.generation,
                judgedAt: now),
            for: digest)
        return verdict.token
    }

    /// As ``verify(_:nonce:)``, but when the issuer's keys are cold, or the token's `kid` is not among them, asks for
    /// them once and judges once more. How often that reaches the issuer is for the ``KeySource`` to say.
    @inlinable
    public func verify(
        fetching token: some Collection<UInt8> & Sendable, nonce: String? = nil
    ) async throws(TokenError) -> VerifiedToken {
        let bytes = Self.bytes(of: token)
        do throws(TokenError) {
            return try verify(bytes: bytes, nonce: nonce)
        } catch {
            return try await verify(bytes, nonce: nonce, after: error)
        }
    }

    @usableFromInline
    func verify(
        _ token: [UInt8], nonce: String?, after refusal: TokenError
    ) async throws(TokenError) -> VerifiedToken {
        guard refusal.code == .keysUnavailable || refusal.code == .unknownKey else { throw refusal }
        var judgement = try TokenJudgement(token, now: clock())
        let header = try judgement.readHeader()
        var asked: Set<Int> = []
        for index in try profiles(about: judgement.claims) {
            let profile = trusted[index]
            guard profile.algorithms.contains(header.algorithm),
                asked.insert(profile.sourceNumber).inserted
            else { continue }
            // Keys that came since the token was refused for want of them are no reason to ask for others: that would
            // spend the one question about an unknown key that the cool-down allows.
            let areKnown = refusal.code == .unknownKey && profile.source.keys != nil
            await profile.source.request(areKnown ? .unknownKey : .none)
        }
        return try verify(bytes: token, nonce: nonce)
    }

    /// Asks for the keys of every issuer that are not there yet, and returns when each attempt has ended. Call it
    /// before the server says it is ready.
    public func hydrate() async {
        var asked: Set<Int> = []
        await withDiscardingTaskGroup { group in
            for profile in trusted where profile.source.keys == nil {
                guard asked.insert(profile.sourceNumber).inserted else { continue }
                group.addTask { await profile.source.request(.none) }
            }
        }
    }

    private struct Verdict {
        var token: VerifiedToken
        var profile: Int
        var generation: UInt64
    }

    private func judge(
        _ token: [UInt8], _ nonce: String?, _ now: Instant
    ) throws(TokenError) -> Verdict {
        var judgement = try TokenJudgement(token, now: now)
        let candidates: [Int]
        do throws(TokenError) {
            candidates = try profiles(about: judgement.claims)
        } catch {
            // A fault of the header is named before that of the issuer.
            _ = try judgement.readHeader()
            throw error
        }
        let header = try judgement.findHeader(with: candidates.first.map { trusted[$0] })
        var furthest: Rejection?
        for index in candidates {
            do throws(Rejection) {
                let (token, generation) = try judgement.judge(by: trusted[index], header)
                try check(token, by: trusted[index], nonce)
                return Verdict(token: token, profile: index, generation: generation)
            } catch {
                if furthest.map({ $0.stage < error.stage }) ?? true { furthest = error }
            }
        }
        throw furthest?.error ?? TokenError(.unknownIssuer)
    }

    /// The profiles about the issuer that a token names: at least one.
    ///
    /// - Throws: ``TokenError/Code/unknownIssuer``.
    private func profiles(about claims: JWTClaims) throws(TokenError) -> [Int] {
        for issuer in issuers where claims.isIssuer(issuer.name) { return issuer.profiles }
        guard let issuer = claims.issuer else { throw TokenError(.unknownIssuer, "no iss") }
        guard let profiles = byIssuer[issuer] else { throw TokenError(.unknownIssuer) }
        return profiles
    }

    private func isAcceptable(_ token: VerifiedToken, to trusted: TrustedProfile, _ nonce: String?) -> Bool {
        (try? check(token, by: trusted, nonce)) != nil
    }

    /// What may be answered otherwise for the same token at another time.
    private func check(_ token: VerifiedToken, by trusted: TrustedProfile, _ nonce: String?) throws(Rejection) {
        if let isRevoked = trusted.profile.isRevoked, isRevoked(token) {
            throw Rejection(.revocation, TokenError(.revoked))
        }
        guard let nonce else { return }
        guard let given = token.claims["nonce"]?.stringValue, trusted.profile.nonceRule.accepts(given, for: nonce)
        else {
            throw Rejection(.nonce, TokenError(.wrongAudience, "of another sign-in: not its nonce"))
        }
    }
}

/// Where there are none but those of the profiles.
private struct NoOtherKeys: KeyProviding {
    func source(for _: KeyLocation) -> any KeySource { FixedKeys.empty }
}

extension TokenProfile.NonceRule {
    func accepts(_ given: String, for nonce: String) -> Bool {
        if constantTimeEqual(Array(given.utf8), Array(nonce.utf8)) { return true }
        guard self == .plainOrSHA256 else { return false }
        let digest = Hex.encode(SHA256.hash(data: Array(nonce.utf8)))
        return constantTimeEqual(Array(given.utf8), Array(digest.utf8))
    }
}
