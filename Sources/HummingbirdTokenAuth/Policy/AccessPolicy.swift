// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import TokenVerifier

/// What an identity must have to be let in. Policies compose:
///
/// ```swift
/// .all(.requireScopes("reports:read"), .any(.requireGroups("admin", "testing"), .requireAAL(2)))
/// ```
///
/// A policy is judged on an identity that was already proven; it can only take away.
public struct AccessPolicy: Sendable {
    /// What an identity lacked, for the answer.
    public enum Shortfall: Sendable, Hashable {
        /// None of the groups asked for. Which they are is not said to the client.
        case groups
        /// All that the policy asks for, not only what was missing (RFC 6750, section 3.1).
        case scopes(Set<String>)
        /// The level asked for.
        case assurance(Int)
        /// One of the authentication context classes, where any are asked for, and a sign-in at most so many seconds
        /// ago, where that is.
        case authentication(classes: [String], maxAge: Int64?)
        /// Of ``AccessPolicy/custom(_:)``.
        case other
    }

    private let judgement: @Sendable (TokenIdentity) -> Shortfall?

    private init(_ judgement: @escaping @Sendable (TokenIdentity) -> Shortfall?) {
        self.judgement = judgement
    }

    /// What `identity` lacks; `nil` when it may pass.
    public func shortfall(of identity: TokenIdentity) -> Shortfall? { judgement(identity) }

    /// Member of at least one of these groups. Names are compared exactly.
    public static func requireGroups(_ first: String, _ others: String...) -> Self {
        requireGroups(anyOf: Set(others + [first]))
    }

    /// As ``requireGroups(_:_:)``, for names out of a configuration. An empty set lets nobody in.
    public static func requireGroups(anyOf groups: Set<String>) -> Self {
        Self { groups.isDisjoint(with: $0.groups) ? .groups : nil }
    }

    /// Granted every one of these scopes (RFC 6749, section 3.3).
    public static func requireScopes(_ first: String, _ others: String...) -> Self {
        requireScopes(allOf: Set(others + [first]))
    }

    /// As ``requireScopes(_:_:)``, for scopes out of a configuration.
    public static func requireScopes(allOf scopes: Set<String>) -> Self {
        Self { scopes.isSubset(of: $0.scopes) ? nil : .scopes(scopes) }
    }

    /// Signed in at this authenticator assurance level or a higher one (NIST SP 800-63B). No API key passes: with it
    /// nobody has signed in.
    public static func requireAAL(_ level: Int) -> Self {
        Self { $0.assuranceLevel >= level ? nil : .assurance(level) }
    }

    /// Signed in by one of these authentication context classes (`acr`; OpenID Connect Core 1.0, section 2), and at
    /// most so many seconds ago (`auth_time`). The answer to all others says what to ask the provider for (RFC 9470),
    /// so that the client can send its user there and come back. No API key passes: with it nobody has signed in.
    ///
    /// - Parameters:
    ///   - classes: one is enough; none to take whatever there is.
    ///   - maxAge: in seconds; `nil` for however long ago.
    ///   - clock: what time it is.
    public static func requireAuthentication(
        classes: [String] = [], maxAge: Int64? = nil, clock: @escaping @Sendable () -> Instant
    ) -> Self {
        let shortfall = Shortfall.authentication(classes: classes, maxAge: maxAge)
        return Self { identity in
            guard let token = identity.verifiedToken else { return shortfall }
            guard classes.isEmpty || token.claims["acr"]?.stringValue.map(classes.contains) == true else {
                return shortfall
            }
            guard let maxAge else { return nil }
            // A sign-in that lies ahead is as recent as any: clocks differ.
            return token.authenticatedAt.map { clock() <= $0 + .seconds(maxAge) } == true ? nil : shortfall
        }
    }

    /// A rule of the application's own.
    public static func custom(_ allows: @escaping @Sendable (TokenIdentity) -> Bool) -> Self {
        Self { allows($0) ? nil : .other }
    }

    /// Passed when each of them is. The first that is not is what the answer names.
    public static func all(_ first: AccessPolicy, _ others: AccessPolicy...) -> Self {
        Self { identity in
            if let shortfall = first.judgement(identity) { return shortfall }
            for policy in others {
                if let shortfall = policy.judgement(identity) { return shortfall }
            }
            return nil
        }
    }

    /// Passed when one of them is. When none is, the answer names the first.
    public static func any(_ first: AccessPolicy, _ others: AccessPolicy...) -> Self {
        Self { identity in
            guard let shortfall = first.judgement(identity) else { return nil }
            return others.contains { $0.judgement(identity) == nil } ? nil : shortfall
        }
    }
}
