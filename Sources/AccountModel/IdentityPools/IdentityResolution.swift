// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Which identity somebody is who shows some logins: one table for every way to show them.
///
/// A guest's identity is known by its identifier alone: whoever names it may make it theirs, by logging in. One that
/// has logins is its owner's, who shows one of them.
public enum IdentityResolution {
    /// An identity with the logins that lead to it.
    public struct Known: Sendable, Hashable {
        public var identity: PoolIdentity
        public var logins: [PoolLogin]

        public init(_ identity: PoolIdentity, _ logins: [PoolLogin]) {
            self.identity = identity
            self.logins = logins
        }
    }

    public enum Refusal: Sendable, Hashable {
        case guestsNotAllowed
        /// It has an owner, and nobody has shown who they are; or it had one.
        case forbidden
        /// None of the logins is the identity's.
        case notItsLogins
        /// One identity would be two users of one provider.
        case linkedElsewhere
        /// The operator's programs know the user by another identity.
        case developerUserTaken
        case tooManyLogins
    }

    public enum Verdict: Sendable, Hashable {
        /// A new identity.
        case create(linking: [PoolLogin])
        /// A known one. The others that the logins led to are merged into it, and used no more.
        case use(PoolIdentityID, linking: [PoolLogin], merging: [PoolIdentityID])
        case refuse(Refusal)
    }

    /// - Parameters:
    ///   - named: the identity that the caller says they are.
    ///   - proven: the logins that they have shown, each judged.
    ///   - holders: the identities that those lead to, the oldest first.
    ///   - allowsGuests: ``IdentityPool/allowsGuests``.
    ///   - isTrusted: whether the caller is the operator's own program, and is asked for no login of the identity's.
    public static func verdict(
        named: Known?, proven: [PoolLogin], holders: [Known], allowsGuests: Bool, isTrusted: Bool = false
    ) -> Verdict {
        guard !proven.isEmpty else { return guest(named, allowsGuests) }
        let destination: Known?
        if let named, isTrusted {
            let developers = Set(proven.filter(\.isDeveloper))
            if holders.contains(where: { $0 != named && !developers.isDisjoint(with: $0.logins) }) {
                return .refuse(.developerUserTaken)
            }
            destination = named
        } else if let named, named.identity.isAuthenticated {
            guard named.logins.contains(where: proven.contains) else {
                return .refuse(named.logins.isEmpty ? .forbidden : .notItsLogins)
            }
            destination = named
        } else {
            destination = holders.first ?? named
        }
        guard let destination else { return isOnePerson(proven) ? .create(linking: proven) : .refuse(.linkedElsewhere) }
        var others: [Known] = []
        for other in holders + [named].compactMap({ $0 }) where other != destination && !others.contains(other) {
            others.append(other)
        }
        let present = Set(destination.logins + others.flatMap(\.logins))
        let linking = proven.filter { !present.contains($0) }
        return combined(destination, others, linking)
    }

    /// What becomes of two identities that the operator says are one person's.
    public static func merger(of source: Known, into destination: Known) -> Verdict {
        combined(destination, source == destination ? [] : [source], [])
    }

    private static func combined(_ destination: Known, _ others: [Known], _ linking: [PoolLogin]) -> Verdict {
        let all = destination.logins + others.flatMap(\.logins) + linking
        guard isOnePerson(all) else { return .refuse(.linkedElsewhere) }
        guard all.count <= PoolLogin.maximum else { return .refuse(.tooManyLogins) }
        return .use(destination.identity.id, linking: linking, merging: others.map(\.identity.id))
    }

    private static func guest(_ named: Known?, _ allowsGuests: Bool) -> Verdict {
        if let named, named.identity.isAuthenticated { return .refuse(.forbidden) }
        guard allowsGuests else { return .refuse(.guestsNotAllowed) }
        return named.map { .use($0.identity.id, linking: [], merging: []) } ?? .create(linking: [])
    }

    /// Whether no provider knows two users among these. The operator's programs may call one person by several names.
    private static func isOnePerson(_ logins: [PoolLogin]) -> Bool {
        let others = Set(logins.filter { !$0.isDeveloper })
        return Set(others.map(\.provider)).count == others.count
    }
}

extension PoolLogin {
    /// Whether the operator's own programs vouch for it.
    public var isDeveloper: Bool {
        if case .developer = provider { true } else { false }
    }
}
