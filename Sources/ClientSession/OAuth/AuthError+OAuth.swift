// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension AuthError {
    /// What an authorization server said in its redirect (RFC 6749, section 4.1.2.1; OpenID Connect Core 1.0, section
    /// 3.1.2.6).
    ///
    /// - Parameter description: only for the log.
    public init(refusedAtAuthorization error: String, description: String?) {
        let code: AuthErrorCode =
            switch error {
            case "access_denied": .cancelled
            case "login_required", "interaction_required", "consent_required", "account_selection_required":
                .reauthenticationNeeded
            case "server_error", "temporarily_unavailable": .unavailable
            case "invalid_request", "invalid_scope", "unsupported_response_type": .invalidRequest
            case "unauthorized_client": .flowNotAllowed
            default: .identityProviderRefused
            }
        self.init(code, reason: Self.said(error, description))
    }

    /// What a token endpoint refused (RFC 6749, section 5.2).
    ///
    /// - Parameter refreshing: whether it was a refresh token that was shown. Only then `invalid_grant` says something
    ///   of a session.
    public init(refusedAtToken error: String, description: String?, refreshing: Bool) {
        let words = description?.lowercased() ?? ""
        let code: AuthErrorCode =
            switch error {
            case "invalid_grant" where refreshing:
                words.contains("reuse")
                    ? .refreshTokenReused : words.contains("revoked") ? .tokensRevoked : .sessionExpired
            case "invalid_grant": .flowStateExpired
            case "invalid_client": .clientNotFound
            case "unauthorized_client", "unsupported_grant_type": .flowNotAllowed
            case "invalid_request", "invalid_scope", "invalid_target": .invalidRequest
            case "access_denied": .identityProviderRefused
            case "temporarily_unavailable", "server_error": .unavailable
            case "slow_down": .rateLimited
            default: AuthErrorCode(unknownWord: error)
            }
        self.init(code, reason: Self.said(error, description))
    }

    /// Why no redirect came.
    public init(noRedirect error: WebAuthenticationError) {
        switch error {
        case .cancelled: self.init(.cancelled)
        case .timedOut: self.init(.flowStateExpired, reason: "nobody came back from the browser in time")
        case .unavailable(let reason): self.init(.unsupported, reason: reason)
        }
    }

    static func said(_ error: String, _ description: String?) -> String {
        readable(description.map { "\(error): \($0)" } ?? error)
    }
}
