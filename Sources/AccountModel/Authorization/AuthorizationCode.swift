// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An authorization code (RFC 6749, section 4.1), waiting to be exchanged for a session by whoever asked for it.
public struct AuthorizationCode: Sendable {
    public var id: FlowStateID
    public var directoryID: DirectoryID
    public var userID: UserID
    /// SHA-256 of the code.
    public var codeHash: [UInt8]
    /// What the code was asked for, and so what it may become.
    public var request: AuthorizationRequest
    /// How the user proved who they are, and when: what comes of the code says so, whenever it is exchanged.
    public var methods: [AuthenticationMethod]
    public var assurance: AssuranceLevel
    /// The browser's session that the code was asked for in; `nil` for one that comes of a message.
    public var parentID: SessionID?
    public var createdAt: Instant
    public var expiresAt: Instant
    public var usedAt: Instant?
    /// What an identity provider gave the user who came from there: for whoever redeems the code, once.
    public var upstream: UpstreamTokens?
    /// The session that the code became, or becomes where nothing is asked for first, to be ended if the code is
    /// presented again (RFC 6749, section 4.1.2).
    public var sessionID: SessionID?

    public init(
        id: FlowStateID, directoryID: DirectoryID, userID: UserID, codeHash: [UInt8], request: AuthorizationRequest,
        methods: [AuthenticationMethod], assurance: AssuranceLevel = .aal1, parentID: SessionID? = nil,
        upstream: UpstreamTokens? = nil, createdAt: Instant, expiresAt: Instant, usedAt: Instant? = nil,
        sessionID: SessionID? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.userID = userID
        self.codeHash = codeHash
        self.request = request
        self.methods = methods
        self.assurance = assurance
        self.parentID = parentID
        self.upstream = upstream
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.usedAt = usedAt
        self.sessionID = sessionID
    }
}
