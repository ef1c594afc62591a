// SPDX-License-Identifier: Apache-2.0

/// What a client is told of a request that it gets nothing for, by the names of the standards.
public enum AuthorizationErrorCode: String, Sendable, CaseIterable {
    // RFC 6749, sections 4.1.2.1 and 5.2
    case invalidRequest = "invalid_request"
    case unauthorizedClient = "unauthorized_client"
    case accessDenied = "access_denied"
    case invalidScope = "invalid_scope"
    case invalidGrant = "invalid_grant"
    // OpenID Connect Core, section 3.1.2.6
    case interactionRequired = "interaction_required"
    case loginRequired = "login_required"
    case accountSelectionRequired = "account_selection_required"
    case consentRequired = "consent_required"
    /// OpenID Connect Core Error Code unmet_authentication_requirements 1.0.
    case unmetAuthenticationRequirements = "unmet_authentication_requirements"
    /// RFC 8707, section 2.
    case invalidTarget = "invalid_target"
    // RFC 8628, section 3.5
    case authorizationPending = "authorization_pending"
    case slowDown = "slow_down"
    case expiredToken = "expired_token"
}
