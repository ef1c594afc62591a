// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Which user pool an app signs in to, and as which of its clients.
public struct CognitoConfiguration: Sendable {
    /// `eu-west-1`.
    public var region: String
    /// `eu-west-1_AbCdEfGhI`.
    public var userPoolID: String
    public var clientID: String
    /// Only where the client was made with one; an app can keep no secret.
    public var clientSecret: Secret<String>?
    /// Where `InitiateAuth` and its kin are asked. `nil`: the region's own.
    public var endpoint: String?

    public init(
        region: String, userPoolID: String, clientID: String, clientSecret: Secret<String>? = nil,
        endpoint: String? = nil
    ) {
        self.region = region
        self.userPoolID = userPoolID
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.endpoint = endpoint
    }

    /// Where requests of the API go.
    public var address: String { endpoint ?? "https://cognito-idp.\(region).amazonaws.com/" }
}
