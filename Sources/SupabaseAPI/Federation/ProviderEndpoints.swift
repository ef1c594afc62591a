// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `GET /authorize`, `GET` and `POST /callback`: sign-in through other people's identity providers.
enum ProviderEndpoints {
    /// Sends a browser to a provider.
    static func authorize(_ call: DialectCall) async throws -> Response {
        if let ticket = call.query[LinkEndpoints.ticket], !ticket.isEmpty {
            return try await LinkEndpoints.follow(ticket, call)
        }
        let provider = try await call.provider(named: ProviderName(call.query["provider"] ?? ""))
        return try await send(ProviderRequest(call.query, at: provider, of: call), linksTo: nil, call)
    }

    /// - Parameter linksTo: to whom the identity is to be linked; `nil` to sign in.
    static func send(
        _ request: ProviderRequest, linksTo: AuthenticatedUser?, _ call: DialectCall
    ) async throws -> Response {
        let cookies = BrowserCookies(url: call.dialect.settings.url.text)
        let browser = cookies.traveller(in: call.headers) ?? BrowserID(random: call.accounts.random)
        let callback = call.dialect.baseURL(of: call.directory) + "/callback"
        let (url, _) = try await call.accounts.beginFederatedSignIn(
            FederationRequest(
                provider: request.provider.name,
                redirectURI: ProviderKeeping(request.provider).redirectURI ?? callback, binding: browser.hash,
                continuation: ProviderContinuation(redirectTo: request.redirectTo, challenge: request.challenge).json,
                scopes: request.scopes, prompt: request.prompt, loginHint: request.loginHint, extra: request.extra,
                linksTo: linksTo, lifetime: .seconds(call.flow.settings.federation.flowLifetime)), call: call.flow)
        var response = Answer.found(at: url)
        response.headers.append(cookies.sendingAway(browser))
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// Where the provider sends the browser back to. Nobody is sent anywhere by a state that is not this browser's:
    /// only what it was sent away with says where it goes on.
    static func callback(_ call: DialectCall) async throws -> Response {
        let answer = try ProviderAnswer(call)
        let pending: PendingFederation
        do {
            pending = try await answer.pending(call)
        } catch let error as WireError {
            let site = RedirectTarget(url: call.flow.settings.siteURL ?? call.flow.links.home(of: call.directory))
            return Answer.redirect(to: site.adding(query: RedirectError(error).query))
        }
        guard let continuation = ProviderContinuation(pending.continuation) else {
            throw AuthError(.internalFailure, reason: "a browser was sent away with what says not where it goes on")
        }
        var response: Response
        do {
            response = Answer.found(at: try await answer.place(after: pending, continuation, call))
        } catch let error as RedirectError {
            response = Answer.found(at: error.target(continuation.redirectTo))
        }
        // What came by a form is not sent on (RFC 9700, section 4.12).
        if case .post = answer.method { response.status = .seeOther }
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

extension DialectCall {
    /// A provider that users may come by.
    ///
    /// - Throws: `validation_failed`, in the platform's words.
    func provider(named name: ProviderName) async throws -> IdentityProvider {
        func unsupported(_ reason: String) -> WireError { .validation("Unsupported provider: " + reason) }
        guard !name.isCustom || flow.settings.federation.customProviders else {
            throw unsupported("custom OAuth providers are disabled")
        }
        do {
            return try await accounts.identityProviders.usable(name.ours, in: directory.id)
        } catch let error as AuthError where error.code == .identityProviderDisabled {
            throw unsupported(name.isCustom ? "custom provider \(name.wire) is disabled" : "provider is not enabled")
        } catch let error as AuthError where error.code == .identityProviderNotFound {
            if name.isCustom { throw unsupported("custom provider \(name.wire) not found") }
            throw unsupported(
                name.isKnown ? "provider is not enabled" : "Provider \(name.wire) could not be found")
        }
    }

    /// What follows from a provider's word in this dialect.
    ///
    /// - Parameter ending: what a sign-in ends in.
    func federationPolicy(_ ending: FederationPolicy.Ending, isApple: Bool) -> FederationPolicy {
        // Its tokens may come without an address, which the platform takes.
        FederationPolicy(
            ending: ending, unvouched: .needsConfirmation, isEmailOptional: isApple, handsTokensOn: true)
    }
}
