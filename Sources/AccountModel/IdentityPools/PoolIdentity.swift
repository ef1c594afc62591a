// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Who vouches for a login.
public enum LoginProvider: Sendable, Hashable {
    /// A Directory of this server, for one of its users.
    case users(DirectoryID)
    /// Somebody else: ``IdentityProvider/name``.
    case upstream(String)
    /// The operator's own programs, under the name that they have in the pool.
    case developer(String)

    /// As the store keeps it.
    public var text: String {
        switch self {
        case .users(let directory): "users/" + directory.rawValue
        case .upstream(let name): "upstream/" + name
        case .developer(let name): "developer/" + name
        }
    }

    /// Reads ``text``; `nil` for anything else.
    public init?(_ text: String) {
        guard let slash = text.firstIndex(of: "/") else { return nil }
        let rest = String(text[text.index(after: slash)...])
        guard !rest.isEmpty else { return nil }
        switch text[..<slash] {
        case "users": self = .users(DirectoryID(rest))
        case "upstream": self = .upstream(rest)
        case "developer": self = .developer(rest)
        default: return nil
        }
    }
}

/// A provider and, of those whose clients have settings of their own, the client that a token was made for.
public struct LoginSource: Sendable, Hashable {
    public var provider: LoginProvider
    public var client: String?

    public init(_ provider: LoginProvider, client: String? = nil) {
        self.provider = provider
        self.client = client
    }
}

/// Somebody as one provider knows them. In a pool each leads to one identity.
public struct PoolLogin: Sendable, Hashable {
    /// How many of them one identity has at most.
    public static let maximum = 20

    public var provider: LoginProvider
    /// Whose word it is, of providers whose issuer is configured; empty for the others.
    public var issuer: String
    public var subject: String

    public init(_ provider: LoginProvider, issuer: String = "", subject: String) {
        self.provider = provider
        self.issuer = issuer
        self.subject = subject
    }
}

/// One person, or one guest, as a pool knows them.
public struct PoolIdentity: Sendable, Hashable {
    /// Drawn at random: a guest is known by nothing else.
    public var id: PoolIdentityID
    public var poolID: IdentityPoolID
    public var directoryID: DirectoryID
    /// Whether it ever had a login. One that has none any more is nobody's, and no guest's either.
    public var isAuthenticated: Bool
    /// Where its logins are now. It is not used any more.
    public var mergedInto: PoolIdentityID?
    public var createdAt: Instant
    public var updatedAt: Instant

    public init(
        id: PoolIdentityID, poolID: IdentityPoolID, directoryID: DirectoryID, isAuthenticated: Bool = false,
        mergedInto: PoolIdentityID? = nil, createdAt: Instant, updatedAt: Instant
    ) {
        self.id = id
        self.poolID = poolID
        self.directoryID = directoryID
        self.isAuthenticated = isAuthenticated
        self.mergedInto = mergedInto
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}
