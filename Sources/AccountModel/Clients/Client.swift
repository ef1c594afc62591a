// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An app that users of a Directory sign in through, as the operator registered it.
public struct Client: Sendable {
    /// Unique in the whole store: a request may name nothing else.
    public var id: ClientID
    public var directoryID: DirectoryID
    public var name: String
    /// The dialect through whose operations it was made, in whose words it is answered wherever dialects have endpoints in
    /// common; `nil` for one that was registered with this server itself.
    public var dialect: DialectName?
    /// For clients that run on a server; the newest first. Each is as good as the other: see ``ClientSecret/maximum``.
    public var secrets: [ClientSecret]
    public var settings: ClientSettings
    public var createdAt: Instant
    public var updatedAt: Instant
    /// Raised by each update; an update that names an older one is refused.
    public var version: Int64

    public init(
        id: ClientID, directoryID: DirectoryID, name: String, dialect: DialectName? = nil, secrets: [ClientSecret] = [],
        settings: ClientSettings = ClientSettings(),
        createdAt: Instant, updatedAt: Instant, version: Int64 = 1
    ) {
        self.id = id
        self.directoryID = directoryID
        self.name = name
        self.dialect = dialect
        self.secrets = secrets
        self.settings = settings
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
    }

    /// Whether the client has a secret that it must show. One that signs assertions has none, and is not public either.
    public var isConfidential: Bool { !secrets.isEmpty }

    /// Whether the client must show by `method` who it is. One that registered no way shows its secret either way, or has
    /// none to show.
    public func authenticates(by method: ClientAuthenticationMethod) -> Bool {
        if let registered = settings.authorization.authentication { return method == registered }
        return isConfidential ? method.usesSecret : method == .publicClient
    }

    /// Whether nothing tells the client from another that takes its name (RFC 6749, section 2.1).
    public var isPublic: Bool { authenticates(by: .publicClient) }

    /// Whether a request for a code must bring a challenge: always one of a client that nothing else tells from another
    /// (RFC 9700, section 2.1.1).
    public var requiresPKCE: Bool { settings.authorization.requiresPKCE || isPublic }

    /// Whether `secret` is one of the client's.
    public func hasSecret(_ secret: String) -> Bool { secrets.contains { $0.isSame(secret) } }
}
