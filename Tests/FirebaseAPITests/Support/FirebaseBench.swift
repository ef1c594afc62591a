// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Foundation
import HTTPTypes
import JOSE
import ServerKit
import TestBench
import TestBenchHTTP
import Testing

@testable import FirebaseAPI

/// This dialect over a store of its own, with one project, a key for its apps and one for its operator.
final class FirebaseBench: Sendable {
    static let start = Instant(microseconds: 1_780_000_000_250_000)
    static let password = "Correct-horse-7-battery"
    static let toolkit = "/identitytoolkit.googleapis.com"

    let dialect: FirebaseDialect
    /// What other people's identity providers say.
    let providers = ScriptedIdentityProviders()
    /// The publishable and the secret key of the project.
    let key: String
    let secret: String
    private let accounts: AccountBench
    private let http: HTTPBench

    init(
        development: Bool = false, reachesPhones: Bool = true, hooks: Hooks = Hooks(),
        _ change: (inout DirectorySettings) -> Void = { _ in }
    ) async throws {
        let accounts = try await AccountBench(
            at: Self.start, reachesPhones: reachesPhones, identityProviders: providers, hooks: hooks
        ) {
            $0.redirectAllowList = ["https://app.example/**"]
            change(&$0)
        }
        let directory = accounts.directory
        let administration = APIKeyAdministration(accounts.ports)
        key = try await administration.create(.publishable, name: "app", in: directory, at: Self.start).secret.reveal()
        secret = try await administration.create(.secret, name: "backend", in: directory, at: Self.start).secret
            .reveal()
        dialect = FirebaseDialect(
            accounts: accounts.flows, tokens: OwnTokens(accounts.keys),
            settings: .init(
                url: ServerURL("https://auth.example"), acceptsOwnerToken: development, acceptsAnyKey: development,
                acceptsUnsignedTokens: development))
        http = HTTPBench(dialect, clock: accounts.clock)
        hooks.forms.add(FirebaseHookForm(accounts.keys), of: FirebaseDialect.name)
        self.accounts = accounts
    }

    var ports: AccountPorts { accounts.ports }
    var keys: KeyRing { accounts.keys }
    var directories: DirectoryCatalog { accounts.directories }
    var directory: Directory { accounts.directory }
    var now: Instant { accounts.now }

    func advance(_ span: TimeSpan) { accounts.advance(by: span) }
    func change(_ change: (inout DirectorySettings) -> Void) async throws { try await accounts.change(change) }

    // MARK: Requests

    struct Reply: Sendable {
        var status: Int
        var headers: HTTPFields
        var text: String

        var json: JSONObject { (try? JSONObject(parsing: Array(text.utf8))) ?? [:] }
        subscript(name: String) -> JSONValue? { json[name] }
        /// The code of an error: what stands before the first colon, as clients read it.
        var code: String? {
            json["error"]?.objectValue?["message"]?.stringValue
                .map { $0.split(separator: ":", maxSplits: 1).first.map(String.init) ?? "" }
                .map { $0.last == " " ? String($0.dropLast()) : $0 }
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ uri: String, body: String? = nil, headers: HTTPFields = [:]
    ) async throws -> Reply {
        let reply = try await http.send(method, uri, headers: headers, body: body.map { Array($0.utf8) })
        return Reply(status: reply.status, headers: reply.headers, text: reply.text)
    }

    /// A client's call: with the project's key, and without saying of what type the body is, as some clients do.
    func call(_ operation: String, _ body: JSONObject, key: String? = nil) async throws -> Reply {
        try await send(
            .post, "\(Self.toolkit)/v1/accounts:\(operation)?key=\(key ?? self.key)",
            body: JSONValue.object(body).text)
    }

    /// An administrator's call.
    func administer(
        _ rest: String, _ body: JSONObject = [:], method: HTTPRequest.Method = .post, token: String? = nil,
        project: String = "default", version: String = "v1"
    ) async throws -> Reply {
        try await send(
            method, "\(Self.toolkit)/\(version)/projects/\(project)\(rest)",
            body: method == .get ? nil : JSONValue.object(body).text,
            headers: [.authorization: "Bearer \(token ?? secret)"])
    }

    /// Presses the button of a mailed link's page, as a browser does.
    func press(
        _ link: String, continueURL: String? = nil, origin: String? = "https://auth.example"
    ) async throws -> Reply {
        let fields = [
            ("mode", Self.parameter("mode", of: link)), ("oobCode", Self.parameter("oobCode", of: link)),
            ("continueUrl", continueURL ?? Self.parameter("continueUrl", of: link)),
            ("tenantId", Self.parameter("tenantId", of: link)),
        ]
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        headers[.origin] = origin
        let body = URLText.query(fields.compactMap { field in field.1.map { (field.0, $0) } })
        return try await send(.post, "/__/auth/action", body: body, headers: headers)
    }

    func refresh(_ token: String, key: String? = nil) async throws -> Reply {
        try await send(
            .post, "/securetoken.googleapis.com/v1/token?key=\(key ?? self.key)",
            body: "grant_type=refresh_token&refresh_token=\(token)",
            headers: [.contentType: "application/x-www-form-urlencoded"])
    }

    // MARK: Users

    /// A user with a confirmed address and a password.
    @discardableResult
    func addUser(_ email: String, confirmed: Bool = true) async throws -> String {
        let reply = try await administer(
            "/accounts",
            ["email": .string(email), "password": .string(Self.password), "emailVerified": .bool(confirmed)])
        return try #require(reply["localId"]?.stringValue, "\(reply.text)")
    }

    func signIn(_ email: String, password: String = FirebaseBench.password) async throws -> Reply {
        try await call(
            "signInWithPassword",
            ["email": .string(email), "password": .string(password), "returnSecureToken": true])
    }

    /// What the token says, unjudged.
    static func claims(_ token: String?) throws -> JSONObject {
        let parsed = try ParsedJWS(parsing: try #require(token).utf8)
        return try JSONObject(parsing: parsed.payload)
    }

    /// The newest mail to an address.
    func mail(_ address: String, kind: String? = nil) async throws -> OutboxMessage {
        try await accounts.message(to: address, kind: kind)
    }

    func mailCount(_ address: String) async throws -> Int { try await accounts.messages(to: address).count }

    /// A parameter of the link in a mail.
    static func parameter(_ name: String, of link: String?) -> String? {
        let items = link.flatMap { URLComponents(string: $0) }?.queryItems
        return items?.first { $0.name == name }?.value
    }
}
