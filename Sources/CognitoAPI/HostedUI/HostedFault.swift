// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What an app is told at its callback URL whose user came back from an identity provider to no sign-in.
enum HostedFault {
    static func fault(for error: AuthError) -> AuthorizationFault? {
        switch error.code {
        case .identityProviderRefused: AuthorizationFault(.accessDenied, "User cancelled the sign-in")
        case .identityProviderUnavailable:
            AuthorizationFault(.invalidRequest, "Timeout occurred in calling IdP token endpoint")
        case .identityTokenInvalid: AuthorizationFault(.invalidRequest, "Invalid token of the identity provider")
        case .identityEmailMissing: AuthorizationFault(.invalidRequest, "attributes required: [email]")
        case .identityAttributesMissing:
            AuthorizationFault(.invalidRequest, "attributes required: [\(error.field ?? "")]")
        case .userBanned: AuthorizationFault(.invalidRequest, "User is disabled")
        case .signUpDisabled: AuthorizationFault(.invalidRequest, "SignUp is not permitted for this user pool")
        // The user can do something about these: the pages say what.
        default: nil
        }
    }
}
