// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An identity pool, which gives credentials for other services to whoever shows it a login.
public struct IdentityPoolConfiguration: Sendable {
    /// The cloud's region, such as `eu-west-1`.
    public var region: String
    /// `eu-west-1:4f3c…`
    public var identityPoolID: String
    /// One of the roles that the user's token names; `nil` leaves it to the pool.
    public var roleARN: String?
    /// Where `GetId` and its kin are asked. `nil`: the region's own.
    public var endpoint: String?

    /// A pool in Amazon's cloud, unless an endpoint is given.
    public init(region: String, identityPoolID: String, roleARN: String? = nil, endpoint: String? = nil) {
        self.region = region
        self.identityPoolID = identityPoolID
        self.roleARN = roleARN
        self.endpoint = endpoint
    }

    /// Where requests go.
    public var address: String {
        endpoint ?? "https://cognito-identity.\(region).\(CognitoConfiguration.domain(of: region))/"
    }
}
