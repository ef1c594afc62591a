// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The life of the signing keys of one purpose and algorithm.
///
/// ```mermaid
/// stateDiagram-v2
///     [*] --> standby : made; published, not yet signing
///     standby --> active : rotate, once every cached key set has it
///     active --> retiring : rotate; still published
///     retiring --> [*] : the last token it signed has expired
/// ```
///
/// A verifier that caches the published set always knows a key before the first token it signed arrives, and still
/// knows it when the last one does.
struct KeyRotation {
    enum Change: Sendable {
        case insert(SigningKeyRecord)
        case update(SigningKeyRecord)
    }

    /// How long verifiers may keep a published set: a standby key waits this long where an older set may be cached.
    static let publicationLead: TimeSpan = .minutes(15)
    /// How long a key is in the store before a token is signed by it, wherever a server may not have read it yet.
    /// Longer than ``KeyRing/refreshInterval``, though the clocks of two servers be a minute apart.
    static let spread: TimeSpan = .minutes(2)
    /// Added to the token's lifetime before a key leaves the set, for clocks that differ.
    static let margin: TimeSpan = .minutes(10)

    let purpose: SigningKeyRecord.Purpose
    let algorithm: String
    /// How long a token signed at this moment lives; `nil` where it has no end.
    let tokenLifetime: TimeSpan?

    /// Signs with the standby key from now on, and prepares the next one.
    ///
    /// - Parameters:
    ///   - records: every key of the Directory.
    ///   - fresh: a key just made, used for whichever place is empty.
    ///   - spare: a second one.
    ///   - immediately: does not wait for the standby key to be known to verifiers, but to this program's own servers.
    func rotate(
        _ records: [SigningKeyRecord], fresh: SigningKeyRecord, spare: SigningKeyRecord, immediately: Bool,
        at now: Instant
    ) -> (changes: [Change], outcome: KeyRing.RotationOutcome) {
        let mine = records.filter { $0.purpose == purpose && $0.algorithm == algorithm }
        let active = mine.filter { $0.state == .active }
        let standby = mine.filter { $0.state == .standby }.min { $0.createdAt < $1.createdAt }

        guard var next = standby ?? (immediately || active.isEmpty ? fresh : nil) else {
            var published = fresh
            published.state = .standby
            return ([.insert(published)], .published(published.id, readyAt: now + Self.publicationLead))
        }
        let readyAt = readyAt(next, among: records, at: now)
        if standby != nil, !immediately, !active.isEmpty, now < readyAt {
            return ([], .published(next.id, readyAt: readyAt))
        }

        let signsFrom = signsFrom(next, among: records, at: now)
        next.state = .active
        next.activatedAt = signsFrom
        var changes: [Change] = [standby == nil ? .insert(next) : .update(next)]
        let retiresAt = tokenLifetime.map { signsFrom + $0 + Self.margin }
        for var old in active {
            old.state = .retiring
            old.retiresAt = retiresAt
            changes.append(.update(old))
        }
        var prepared = spare
        prepared.state = .standby
        changes.append(.insert(prepared))
        return (changes, .rotated(to: next.id, from: active.map(\.id), retiresAt: active.isEmpty ? nil : retiresAt))
    }

    /// When every server has read the key: until then the keys before it sign, if there are any.
    private func signsFrom(_ key: SigningKeyRecord, among records: [SigningKeyRecord], at now: Instant) -> Instant {
        // What is signed for API keys an operator hands out, and is no token of a moment.
        guard purpose != .apiKeys, !key.createdAt.liesAhead(of: now), hasOtherSet(than: key, among: records) else {
            return now
        }
        return max(now, key.createdAt + Self.spread)
    }

    private func hasOtherSet(than key: SigningKeyRecord, among records: [SigningKeyRecord]) -> Bool {
        records.contains { $0.purpose == purpose && $0.createdAt != key.createdAt }
    }

    /// When every cached set has the key: at once where there is no other set, as in a Directory that was made with it,
    /// and where the key was made so long ago that the clock has been set back since.
    private func readyAt(_ key: SigningKeyRecord, among records: [SigningKeyRecord], at now: Instant) -> Instant {
        guard !key.createdAt.liesAhead(of: now) else { return now }
        return hasOtherSet(than: key, among: records) ? key.createdAt + Self.publicationLead : key.createdAt
    }
}
