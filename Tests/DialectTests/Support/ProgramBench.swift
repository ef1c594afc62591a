// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AppAPI
import AuthTypes
import CognitoAPI
import FirebaseAPI
import HTTPTypes
import OpenIDProvider
import ServerKit
import SupabaseAPI
import TestBench
import TestBenchHTTP
import Testing

/// Every surface that a program may call, over one store.
struct ProgramBench: Sendable {
    let accounts: AccountBench
    private let servers: [ProgramCall.Surface: HTTPBench]

    init() async throws {
        // With whatever has an operation that is not there without it.
        accounts = try await AccountBench { $0.passkeys.enabled = true }
        let (flows, clock, url) = (accounts.flows, accounts.clock, ServerURL("https://auth.example"))
        let tokens = OwnTokens(accounts.keys)
        let supabase = SupabaseDialect(accounts: flows, tokens: tokens, settings: .init(url: url))
        let firebase = FirebaseDialect(accounts: flows, tokens: tokens, settings: .init(url: url))
        let cognito = CognitoDialect(accounts: flows, tokens: tokens, settings: .init(url: url))
        let provider = OpenIDProvider(accounts: flows, tokens: tokens, settings: .init(url: url))
        let app = AppAPI(
            accounts: flows, tokens: tokens, issuers: [supabase, firebase, cognito], clock: { clock.now })
        let platform = HTTPBench(supabase, clock: clock)
        servers = [
            .supabase: platform, .management: platform, .firebase: HTTPBench(firebase, clock: clock),
            .cognito: HTTPBench(cognito, clock: clock), .openID: HTTPBench(provider, clock: clock),
            .app: HTTPBench(clock: clock, surfaces: app.surfaces, errors: app.errors) {
                app.addRoutes(to: $0, routes: $1, url: url)
            },
        ]
    }

    // MARK: Calls

    func send(_ call: ProgramCall) async throws -> HTTPBench.Reply {
        let server = try #require(servers[call.surface])
        var headers = HTTPFields()
        for (name, value) in call.headers { headers[try #require(HTTPField.Name(name))] = value }
        if call.body != nil, headers[.contentType] == nil { headers[.contentType] = "application/json" }
        return try await server.send(call.method, call.path, headers: headers, body: call.body.map { Array($0.utf8) })
    }

    func app(
        _ method: HTTPRequest.Method, _ path: String, key: String?, token: String? = nil
    ) async throws -> HTTPBench.Reply {
        var headers: [String: String] = [:]
        headers["x-api-key"] = key
        headers["authorization"] = token.map { "Bearer " + $0 }
        return try await send(
            ProgramCall(surface: .app, method: method, path: path, headers: headers, demand: .nothing))
    }

    /// Whether the surface has turned the caller away, as against having looked at what they want.
    static func isRefusal(_ reply: HTTPBench.Reply, by surface: ProgramCall.Surface) -> Bool {
        switch surface {
        case .app, .management, .openID: [401, 403].contains(reply.status)
        case .supabase:
            ["no_authorization", "bad_jwt", "not_admin"].contains(reply["error_code"]?.stringValue ?? "")
        case .firebase: [401, 403].contains(reply.status) || reply.text.contains("API key not valid")
        case .cognito:
            reply.status == 400
                && [
                    "NotAuthorizedException", "MissingAuthenticationTokenException", "IncompleteSignatureException",
                    "UnrecognizedClientException",
                ].contains(reply["__type"]?.stringValue ?? "")
        }
    }

    // MARK: What is there

    /// The text to come with; `nil` for nothing.
    func text(of credential: ProgramCredential, form: String? = nil) async throws -> String? {
        let (ports, directory, now) = (accounts.ports, accounts.directory, accounts.now)
        switch credential {
        case .nothing: return nil
        case .anonymousToken:
            return try await ProjectKeyIssuer(for: directory, keys: accounts.keys, at: now).anonymous
        case .serviceRoleToken:
            return try await ProjectKeyIssuer(for: directory, keys: accounts.keys, at: now).serviceRole.reveal()
        case .serviceAccount(let scopes):
            let (key, _) = try await accounts.flows.serviceAccountAdministration.create(
                "backend", scopes: scopes, in: directory, at: now)
            return try accounts.flows.serviceAccountAuthentication.accessToken(for: key, in: directory, at: now)
                .reveal()
        case .key(let kind, let scopes, let state):
            let administration = APIKeyAdministration(ports)
            // An expired one was made earlier.
            let made = state == .expired ? Instant(seconds: now.seconds - 60) : now
            let (key, secret) = try await administration.create(
                kind, name: "program", scopes: scopes, expiresAt: state == .expired ? now : nil, prefix: form,
                in: directory, at: made)
            if state == .revoked { try await administration.revoke(key.id, in: directory, at: now) }
            return state == .misspelt ? String(secret.reveal().dropLast()) + "-" : secret.reveal()
        }
    }

    func addUser() async throws -> UserID {
        var attributes = UserAttributes()
        attributes.email = try EmailAddress("ada@example.com")
        return try await accounts.flows.userAdministration.create(attributes, call: accounts.call()).user.id
    }

    /// What programs make and delete: users, Directories, keys of service accounts.
    func state() async throws -> [String] {
        let users = try await accounts.flows.userAdministration.page(after: nil, limit: 100, call: accounts.call())
        let directories = try await accounts.flows.directoryAdministration.list()
        let keys = try await accounts.flows.serviceAccountAdministration.list(in: accounts.directory)
        return users.users.map { "\($0.id) \($0.updatedAt)" } + directories.map { "\($0.id) \($0.updatedAt)" }
            + keys.map { "\($0.id) \(String(describing: $0.revokedAt))" }
    }
}
