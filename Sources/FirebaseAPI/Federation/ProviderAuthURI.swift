// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird

/// `accounts:createAuthUri` with a provider: the address that an app sends its user's browser to. What the browser
/// comes back with is good with the same `sessionId` alone.
enum ProviderAuthURI {
    private static let limit = 2048
    /// What this server itself says to a provider.
    private static let reserved: Set<String> = [
        "client_id", "client_secret", "response_type", "response_mode", "redirect_uri", "scope", "state", "nonce",
        "code_challenge", "code_challenge_method", "request", "request_uri",
    ]

    static func post(_ provider: ProviderID, _ call: DialectCall) async throws -> Response {
        _ = try await call.accounts.identityProviders.usable(provider.name, in: call.directory.id)
        let session = try bounded("sessionId", call) ?? Base64URL.encode(call.accounts.random.bytes(20))
        var extra = try parameters(call)
        if let domain = try bounded("hostedDomain", call) { extra["hd"] = domain }
        let (prompt, hint) = (extra.removeValue(forKey: "prompt"), extra.removeValue(forKey: "login_hint"))
        var continuation = JSONObject()
        continuation["context"] = try bounded("context", call).map { .string($0) }
        let scopes = try bounded("oauthScope", call)?.split(separator: " ").map { String($0) }
        let begun = try await call.accounts.beginFederatedSignIn(
            FederationRequest(
                provider: provider.name, redirectURI: try target(call), binding: PendingFederation.hash(of: session),
                continuation: continuation, scopes: scopes ?? [], prompt: prompt,
                loginHint: try hint ?? bounded("identifier", call), extra: extra),
            call: call.flow)
        var json = Kind.createAuthURI.object
        json["authUri"] = .string(begun.url)
        json["providerId"] = .string(provider.text)
        json["sessionId"] = .string(session)
        return Answer.object(json)
    }

    /// Where the provider sends the browser back to: a place of the project's, as for links.
    ///
    /// - Throws: `MISSING_CONTINUE_URI`, `INVALID_CONTINUE_URI`, `UNAUTHORIZED_DOMAIN`.
    private static func target(_ call: DialectCall) throws -> String {
        guard let text = try call.body.given("continueUri") else { throw WireError("MISSING_CONTINUE_URI") }
        let query = text.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        guard text.utf8.count <= limit, text.contains("://"), !text.contains("#"),
            !query.split(separator: "&").contains(where: { $0 == "state" || $0.hasPrefix("state=") })
        else { throw WireError("INVALID_CONTINUE_URI") }
        guard RedirectPolicy(call.flow.settings).allows(text) else {
            throw WireError("UNAUTHORIZED_DOMAIN", "Domain not allowlisted by project")
        }
        return text
    }

    /// What the app wants passed on.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` for what the platform reserves, for what is ours to say, and for too
    ///   much.
    private static func parameters(_ call: DialectCall) throws -> [String: String] {
        let given = try call.body.members("customParameter")?.object ?? [:]
        guard given.members.count <= 20 else { throw AuthError(.invalidRequest, field: "customParameter") }
        var parameters: [String: String] = [:]
        for member in given.members {
            guard let value = member.value.stringValue, value.utf8.count <= 512,
                (1...64).contains(member.name.utf8.count), !reserved.contains(member.name)
            else { throw AuthError(.invalidRequest, field: "customParameter") }
            parameters[member.name] = value
        }
        return parameters
    }

    private static func bounded(_ name: String, _ call: DialectCall) throws -> String? {
        let text = try call.body.given(name)
        guard text?.utf8.count ?? 0 <= limit else { throw AuthError(.invalidRequest, field: name) }
        return text
    }
}
