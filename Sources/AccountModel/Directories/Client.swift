// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A way in which a client may sign users in.
public enum ClientFlow: String, Sendable, CaseIterable, Codable {
    /// The password is sent to the server.
    case password
    /// Secure Remote Password: the password stays with the client.
    case srp
    case refresh
    /// The operator's own server hands over the password.
    case administrator
}

/// An app that users of a Directory sign in through, as the operator registered it.
public struct Client: Sendable {
    /// Unique in the whole store: a request may name nothing else.
    public var id: ClientID
    public var directoryID: DirectoryID
    public var name: String
    /// For clients that run on a server. Kept as it is, since request MACs are computed with it.
    public var secret: Secret<String>?
    public var settings: ClientSettings
    public var createdAt: Instant
    public var updatedAt: Instant
    /// Raised by each update; an update that names an older one is refused.
    public var version: Int64

    public init(
        id: ClientID, directoryID: DirectoryID, name: String, secret: Secret<String>?, settings: ClientSettings,
        createdAt: Instant, updatedAt: Instant, version: Int64 = 1
    ) {
        self.id = id
        self.directoryID = directoryID
        self.name = name
        self.secret = secret
        self.settings = settings
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.version = version
    }
}

/// What a client may do, and how long what it is given lasts. Lengths of time are in whole seconds; `nil` takes the
/// Directory's.
public struct ClientSettings: Sendable, Equatable {
    public var flows: Set<ClientFlow> = [.srp, .refresh]
    public var accessTokenLifetime: Int64?
    public var idTokenLifetime: Int64?
    /// From the sign-in; the Directory's own limits hold beside it.
    public var refreshTokenLifetime: Int64?
    /// Whether a failed sign-in is answered alike for known and unknown users.
    public var concealsUsers = true
    public var rotatesRefreshTokens = false
    /// For how long a refresh token works once its child has been used. The parent of the live token always does.
    public var rotationGrace: Int64 = 0
    /// Whether a refresh token can be taken back, with the access tokens that came of it.
    public var revokesTokens = true
    /// What a dialect keeps of a client and the domain does not read.
    public var attributes: JSONObject = [:]

    public init() {}
}

extension ClientSettings: Codable {
    private enum CodingKeys: String, CodingKey {
        case flows, accessTokenLifetime, idTokenLifetime, refreshTokenLifetime, concealsUsers, rotatesRefreshTokens
        case rotationGrace, revokesTokens, attributes
    }

    /// A setting that is younger than the text has its default.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        if let flows = try values.decodeIfPresent([ClientFlow].self, forKey: .flows) { self.flows = Set(flows) }
        accessTokenLifetime = try values.decodeIfPresent(Int64.self, forKey: .accessTokenLifetime)
        idTokenLifetime = try values.decodeIfPresent(Int64.self, forKey: .idTokenLifetime)
        refreshTokenLifetime = try values.decodeIfPresent(Int64.self, forKey: .refreshTokenLifetime)
        concealsUsers = try values.decodeIfPresent(Bool.self, forKey: .concealsUsers) ?? concealsUsers
        rotatesRefreshTokens =
            try values.decodeIfPresent(Bool.self, forKey: .rotatesRefreshTokens) ?? rotatesRefreshTokens
        rotationGrace = try values.decodeIfPresent(Int64.self, forKey: .rotationGrace) ?? rotationGrace
        revokesTokens = try values.decodeIfPresent(Bool.self, forKey: .revokesTokens) ?? revokesTokens
        if let text = try values.decodeIfPresent(String.self, forKey: .attributes) {
            attributes = try JSONObject(parsing: text.utf8)
        }
    }

    /// The attributes go into one string: their numbers must come back as they are.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(flows.sorted { $0.rawValue < $1.rawValue }, forKey: .flows)
        try values.encodeIfPresent(accessTokenLifetime, forKey: .accessTokenLifetime)
        try values.encodeIfPresent(idTokenLifetime, forKey: .idTokenLifetime)
        try values.encodeIfPresent(refreshTokenLifetime, forKey: .refreshTokenLifetime)
        try values.encode(concealsUsers, forKey: .concealsUsers)
        try values.encode(rotatesRefreshTokens, forKey: .rotatesRefreshTokens)
        try values.encode(rotationGrace, forKey: .rotationGrace)
        try values.encode(revokesTokens, forKey: .revokesTokens)
        try values.encode(JSONValue.object(attributes).text, forKey: .attributes)
    }
}
