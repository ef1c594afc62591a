// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE

/// `POST /token?grant_type=id_token`: sign-in by the ID token that an app was given by a provider's own SDK, or a link
/// of what it says to whoever is signed in.
enum IDTokenGrant {
    static func post(_ call: DialectCall) async throws -> Response {
        let request = try IDTokenRequest(call.body)
        var linking: AuthenticatedUser?
        var flow = call.flow
        if request.linksIdentity {
            guard call.headers[.authorization] != nil else {
                throw GrantError(
                    name: "invalid request", message: "Linking requires a valid user access token in Authorization")
            }
            let caller = try await CallerAuthentication(dialect: call.dialect).authenticate(
                call.headers, for: .user, call: call.flow)
            guard case .user(let authenticated) = caller else { throw AuthError(.tokenMissing) }
            (linking, flow.actor) = (authenticated, .user(authenticated.user.id))
        }
        let place = try request.place(customProviders: call.flow.settings.federation.customProviders)
        let provider = try await usable(place, call)
        let policy = call.federationPolicy(.session, isApple: provider.kind == .apple)
        do {
            let outcome = try await call.accounts.idTokenSignIn(
                .idToken(
                    UpstreamIDToken(
                        text: request.token, nonce: request.nonce, nonceForm: .hashed,
                        accessToken: request.accessToken)), of: provider, linkingTo: linking, policy: policy,
                call: flow)
            return try await call.answer(outcome.session())
        } catch let error as AuthError where error.code == .identityTokenInvalid {
            throw request.refusal(by: provider)
        } catch let error as AuthError where error.code == .needsConfirmation || error.code == .identityAlreadyLinked {
            throw WireError(federation: error, provider: ProviderName(of: provider.name))
        }
    }

    private static func usable(_ place: IDTokenRequest.Place, _ call: DialectCall) async throws -> IdentityProvider {
        do {
            return try await call.accounts.identityProviders.usable(place.name.ours, in: call.directory.id)
        } catch let error as AuthError where error.code == .identityProviderDisabled {
            if place.name.isCustom {
                throw WireError(
                    .badRequest, "provider_disabled", "Custom provider \"\(place.name.wire)\" is disabled")
            }
            throw WireError(.badRequest, "provider_disabled", "Provider (issuer \"\(place.issuer)\") is not enabled")
        } catch let error as AuthError where error.code == .identityProviderNotFound {
            if place.name.isCustom { throw WireError.validation("Custom provider \"\(place.name.wire)\" not found") }
            guard place.name.isKnown else {
                throw WireError.validation("Custom OIDC provider \"\(place.name.wire)\" not allowed")
            }
            throw WireError(.badRequest, "provider_disabled", "Provider (issuer \"\(place.issuer)\") is not enabled")
        }
    }
}
