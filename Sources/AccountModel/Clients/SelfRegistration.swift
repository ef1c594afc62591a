// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// That a client has registered itself, and by what it may change that (RFC 7592).
public struct SelfRegistration: Sendable, Hashable {
    /// What an operator has left the client. Each is `nil` until an operator has written it: until then the bounds of
    /// what the client was registered by hold, and from then on what was written, in their place. Apart from what the
    /// client has now, since it may do without for a time.
    public struct Left: Sendable, Hashable {
        public var grants: [ClientAuthorization.Grant]?
        public var scopes: [String]?
        public var redirectURIs: [String]?
        public var signOutURIs: [String]?

        public init() {}
    }

    public var clientID: ClientID
    public var directoryID: DirectoryID
    /// SHA-256 of the client's registration access token.
    public var accessHash: [UInt8]
    /// What it was registered by: its bounds hold for every change of what no operator has written, also once it has
    /// been revoked or used up.
    public var initialToken: InitialAccessTokenID
    public var left: Left

    public init(
        clientID: ClientID, directoryID: DirectoryID, accessHash: [UInt8], initialToken: InitialAccessTokenID,
        left: Left = Left()
    ) {
        self.clientID = clientID
        self.directoryID = directoryID
        self.accessHash = accessHash
        self.initialToken = initialToken
        self.left = left
    }
}
