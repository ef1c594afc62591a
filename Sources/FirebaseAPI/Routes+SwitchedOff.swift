// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import Hummingbird
import ServerKit

extension Route {
    /// What this server does not do, and a project of the platform need not have: answered as where it is switched off.
    static let switchedOff: [Route] = providerSignIns + passkeys + operators

    private static let providerSignIns: [Route] = [
        Route(
            .post, client("signInWithGameCenter", "signInWithGameCenter"), .client, limit: .by(.signIn),
            ProviderSignIn.gameCenter),
        Route(
            .post, client("issueSamlResponse", "issueSamlResponse"), .client, limit: .by(.signIn),
            ProviderSignIn.samlResponse),
        Route(
            .post, host(toolkit, "/v2/accounts:revokeToken"), .client, limit: .by(.signIn), ProviderSignIn.revokeToken),
    ]

    private static let passkeys: [Route] = [
        Route(.post, factor("passkeyEnrollment", "start"), .client, limit: .by(.verify)) {
            try await Passkeys.enroll($0, needs: nil)
        },
        Route(.post, factor("passkeyEnrollment", "finalize"), .client, limit: .by(.verify)) {
            try await Passkeys.enroll($0, needs: "authenticatorRegistrationResponse")
        },
        Route(.post, factor("passkeySignIn", "start"), .client, limit: .by(.signIn)) {
            try Passkeys.signIn($0, needs: nil)
        },
        Route(.post, factor("passkeySignIn", "finalize"), .client, limit: .by(.signIn)) {
            try Passkeys.signIn($0, needs: "authenticatorAuthenticationResponse")
        },
    ]

    private static let operators: [Route] = [
        Route(
            .post, host(legacyHost, "/identitytoolkit/v3/relyingparty/setProjectConfig"), .client,
            limit: .unlimited(.administrators), OperatorsOnly.setProjectConfig),
        Route(
            .post, host(legacyHost, "/identitytoolkit/v3/relyingparty/signOutUser"), .client,
            limit: .unlimited(.administrators), OperatorsOnly.signOutUser),
        Route(
            .post, host(toolkit, "/v2/projects/{project}/identityPlatform:initializeAuth"), .tenants,
            OperatorsOnly.initialize),
        // `{tenant}:getIamPolicy` and its kind.
        Route(.post, host(toolkit, "/v2/projects/{project}/tenants/{tenant}"), .tenants, OperatorsOnly.tenantPolicy),
    ]
}
