// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Asks identity providers from time to time whether what they granted still stands (Y-E4), off every request's path. A
/// grant that its user has taken back ends their sessions; nothing else does.
///
/// Any number of processes may run it on one store: a grant is leased to one of them at a time.
public struct CheckGrants: Sendable {
    /// How many are asked about at once.
    private static let width = 4
    /// Longer than any question may take.
    private static let lease = TimeSpan.minutes(10)
    /// Of one pass: the rest is due still.
    static let most = 1_000

    /// What came of a pass.
    public struct Report: Sendable, Equatable {
        public var standing = 0
        public var ended = 0
        public var unanswered = 0

        public init() {}
    }

    private let ports: AccountPorts
    private let links: any VerificationLinks

    public init(_ ports: AccountPorts, links: any VerificationLinks) {
        self.ports = ports
        self.links = links
    }

    /// Asks once about every grant that is due.
    public func callAsFunction(at now: Instant) async throws -> Report {
        var report = Report()
        // A provider that does not answer is asked no more in this pass, and keeps no other back.
        var silent: Set<String> = []
        var count = 0
        while count < Self.most, !Task.isCancelled {
            let claimed = try await claim(at: now)
            if claimed.isEmpty { break }
            count += claimed.count
            let known = silent
            try await withThrowingTaskGroup(of: (String, Verdict).self) { group in
                for grant in claimed { group.addTask { try await self.check(grant, sparing: known, at: now) } }
                for try await (place, verdict) in group {
                    switch verdict {
                    case .stands: report.standing += 1
                    case .ended: report.ended += 1
                    case .unanswered:
                        report.unanswered += 1
                        silent.insert(place)
                    case .nobodys: break
                    }
                }
            }
        }
        return report
    }

    private enum Verdict: Sendable { case stands, ended, unanswered, nobodys }

    private func claim(at now: Instant) async throws -> [UpstreamGrant] {
        try await ports.store.write { tx in
            let due = try tx.upstreamGrants(dueAt: now, limit: Self.width)
            for grant in due {
                var leased = grant
                leased.dueAt = now + Self.lease
                try tx.put(leased)
            }
            return due
        }
    }

    private func check(
        _ grant: UpstreamGrant, sparing silent: Set<String>, at now: Instant
    ) async throws -> (String, Verdict) {
        let (directory, identity, provider) = try await ports.store.read { tx in
            let identity = try tx.identity(grant.identityID, in: grant.directoryID)
            let providers = try ConfiguredProviders(tx, ports, in: grant.directoryID).all()
            return (
                try tx.directory(grant.directoryID), identity, providers.first { $0.name == identity?.provider }
            )
        }
        guard let directory, let identity, let provider, let policy = GrantCheckPolicy(provider) else {
            try await put(off: grant, until: nil)
            return ("", .nobodys)
        }
        let place = "\(directory.id.rawValue)/\(provider.name)"
        let call = CallContext(
            directory: directory, now: now, device: DeviceMetadata(), language: .en, links: links)
        let jitter = UInt16.random(ports.random)
        do {
            guard !silent.contains(place) else { throw AuthError(.identityProviderUnavailable) }
            let next = policy.next(after: .stands, failures: 0, at: now, jitter: jitter).due
            let stands = try await EndFederatedSessions(ports).renew(grant, of: identity, dueAt: next, call: call)
            return (place, stands ? .stands : .ended)
        } catch is AuthError {
            let next = policy.next(after: .unanswered, failures: grant.failures, at: now, jitter: jitter)
            try await put(off: grant, until: next.due, failures: next.failures)
            return (place, .unanswered)
        }
    }

    private func put(off grant: UpstreamGrant, until due: Instant?, failures: Int = 0) async throws {
        try await ports.store.write { tx in
            // What its user has replaced meanwhile has a time of its own.
            guard let kept = try tx.upstreamGrant(of: grant.identityID, in: grant.directoryID),
                kept.updatedAt == grant.updatedAt
            else { return }
            var later = kept
            (later.dueAt, later.failures) = (due, failures)
            try tx.put(later)
        }
    }
}
