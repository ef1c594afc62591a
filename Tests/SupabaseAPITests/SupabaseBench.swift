// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// This dialect with one project, its two keys, and one proxy in front that says who calls.
struct SupabaseBench: Sendable {
    static let password = AccountBench.password
    static let prefix = "/auth/v1"

    let accounts: AccountBench
    let dialect: SupabaseDialect
    let anon: String
    let service: String
    private let http: HTTPBench

    init(
        requiresAPIKey: Bool = true, reachesPhones: Bool = true, honoursSharedSecret: Bool = false,
        identityProviders: (any IdentityProviding)? = nil, hooks: Hooks = Hooks(),
        _ change: (inout DirectorySettings) -> Void = { _ in }
    ) async throws {
        accounts = try await AccountBench(
            reachesPhones: reachesPhones, identityProviders: identityProviders, hooks: hooks
        ) {
            $0.siteURL = "https://app.example"
            $0.redirectAllowList = ["https://app.example/**", "myapp://callback"]
            change(&$0)
        }
        dialect = SupabaseDialect(
            accounts: accounts.flows, tokens: OwnTokens(accounts.keys),
            settings: .init(
                url: ServerURL("https://auth.example"), requiresAPIKey: requiresAPIKey,
                honoursSharedSecret: honoursSharedSecret))
        http = HTTPBench(dialect, clock: accounts.clock, proxies: 1)
        let issued = try await ProjectKeyIssuer(for: accounts.directory, keys: accounts.keys, at: accounts.now)
        anon = issued.anonymous
        service = issued.serviceRole.reveal()
    }

    // MARK: Calls

    /// - Parameters:
    ///   - key: the `apikey` header; the app's own key unless told, none for an empty text.
    ///   - client: the address that the call comes from.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONObject? = nil, raw: String? = nil,
        token: String? = nil, key: String? = nil, from client: String = "192.0.2.1", version: String? = nil,
        headers further: [String: String] = [:]
    ) async throws -> HTTPBench.Reply {
        var headers = HTTPFields()
        func set(_ name: String, _ value: String?) {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        let key = key ?? anon
        set("apikey", key.isEmpty ? nil : key)
        set("authorization", token.map { "Bearer " + $0 })
        set("x-forwarded-for", client)
        set("x-supabase-api-version", version)
        let text = raw ?? body.map { JSONValue.object($0).text }
        if text != nil { set("content-type", "application/json") }
        for (name, value) in further { set(name, value) }
        let uri = path.hasPrefix("/directories") || path.hasPrefix("/api.") ? path : Self.prefix + path
        return try await http.send(method, uri, headers: headers, body: text.map { Array($0.utf8) })
    }

    func post(
        _ path: String, _ body: JSONObject = [:], token: String? = nil, from client: String = "192.0.2.1"
    ) async throws -> HTTPBench.Reply { try await send(.post, path, body, token: token, from: client) }

    func get(_ path: String, token: String? = nil) async throws -> HTTPBench.Reply {
        try await send(.get, path, token: token)
    }

    func put(_ path: String, _ body: JSONObject, token: String? = nil) async throws -> HTTPBench.Reply {
        try await send(.put, path, body, token: token)
    }

    /// A call of the operator's own programs.
    func administer(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONObject? = nil
    ) async throws -> HTTPBench.Reply { try await send(method, path, body, token: service, key: service) }

    // MARK: Users

    /// A user with a confirmed address and a password.
    @discardableResult
    func addUser(_ email: String, _ members: JSONObject = [:]) async throws -> String {
        let body: JSONObject = [
            "email": .string(email), "password": .string(Self.password), "email_confirm": true,
        ]
        let reply = try await administer(.post, "/admin/users", body.merging(members))
        return try #require(reply["id"]?.stringValue, "\(reply.text)")
    }

    func signIn(
        _ email: String, password: String = SupabaseBench.password, from client: String = "192.0.2.1"
    ) async throws -> HTTPBench.Reply {
        try await post(
            "/token?grant_type=password", ["email": .string(email), "password": .string(password)], from: client)
    }

    /// Access and refresh token of a new session.
    func session(of email: String) async throws -> (access: String, refresh: String) {
        let reply = try await signIn(email)
        return (
            try #require(reply["access_token"]?.stringValue, "\(reply.text)"),
            try #require(reply["refresh_token"]?.stringValue)
        )
    }

    func refresh(_ token: String) async throws -> HTTPBench.Reply {
        try await post("/token?grant_type=refresh_token", ["refresh_token": .string(token)])
    }

    /// What the token says, unjudged.
    static func claims(_ token: String?) throws -> JSONObject {
        let parsed = try ParsedJWS(parsing: try #require(token).utf8)
        return try JSONObject(parsing: parsed.payload)
    }
}

extension HTTPBench.Reply {
    /// The stable code of an error, in the older form.
    var code: String? { json["error_code"]?.stringValue }
    var names: Set<String> { Set(json.names) }
    /// Status and code in a line.
    var outcome: String { "\(status) \(code ?? "")" }
}
