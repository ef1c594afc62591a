// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

extension ClientAuthorization.Profile {
    /// What the client may sign its assertions and its proofs by.
    public var algorithms: [JWSAlgorithm] {
        switch self {
        // FAPI 2.0 Security Profile, section 5.4.1.
        case .fapi2: [.ps256, .es256, .edDSA]
        }
    }

    /// Sets what the profile demands.
    func bring(to settings: inout ClientSettings) {
        switch self {
        case .fapi2:
            settings.authorization.authentication = .privateKey
            settings.authorization.requiresPushedRequests = true
            settings.authorization.requiresPKCE = true
            settings.authorization.isDPoPBound = true
            settings.authorization.idTokenAlgorithm = .es256
            settings.rotatesRefreshTokens = false
        }
    }

    /// Refuses settings that fall short of the profile.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the field.
    func require(of settings: ClientSettings) throws(AuthError) {
        let own = settings.authorization
        switch self {
        case .fapi2:
            let rules = [
                ("auth_method", own.authentication == .privateKey),
                ("requires_pushed_requests", own.requiresPushedRequests), ("requires_pkce", own.requiresPKCE),
                ("dpop_bound_access_tokens", own.isDPoPBound),
                ("id_token_algorithm", own.idTokenAlgorithm != .rs256),
                ("rotates_refresh_tokens", !settings.rotatesRefreshTokens),
            ]
            for (field, isHeld) in rules where !isHeld {
                throw AuthError(.invalidRequest, reason: "less than FAPI 2.0 asks for", field: field)
            }
        }
    }
}
