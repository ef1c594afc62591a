// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Which user pool an app signs in to, and as which of its clients.
public struct CognitoConfiguration: Sendable {
    /// `eu-west-1`.
    public var region: String
    /// `eu-west-1_AbCdEfGhI`.
    public var userPoolID: String
    /// The app client's identifier.
    public var clientID: String
    /// Only where the client was made with one; an app can keep no secret.
    public var clientSecret: Secret<String>?
    /// Where `InitiateAuth` and its kin are asked. `nil`: the region's own.
    public var endpoint: String?
    /// Whom the pool's tokens are from. `nil` with an ``endpoint``: not known, and not compared.
    public var issuer: String?
    /// How a password is shown.
    public var passwordFlow: PasswordFlow
    /// How a session is renewed.
    public var refreshOperation: RefreshOperation
    /// How long the pool's challenges live (`AuthSessionValidity` of the app client): a step is kept over a restart for
    /// so long.
    public var challengeLifetime: TimeSpan = .minutes(3)
    /// Whether a backup code is taken where an authenticator app's code is. A Latchkey server does; Amazon's has none.
    public var takesBackupCodes = false

    /// What the user's list of devices calls this one, in pools that track devices (`DeviceName`).
    public var deviceName: String?

    /// The client must allow the one that is chosen (`ExplicitAuthFlows`).
    public enum PasswordFlow: Sendable, Hashable {
        /// `USER_SRP_AUTH`: the password does not leave the device.
        case srp
        /// `USER_PASSWORD_AUTH`: it goes to the service, by TLS.
        case password
    }

    /// The operation that renews tokens.
    public enum RefreshOperation: Sendable, Hashable {
        /// With rotation of refresh tokens and without.
        case getTokensFromRefreshToken
        /// `REFRESH_TOKEN_AUTH`, for services that know nothing else. Not for clients whose refresh tokens rotate.
        case initiateAuth
    }

    /// A pool in Amazon's cloud, unless an endpoint is given.
    public init(
        region: String, userPoolID: String, clientID: String, clientSecret: Secret<String>? = nil,
        endpoint: String? = nil, issuer: String? = nil, passwordFlow: PasswordFlow = .srp,
        refreshOperation: RefreshOperation = .getTokensFromRefreshToken
    ) {
        self.region = region
        self.userPoolID = userPoolID
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.endpoint = endpoint
        self.issuer = issuer
        self.passwordFlow = passwordFlow
        self.refreshOperation = refreshOperation
    }

    /// Where requests of the API go.
    public var address: String { endpoint ?? "https://cognito-idp.\(region).\(Self.domain(of: region))/" }

    /// What `iss` of the pool's tokens must be, where that is known.
    var expectedIssuer: String? {
        issuer ?? (endpoint == nil ? address + userPoolID : nil)
    }

    /// Regions in China are a partition of their own, under a domain of their own.
    static func domain(of region: String) -> String {
        region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    }

    /// What of the pool's identifier enters SRP: what is behind the region.
    var realm: String {
        userPoolID.firstIndex(of: "_").map { String(userPoolID[userPoolID.index(after: $0)...]) } ?? userPoolID
    }
}
