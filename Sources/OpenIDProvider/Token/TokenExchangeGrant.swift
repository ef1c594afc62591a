// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Hummingbird
import JOSE
import ServerKit
import TokenVerifier

/// `grant_type=urn:ietf:params:oauth:grant-type:token-exchange` (RFC 8693): a server that was handed a user's token
/// gets one for another API, to act there for that user. What it gets says who acts (`act`), covers no scope more, ends
/// no later, and ends with the same session.
enum TokenExchangeGrant {
    private static let maximumTargets = 10
    /// What the new token leaves out unless it is asked for: it is for an API, and not for the provider.
    private static let forProvider = [Scope.openID, Scope.offlineAccess]

    static func answer(_ call: ProviderCall, _ client: Client) async throws -> Response {
        guard !client.isPublic else {
            throw OAuthError.unauthorizedClient("A client that can't prove itself acts for nobody")
        }
        guard try type("requested_token_type", call) ?? .accessToken == .accessToken else {
            throw OAuthError.invalidRequest("requested_token_type: access tokens alone are given")
        }
        let subject = try await subject(call, client)
        let actor = try await actor(call, client)
        try requireAllowed(actor, by: subject)
        let resources = try targets(call, client) ?? inherited(subject, client)
        let scopes = try scopes(call, client, of: subject)
        let lifetime = client.settings.accessTokenLifetime ?? call.flow.settings.sessions.accessTokenLifetime
        let token = AccessToken(
            of: subject.holder, client: client.id, scopes: scopes, resources: resources,
            actor: chain(actor, before: subject), expiresAt: min(call.now + .seconds(lifetime), subject.expiresAt))
        try await call.accounts.noteTokenExchange(
            of: subject.holder, by: actor["sub"]?.stringValue ?? "", audience: token.audience(call.issuer),
            scopes: scopes, call: call.flow)
        return try await TokenResponse(access: token, issuedType: TokenType.accessToken.rawValue).answer(call)
    }

    // MARK: Who acts for whom

    private static func subject(_ call: ProviderCall, _ client: Client) async throws -> ExchangedToken {
        let text = try call.parameters.required("subject_token")
        _ = try call.parameters.required("subject_token_type")
        let type = try type("subject_token_type", call)
        guard let type, let subject = try await ExchangedToken(text, of: type, to: client, call) else {
            throw OAuthError.invalidRequest("subject_token is not valid, has ended, or was not given to this client")
        }
        return subject
    }

    /// Whoever acts: another user or program by their own token, else the client itself.
    private static func actor(_ call: ProviderCall, _ client: Client) async throws -> JSONObject {
        let type = try type("actor_token_type", call)
        guard let text = call.parameters["actor_token"] else {
            guard type == nil else { throw OAuthError.invalidRequest("actor_token is missing") }
            return [
                "sub": .string(AccessToken.subject(of: client.id)), "client_id": .string(client.id.rawValue),
            ]
        }
        guard type == .accessToken else {
            throw OAuthError.invalidRequest("actor_token_type: access tokens alone are taken")
        }
        guard let token = try await call.verifiedAccessToken(text), try await call.isLive(token),
            token.claims["cnf"] == nil, let subject = token.subject
        else { throw OAuthError.invalidRequest("actor_token is not valid, or has ended") }
        var actor: JSONObject = ["sub": .string(subject)]
        actor["client_id"] = token.claims["client_id"]
        return actor
    }

    /// Section 4.4: where the subject's token names who may act, nobody else does.
    private static func requireAllowed(_ actor: JSONObject, by subject: ExchangedToken) throws(OAuthError) {
        guard let allowed = subject.mayAct else { return }
        guard let names = allowed.objectValue, !names.isEmpty, names.members.allSatisfy({ actor[$0.name] == $0.value })
        else { throw .invalidRequest("subject_token may be acted for by another") }
    }

    /// Section 4.1: who acted before stays within.
    private static func chain(_ actor: JSONObject, before subject: ExchangedToken) -> JSONObject {
        var actor = actor
        actor["act"] = subject.actor
        return actor
    }

    // MARK: What it is for

    /// What `resource` and `audience` name, each one that the client is registered for; `nil` where they name nothing.
    private static func targets(_ call: ProviderCall, _ client: Client) throws(OAuthError) -> [String]? {
        var targets = try Resource.list(call.parameters)
        for name in call.parameters.all("audience") where !targets.contains(name) { targets.append(name) }
        guard targets.count <= maximumTargets,
            targets.allSatisfy(client.settings.authorization.resources.containsOctets)
        else { throw .invalidTarget("A resource or an audience is none that the client is registered for") }
        return targets.isEmpty ? nil : targets
    }

    /// Whom the subject's token is for, as far as the client is registered for them: that it was handed a token of
    /// theirs does not make it one of their clients.
    private static func inherited(_ subject: ExchangedToken, _ client: Client) throws(OAuthError) -> [String] {
        let own = subject.resources.filter(client.settings.authorization.resources.containsOctets)
        guard !own.isEmpty || subject.resources.isEmpty else {
            throw .invalidTarget("subject_token is for what the client is not registered for")
        }
        return own
    }

    private static func scopes(
        _ call: ProviderCall, _ client: Client, of subject: ExchangedToken
    ) throws(OAuthError) -> [String] {
        let open = subject.scopes.filter(client.settings.authorization.scopes.containsOctets)
        let asked = call.parameters.words("scope")
        guard asked.allSatisfy(open.containsOctets) else {
            throw .invalidScope("A scope is not the subject's, or the client is not registered for it")
        }
        return asked.isEmpty ? open.filter { !forProvider.contains($0) } : asked
    }

    private static func type(_ name: String, _ call: ProviderCall) throws(OAuthError) -> TokenType? {
        guard let text = call.parameters[name] else { return nil }
        guard let type = TokenType(rawValue: text) else { throw .invalidRequest("\(name) is not one that is taken") }
        return type
    }
}

/// What kinds of tokens are exchanged (RFC 8693, section 3).
enum TokenType: String, Sendable {
    case accessToken = "urn:ietf:params:oauth:token-type:access_token"
    case idToken = "urn:ietf:params:oauth:token-type:id_token"
}
