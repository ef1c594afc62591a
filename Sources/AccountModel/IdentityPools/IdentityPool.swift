// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A set of identities that logins of several providers lead to, and that credentials for other services are given for.
/// It belongs to the Directory in which it was made, and knows no users: a user of a Directory is one login among
/// others.
public struct IdentityPool: Sendable, Hashable {
    /// A Directory whose users may log in, by tokens of one of its clients.
    public struct UserSource: Sendable, Hashable {
        public var directory: DirectoryID
        public var client: ClientID
        /// Whether a token is good for as long only as the session goes on that it is of.
        public var checksSession: Bool

        public init(directory: DirectoryID, client: ClientID, checksSession: Bool = false) {
            self.directory = directory
            self.client = client
            self.checksSession = checksSession
        }
    }

    /// One of the Directory's identity providers, with all of its clients.
    public struct OpenIDSource: Sendable, Hashable {
        /// ``IdentityProvider/name``.
        public var provider: String
        /// What whoever configured the pool calls it: kept and shown.
        public var resource: String

        public init(provider: String, resource: String) {
            self.provider = provider
            self.resource = resource
        }
    }

    /// What whoever has no role of their own is given credentials for.
    public struct Roles: Sendable, Hashable {
        public var authenticated: String?
        public var guest: String?

        public init(authenticated: String? = nil, guest: String? = nil) {
            self.authenticated = authenticated
            self.guest = guest
        }
    }

    public var id: IdentityPoolID
    public var directoryID: DirectoryID
    public var name: String
    /// Whether there are identities without any login.
    public var allowsGuests: Bool
    /// Whether an app may be given an identity's token, to ask for credentials with it itself; `nil` where nobody has
    /// said.
    public var allowsClassicFlow: Bool?
    /// What the operator's own programs call themselves where they vouch for a user.
    public var developerProvider: String?
    public var userSources: [UserSource]
    /// Which client of a known provider logins are of: clients by ``IdentityProvider/name``.
    public var clientIDs: [String: String]
    public var openIDSources: [OpenIDSource]
    public var roles: Roles
    public var roleMappings: [LoginSource: RoleMapping]
    /// Which claims are told to whoever grants access, by the provider that the claims are of.
    public var principalTags: [LoginProvider: PrincipalTags]
    /// The operator's own notes.
    public var tags: [String: String]
    public var createdAt: Instant
    public var updatedAt: Instant
    /// Raised by each update; an update that names an older one is refused.
    public var version: Int64

    public init(
        id: IdentityPoolID, directoryID: DirectoryID, name: String, allowsGuests: Bool = false,
        allowsClassicFlow: Bool? = nil, developerProvider: String? = nil, userSources: [UserSource] = [],
        clientIDs: [String: String] = [:], openIDSources: [OpenIDSource] = [], roles: Roles = Roles(),
        roleMappings: [LoginSource: RoleMapping] = [:], principalTags: [LoginProvider: PrincipalTags] = [:],
        tags: [String: String] = [:], createdAt: Instant, updatedAt: Instant, version: Int64 = 1
    ) {
        self.id = id
        self.directoryID = directoryID
        self.name = name
        self.allowsGuests = allowsGuests
        self.allowsClassicFlow = allowsClassicFlow
        self.developerProvider = developerProvider
        self.userSources = userSources
        self.clientIDs = clientIDs
        self.openIDSources = openIDSources
        self.roles = roles
        self.roleMappings = roleMappings
        self.principalTags = principalTags
        self.tags = tags
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
    }
}

/// What is told of an identity to whoever grants access: values of claims under names of the operator's.
public struct PrincipalTags: Sendable, Hashable {
    public var usesDefaults: Bool
    /// Claims by tags. Those of the defaults are not among them.
    public var claims: [String: String]

    /// Of a Directory's users; there are none of other providers.
    public static let defaults = ["username": "sub", "client": "aud"]

    public init(usesDefaults: Bool, claims: [String: String] = [:]) {
        self.usesDefaults = usesDefaults
        self.claims = claims
    }

    /// The tags of a login whose token has these claims. What is no text, number or Boolean is no tag.
    public func tags(of provider: LoginProvider, _ token: JSONObject) -> [String: String] {
        var mapping = claims
        if usesDefaults, case .users = provider { mapping = Self.defaults }
        return mapping.compactMapValues { token[$0].flatMap { ClaimTexts.all(of: $0).first } }
    }
}
