// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Somebody else's identity provider, as an operator configured it in a Directory: whose word on who somebody is this
/// Directory takes.
public struct IdentityProvider: Sendable {
    /// What it speaks. Issuer, endpoints and whose addresses it may vouch for follow from the kind.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case google
        case apple
        case microsoft
        /// Any OpenID provider, known by its ``IdentityProvider/issuer`` (OpenID Connect Discovery 1.0).
        case openID = "openid"
        /// OAuth and a profile: no ID tokens.
        case github
        /// OAuth and a profile; ID tokens from its Limited Login alone.
        case facebook
    }

    /// URLs that the operator names; those that are `nil` come by discovery, or are the kind's own.
    public struct Endpoints: Sendable, Hashable {
        public var authorization: String?
        public var token: String?
        public var userInfo: String?
        public var jwks: String?
        public var revocation: String?

        public init(
            authorization: String? = nil, token: String? = nil, userInfo: String? = nil, jwks: String? = nil,
            revocation: String? = nil
        ) {
            self.authorization = authorization
            self.token = token
            self.userInfo = userInfo
            self.jwks = jwks
            self.revocation = revocation
        }
    }

    public var id: IdentityProviderID
    public var directoryID: DirectoryID
    /// Unique in the Directory, and what ``Identity/provider`` holds: see ``isName(_:)``. Of the known ones it is the
    /// kind's raw value; dialects map their own spelling to it, imports too. It never changes.
    public var name: String
    public var kind: Kind
    /// What people are shown; `nil` for the kind's own name.
    public var displayName: String?
    /// Of ``Kind/openID``, and of one tenant of ``Kind/microsoft``; the kind's own elsewhere. It does not change while
    /// identities of it exist: an identity is the issuer and the subject.
    public var issuer: String?
    /// The first is sent with redirects; each is an audience that tokens of native SDKs may have.
    public var clientIDs: [String]
    /// The client's secret. Of ``Kind/apple`` the team's private key (PKCS #8, PEM), with ``appleTeamID`` and
    /// ``appleKeyID``.
    public var secret: Secret<String>?
    public var appleTeamID: String?
    public var appleKeyID: String?
    /// What is asked for; empty for what the kind needs.
    public var scopes: [String]
    public var endpoints: Endpoints
    /// Whose people alone may come: tenants at ``Kind/microsoft``, Workspace domains at ``Kind/google``. Empty:
    /// anybody's.
    public var organizations: [String]
    public var isEnabled: Bool
    /// Whether somebody whom nobody knows yet gets an account by signing in (just-in-time accounts).
    public var signUpAllowed: Bool
    /// Whether somebody may come without any address.
    public var emailOptional: Bool
    /// Whether an ID token's nonce is not asked about, where the app's SDK makes one that the app is not told.
    public var skipsNonceCheck: Bool
    /// How many hours after it was last heard of a grant is asked about again, so that one that the user has taken back
    /// ends their sessions: 0 for never, and 24 to 8760. Where it is not 0, refresh tokens are kept, and GitHub's
    /// access tokens.
    public var grantCheckHours: Int
    /// Which claim of the provider is which of our attributes: claims by attributes.
    public var attributeMapping: [String: String]
    /// What dialects keep of a provider and the domain model does not read.
    public var dialectData: JSONObject
    public var createdAt: Instant
    public var updatedAt: Instant
    /// Raised by each update; an update that names an older one is refused.
    public var version: Int64

    public init(
        id: IdentityProviderID, directoryID: DirectoryID, name: String, kind: Kind, displayName: String? = nil,
        issuer: String? = nil, clientIDs: [String] = [], secret: Secret<String>? = nil, appleTeamID: String? = nil,
        appleKeyID: String? = nil, scopes: [String] = [], endpoints: Endpoints = Endpoints(),
        organizations: [String] = [], isEnabled: Bool = true, signUpAllowed: Bool = true, emailOptional: Bool = false,
        skipsNonceCheck: Bool = false, grantCheckHours: Int? = nil, attributeMapping: [String: String] = [:],
        dialectData: JSONObject = [:],
        createdAt: Instant, updatedAt: Instant, version: Int64 = 1
    ) {
        self.id = id
        self.directoryID = directoryID
        self.name = name
        self.kind = kind
        self.displayName = displayName
        self.issuer = issuer
        self.clientIDs = clientIDs
        self.secret = secret
        self.appleTeamID = appleTeamID
        self.appleKeyID = appleKeyID
        self.scopes = scopes
        self.endpoints = endpoints
        self.organizations = organizations
        self.isEnabled = isEnabled
        self.signUpAllowed = signUpAllowed
        self.emailOptional = emailOptional
        self.skipsNonceCheck = skipsNonceCheck
        self.grantCheckHours = grantCheckHours ?? Self.usualGrantCheckHours(of: kind)
        self.attributeMapping = attributeMapping
        self.dialectData = dialectData
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
    }

    /// Apple's once a day, as it asks of servers ("Verifying a user"). Elsewhere an app may hold the same refresh
    /// token, which a provider may replace when it is used.
    public static func usualGrantCheckHours(of kind: Kind) -> Int { kind == .apple ? 24 : 0 }

    /// Whether `text` may be a provider's name: 1 to 32 of `a`–`z`, `0`–`9`, `_`, `.`, `:` and `-`, and none of the
    /// ways in that a Directory has itself.
    public static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && !reservedNames.contains(text)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 97...122, 48...57: true
                case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    /// ``Identity/provider`` says these of addresses, numbers and what else is proved to this server itself.
    private static let reservedNames: Set<String> = ["email", "phone", "password", "anonymous"]
}
