// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `provider`: leads to an identity provider that vouches for whoever signs in. `provider/return`: where that one sends
/// the browser back to, with its word or a no. What the browser is in the midst of is kept here meanwhile, and told to
/// nobody.
enum ProviderPage {
    static let path = "/provider"
    static let returnPath = AccountPlace.providerReturn
    private static let parameter = "name"

    /// What a provider sends back (RFC 6749, section 4.1.2; RFC 9207; Apple's `user`).
    private static let answers = ["state", "code", "error", "iss", "user"]

    /// Where an operator tells the provider that this Directory's users come back to: of another dialect's apps the
    /// place that they are registered with already.
    private static func redirectURI(_ call: PageCall) async throws -> String {
        let path = call.dialect?.providerReturnPath ?? AccountPlace.path(of: call.directory) + returnPath
        return try await call.origin() + path
    }

    static func get(_ call: PageCall) async throws -> Response {
        do {
            let name = call.query[parameter] ?? ""
            guard try await call.providers().contains(where: { $0.name == name }) else {
                throw AuthError(.identityProviderNotFound)
            }
            var continuation = JSONObject()
            continuation["request"] = call.pending.map { .string($0.id.rawValue) }
            continuation["device"] = call.deviceCode.map { .string($0) }
            continuation["errand"] = call.errand.map { .string($0.text) }
            let (url, _) = try await call.accounts.beginFederatedSignIn(
                FederationRequest(
                    provider: name, redirectURI: try await redirectURI(call), binding: call.browser.hash,
                    continuation: continuation, loginHint: call.pending?.parameters.loginHint), call: call.flow)
            return call.redirect(to: url)
        } catch let error as AuthError where error.isSaid {
            return try await refused(error, call)
        }
    }

    /// Leads whoever is signed in to a provider that they are to be known by, too.
    ///
    /// - Throws: what ``BeginFederatedSignIn`` does.
    static func link(_ name: String, to owner: AuthenticatedUser, _ call: PageCall) async throws -> Response {
        let (url, _) = try await call.accounts.beginFederatedSignIn(
            FederationRequest(
                provider: name, redirectURI: try await redirectURI(call), binding: call.browser.hash, linksTo: owner),
            call: call.flow)
        return call.redirect(to: url)
    }

    /// A form of another site's comes without the browser's cookies; the same by a link comes with them.
    static func post(_ call: PageCall) async throws -> Response {
        call.redirect(to: call.url(returnPath, answers.compactMap { name in call.form[name].map { (name, $0) } }))
    }

    static func back(_ call: PageCall) async throws -> Response {
        let pending = try await call.accounts.completeFederatedSignIn.pending(
            state: call.query["state"] ?? "", binding: call.browser.hash, call: call.flow)
        if pending.linksTo != nil { return try await linked(pending, call) }
        let call = try await call.going(on: pending.continuation)
        do {
            let outcome = try await call.accounts.completeFederatedSignIn(
                answer(call), to: pending, policy: FederationPolicy(schema: call.schema), call: call.flow)
            guard case .step(let next) = outcome.ending else {
                throw AuthError(.internalFailure, reason: "a sign-in that opens no session")
            }
            return try await call.conclude(next, name: outcome.record.user.label)
        } catch let error as AuthError where error.isSaid {
            return try await refused(error, call)
        }
    }

    /// The provider's word was asked for by somebody who is signed in, and signs nobody in.
    private static func linked(_ pending: PendingFederation, _ call: PageCall) async throws -> Response {
        let path = AccountErrand(.identities).path
        do {
            _ = try await call.accounts.completeFederatedSignIn(
                answer(call), to: pending, policy: FederationPolicy(ending: .nothing, schema: call.schema),
                call: call.flow)
            return call.redirect(to: call.url(path, [("notice", AccountNotice.linked.rawValue)]))
        } catch let error as AuthError where error.isSaid {
            return call.redirect(to: call.url(path, [(notice, error.code.rawValue)]))
        }
    }

    private static func answer(_ call: PageCall) -> UpstreamReturn {
        UpstreamReturn(
            code: call.query["code"].map { Secret($0) }, error: call.query["error"], issuer: call.query["iss"],
            user: call.query["user"])
    }

    // MARK: Refusals

    static let notice = "refused"

    /// The ways in are shown again, with what is the matter; unless the app's dialect has words for it, which the app
    /// is told.
    private static func refused(_ error: AuthError, _ call: PageCall) async throws -> Response {
        if let pending = call.pending, let fault = call.dialect?.fault(for: error) {
            try await call.accounts.refuseAuthorization(pending.id, fault, browser: call.browser, call: call.flow)
            return call.redirect(to: call.continuation)
        }
        return call.redirect(to: call.url("/sign-in", [(notice, error.code.rawValue)]))
    }

    /// What the sign-in page says of a way in that came to nothing. It says what it knows by a name, and nothing that
    /// an address says.
    static func refusal(_ call: PageCall) -> String? {
        guard let name = call.query[notice], let code = AuthErrorCode.allKnown.first(where: { $0.rawValue == name })
        else {
            return nil
        }
        return MessageCatalog.text(for: code, in: call.language)
    }

    // MARK: Ways in

    /// Links, one below the other; `nil` where there is no provider.
    static func ways(_ offers: [IdentityProviderCatalog.Offer], _ call: PageCall) -> HTML? {
        guard !offers.isEmpty else { return nil }
        let links: [HTML] = offers.map {
            let url = call.url(path, [(parameter, $0.name)])
            return #"<a class="button quiet" href="\#(url)">\#(call.html(.continueWith, ["provider": $0.label]))</a>"#
        }
        return #"<div class="pair">\#(links)</div>"#
    }
}

extension PageCall {
    /// By whom users may be vouched for here: those of the Directory, and of them those that the app wants.
    func providers() async throws -> [IdentityProviderCatalog.Offer] {
        let offers = try await accounts.identityProviderCatalog.offers(in: directory.id, at: flow.now)
        let wanted = app?.settings.authorization.identityProviders ?? []
        return wanted.isEmpty ? offers : offers.filter { wanted.contains($0.name) }
    }

    /// The call as one in the midst of what the browser was in when it was sent away. A request of an app's that is
    /// over meanwhile leaves whoever has signed in on their account's page.
    func going(on continuation: JSONObject) async throws -> PageCall {
        var call = self
        call.deviceCode = continuation["device"]?.stringValue
        call.errand = continuation["errand"]?.stringValue.flatMap { AccountErrand($0) }
        guard let id = continuation["request"]?.stringValue else { return call }
        do {
            let pending = try await accounts.continueAuthorization.find(
                PendingAuthorizationID(id), browser: browser, at: flow.now)
            call.pending = pending
            call.app = try await accounts.clients.client(pending.clientID, at: flow.now)
        } catch is AuthorizationRefusal {}
        return call
    }
}
