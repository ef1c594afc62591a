// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import ServerKit

/// What an app asks for when it sends somebody's browser here. It stands in the page's form again, and is judged again
/// when that comes back: nothing is kept of it meanwhile.
struct AuthorizationRequest: Sendable {
    let vendor: Vendor
    let clientID: String
    let redirectURI: String
    let state: String?
    let nonce: String?
    let challenge: String?
    let scopes: [String]
    let prompts: [String]
    let loginHint: String?
    let isOffline: Bool
    /// Whether the answer is a form that the browser posts (OAuth 2.0 Form Post Response Mode).
    let answersByForm: Bool
    /// Microsoft's directory that is asked.
    let tenant: String

    /// The parameters that a page's form repeats.
    static let parameters = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "prompt", "login_hint", "access_type", "hd", "tenant",
    ]

    /// - Throws: what is said on a page; ``Told`` for what the app is told.
    init(_ call: Call) throws {
        vendor = try call.vendor
        clientID = try call.required("client_id")
        guard vendor.registration.knows(clientID) else {
            throw OAuthError(.unauthorized, "invalid_client", "The OAuth client was not found")
        }
        redirectURI = try call.required("redirect_uri")
        guard Self.isOfThisMachine(redirectURI, call) else {
            throw OAuthError(
                .badRequest, "redirect_uri_mismatch", "In development mode browsers are sent to this machine alone")
        }
        state = call["state"]
        nonce = call["nonce"]
        challenge = call["code_challenge"]
        scopes = (call["scope"] ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        prompts = (call["prompt"] ?? "").split(separator: " ").map(String.init)
        loginHint = call["login_hint"]
        isOffline = call["access_type"] == "offline" || scopes.contains("offline_access")
        tenant = call["tenant"] ?? "common"
        let mode = call["response_mode"] ?? "query"
        answersByForm = mode == "form_post" && vendor != .gitHub && vendor != .facebook && vendor != .google
        if vendor == .apple, !answersByForm, scopes.contains("name") || scopes.contains("email") {
            throw OAuthError(
                .badRequest, "invalid_request",
                "response_mode must be form_post when name or email scope is requested.")
        }
        if vendor == .microsoft, !["common", "organizations", "consumers"].contains(tenant), !UUIDText.accepts(tenant) {
            throw OAuthError(.badRequest, "invalid_request", "AADSTS90002: Tenant not found")
        }
        // From here on the app is known, and is told.
        let type = call["response_type"] ?? "code"
        guard type == "code" || vendor == .apple && type == "code id_token" else {
            throw Told(self, "unsupported_response_type", "Only codes are given here")
        }
        guard ["query", "form_post"].contains(mode), answersByForm || mode == "query" else {
            throw Told(self, "invalid_request", "This response_mode is not known here")
        }
        // PKCE (RFC 7636); without a method it would be `plain`.
        guard challenge.map({ PKCE.isChallenge($0) && call["code_challenge_method"] == "S256" }) ?? true else {
            throw Told(self, "invalid_request", "The code_challenge is not one of S256")
        }
        if vendor == .openID, !scopes.contains("openid") {
            throw Told(self, "invalid_scope", "The scope openid is missing")
        }
    }

    /// An error that goes back to the app.
    struct Told: Error {
        var request: AuthorizationRequest
        var code: String
        var description: String

        init(_ request: AuthorizationRequest, _ code: String, _ description: String) {
            (self.request, self.code, self.description) = (request, code, description)
        }
    }

    /// Read strictly, so that no browser goes elsewhere: nobody's name in front of the host, nothing that is read in
    /// two ways.
    private static func isOfThisMachine(_ uri: String, _ call: Call) -> Bool {
        guard uri.utf8.count <= 2_000, uri.utf8.allSatisfy({ (33...126).contains($0) }),
            !uri.utf8.contains(where: { "\\#\"<>".utf8.contains($0) }),
            let scheme = ["http://", "https://"].first(where: { uri.hasPrefix($0) })
        else { return false }
        let authority = uri.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        let origin = scheme + authority
        guard !authority.isEmpty, !authority.contains("@"), !authority.contains("%") else { return false }
        let own = call.url.hasSuffix("/") ? String(call.url.dropLast()) : call.url
        return origin == own || own.hasPrefix(origin + "/") || call.provider.ports.callers.isAllowed(origin: origin)
    }
}
