// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a browser is in the midst of: a request for a code that a page stands before. Pages know it by its identifier
/// alone, and no place to go is ever taken from a URL.
public struct PendingAuthorization: Sendable, Hashable {
    /// At least 128 random bits: of a pushed request it is all that a `request_uri` holds (RFC 9126, section 2.2).
    public var id: PendingAuthorizationID
    public var directoryID: DirectoryID
    public var clientID: ClientID
    public var request: AuthorizationRequest
    public var parameters: AuthorizationParameters
    /// Whether the client itself pushed it: no browser's yet, and each visit is a request of its own (``pushedID``).
    public var isPushed: Bool
    /// The pushed request that this is a visit of: the two are completed together.
    public var pushedID: PendingAuthorizationID?
    /// ``BrowserID/hash`` of the browser that it was begun in; `nil` for a pushed one.
    public var browser: [UInt8]?
    /// The session that the user has chosen to go on with.
    public var chosenSession: SessionID?
    /// Who has agreed, and to what.
    public var consentedBy: UserID?
    public var consentedScopes: [String]
    /// Whether the user wants the client to be given nothing.
    public var isDenied: Bool
    /// What the client is to be told, where its user came to no sign-in for a reason of its own.
    public var fault: AuthorizationFault?
    public var createdAt: Instant
    public var expiresAt: Instant
    /// When it was answered: an answer is given once.
    public var completedAt: Instant?

    public init(
        id: PendingAuthorizationID, directoryID: DirectoryID, clientID: ClientID, request: AuthorizationRequest,
        parameters: AuthorizationParameters, isPushed: Bool = false, pushedID: PendingAuthorizationID? = nil,
        browser: [UInt8]?, chosenSession: SessionID? = nil, consentedBy: UserID? = nil, consentedScopes: [String] = [],
        isDenied: Bool = false, fault: AuthorizationFault? = nil, createdAt: Instant, expiresAt: Instant,
        completedAt: Instant? = nil
    ) {
        self.id = id
        self.directoryID = directoryID
        self.clientID = clientID
        self.request = request
        self.parameters = parameters
        self.isPushed = isPushed
        self.pushedID = pushedID
        self.browser = browser
        self.chosenSession = chosenSession
        self.consentedBy = consentedBy
        self.consentedScopes = consentedScopes
        self.isDenied = isDenied
        self.fault = fault
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.completedAt = completedAt
    }
}
