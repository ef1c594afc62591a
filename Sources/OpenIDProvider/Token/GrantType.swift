// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// The grants that the token endpoint takes, by the names that requests have for them.
enum GrantType: String, Sendable, CaseIterable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
    case clientCredentials = "client_credentials"
    /// RFC 8693, section 2.1.
    case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
    /// RFC 8628, section 3.4.
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"

    /// What a client must be registered for.
    var registered: ClientAuthorization.Grant {
        switch self {
        case .authorizationCode: .code
        case .refreshToken: .refreshToken
        case .clientCredentials: .clientCredentials
        case .deviceCode: .deviceCode
        case .tokenExchange: .tokenExchange
        }
    }
}
