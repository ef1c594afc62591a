// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a client was given a session for: no token of it says more.
public struct ClientGrant: Sendable, Hashable {
    /// The scope that asks for tokens beyond the browser's session (OpenID Connect Core, section 11).
    public static let offlineAccess = "offline_access"

    public var scopes: [String]
    /// Whom access tokens may be for (RFC 8707); none for the server's own.
    public var resources: [String]
    /// The `claims` parameter of the request (OpenID Connect Core, section 5.5).
    public var claims: JSONObject
    /// Whether it goes on when the user signs out of the browser (OpenID Connect Core, section 11).
    public var isOffline: Bool
    /// The thumbprint of the key that refresh tokens are bound to (RFC 9449, section 5).
    public var dpopKey: String?

    public init(
        scopes: [String] = [], resources: [String] = [], claims: JSONObject = [:], isOffline: Bool = false,
        dpopKey: String? = nil
    ) {
        self.scopes = scopes
        self.resources = resources
        self.claims = claims
        self.isOffline = isOffline
        self.dpopKey = dpopKey
    }
}
