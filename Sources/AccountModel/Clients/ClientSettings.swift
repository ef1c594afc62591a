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

/// What a client may do, and how long what it is given lasts. Lengths of time are in whole seconds; `nil` takes the
/// Directory's.
public struct ClientSettings: Sendable, Equatable {
    public var flows: Set<ClientFlow> = [.srp, .refresh]
    public var accessTokenLifetime: Int64?
    public var idTokenLifetime: Int64?
    /// From the sign-in; the Directory's own limits hold beside it.
    public var refreshTokenLifetime: Int64?
    /// For how long a sign-in that wants another step, such as a new password, may wait for it.
    public var stepLifetime: Int64?
    /// Whether a failed sign-in is answered alike for known and unknown users.
    public var concealsUsers = true
    public var rotatesRefreshTokens = false
    /// For how long a refresh token works once its child has been used. The parent of the live token always does.
    public var rotationGrace: Int64 = 0
    /// Whether a refresh token can be taken back, with the access tokens that came of it.
    public var revokesTokens = true
    /// What the client may ask for where users sign in on our own pages.
    public var authorization = ClientAuthorization()
    /// Origins of the client's own pages and apps that may use passkeys, beside the Directory's
    /// (``DirectorySettings/Passkeys/origins``).
    public var passkeyOrigins: [String] = []
    /// What a dialect keeps of a client and the domain does not read: how it spelt what is in the fields above.
    public var attributes: JSONObject = [:]

    public init() {}
}
