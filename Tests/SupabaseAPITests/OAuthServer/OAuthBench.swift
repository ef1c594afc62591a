// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// The dialect with its OAuth server switched on, one user who is signed in to the site, and a client.
struct OAuthBench: Sendable {
    static let redirectURI = "https://rp.example/callback"
    static let verifier = String(repeating: "v", count: 64)
    static let challenge = PKCE.challenge(for: verifier)

    let bench: SupabaseBench
    let user: String
    /// Of the site.
    let access: String
    let client: String
    let secret: String

    init(
        _ members: JSONObject = [:], _ change: (inout DirectorySettings) -> Void = { _ in }
    ) async throws {
        bench = try await SupabaseBench {
            $0.oauthServer.enabled = true
            $0.oauthServer.authorizationPath = "/oauth/consent"
            change(&$0)
        }
        user = try await bench.addUser("ada@example.com", ["user_metadata": ["name": "Ada"]])
        access = try await bench.session(of: "ada@example.com").access
        let reply = try await bench.administer(
            .post, "/admin/oauth/clients", Self.registration.merging(members))
        client = try #require(reply["client_id"]?.stringValue, "\(reply.text)")
        secret = reply["client_secret"]?.stringValue ?? ""
    }

    static let registration: JSONObject = [
        "client_name": "Notes", "redirect_uris": [.string(redirectURI)],
        "token_endpoint_auth_method": "client_secret_post",
    ]

    // MARK: The browser's way

    /// A good request with changes; `nil` leaves a parameter out.
    func authorize(_ changes: [String: String?] = [:]) async throws -> HTTPBench.Reply {
        var query: [String: String?] = [
            "client_id": client, "redirect_uri": Self.redirectURI, "response_type": "code", "scope": "openid email",
            "state": "s-1", "nonce": "n-1", "code_challenge": Self.challenge, "code_challenge_method": "S256",
        ]
        query.merge(changes) { $1 }
        let text = RedirectTarget.encode(query.compactMap { name, value in value.map { (name, $0) } })
        return try await bench.send(.get, "/oauth/authorize?" + text, key: "")
    }

    /// The identifier of a request that waits for its user.
    func pending(_ changes: [String: String?] = [:]) async throws -> String {
        let reply = try await authorize(changes)
        let location = try #require(reply.headers[.location], "\(reply.text)")
        #expect(location.hasPrefix("https://app.example/oauth/consent?authorization_id="), "\(location)")
        return String(location.split(separator: "=")[1])
    }

    func look(_ id: String, token: String? = nil, from origin: String? = nil) async throws -> HTTPBench.Reply {
        try await bench.send(
            .get, "/oauth/authorizations/" + id, token: token ?? access, headers: origin.map { ["origin": $0] } ?? [:])
    }

    func answer(_ id: String, _ action: String = "approve", token: String? = nil) async throws -> HTTPBench.Reply {
        try await bench.post(
            "/oauth/authorizations/\(id)/consent", ["action": .string(action)], token: token ?? access)
    }

    /// The code of an approved request.
    func code(_ changes: [String: String?] = [:]) async throws -> String {
        let id = try await pending(changes)
        var reply = try await look(id)
        if reply["redirect_url"] == nil { reply = try await answer(id) }
        return try Self.parameter("code", of: reply)
    }

    /// Of the URL that an answer leads to.
    static func parameter(_ name: String, of reply: HTTPBench.Reply) throws -> String {
        let url = try #require(reply["redirect_url"]?.stringValue, "\(reply.text)")
        let query = url.split(separator: "?").last ?? ""
        let pair = query.split(separator: "&").first { $0.hasPrefix(name + "=") }
        return String(try #require(pair, "\(url)").dropFirst(name.count + 1))
    }

    // MARK: The client's way

    func token(_ form: [String: String?], headers: [String: String] = [:]) async throws -> HTTPBench.Reply {
        var form = form
        if headers["authorization"] == nil {
            form.merge(["client_id": client, "client_secret": secret.isEmpty ? nil : secret]) { given, _ in given }
        }
        let text = RedirectTarget.encode(form.compactMap { name, value in value.map { (name, $0) } })
        return try await bench.send(
            .post, "/oauth/token", raw: text, key: "",
            headers: ["content-type": "application/x-www-form-urlencoded"].merging(headers) { $1 })
    }

    func redeem(_ code: String, _ changes: [String: String?] = [:]) async throws -> HTTPBench.Reply {
        let form: [String: String?] = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI,
            "code_verifier": Self.verifier,
        ]
        return try await token(form.merging(changes) { $1 })
    }

    /// Tokens of the client.
    func tokens(_ changes: [String: String?] = [:]) async throws -> (access: String, refresh: String) {
        let reply = try await redeem(code(changes))
        return (
            try #require(reply["access_token"]?.stringValue, "\(reply.text)"),
            try #require(reply["refresh_token"]?.stringValue)
        )
    }

    func refresh(_ token: String) async throws -> HTTPBench.Reply {
        try await self.token(["grant_type": "refresh_token", "refresh_token": token])
    }
}
