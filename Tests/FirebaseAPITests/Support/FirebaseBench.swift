// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import Accounts
import AuthTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JOSE
import Mail
import Passwords
import ServerKit
import Synchronization
import Testing

@testable import FirebaseAPI

/// This dialect over a store of its own, with one project, a key for its apps and one for its operator.
final class FirebaseBench: Sendable {
    static let start = Instant(microseconds: 1_780_000_000_250_000)
    static let password = "Correct-horse-7-battery"
    static let toolkit = "/identitytoolkit.googleapis.com"

    let ports: AccountPorts
    let keys: KeyRing
    let directories: DirectoryCatalog
    let directory: Directory
    let dialect: FirebaseDialect
    /// The publishable and the secret key of the project.
    let key: String
    let secret: String
    private let responder: RouterResponder<LatchkeyRequestContext>
    private let folder: Folder
    private let clock: Clock

    init(
        development: Bool = false, _ change: (inout DirectorySettings) -> Void = { _ in }
    ) async throws {
        let folder = try Folder()
        let clock = Clock(Self.start)
        let random = SystemRandomSource()
        let store = try SQLiteAccountStore(path: folder.url.appendingPathComponent("accounts.sqlite").path)
        let pool = PasswordHashingPool(
            parameters: Argon2Parameters(memoryKiB: 8, iterations: 1, parallelism: 1), threads: 1,
            random: random, clock: { clock.now })
        ports = AccountPorts(
            store: store, passwords: pool, random: random,
            messages: MessageComposer(defaults: try MailTemplates(), random: random))
        keys = KeyRing(store: store, random: random)
        let accounts = AccountFlows(ports, keys: keys)
        directories = accounts.directories
        var settings = DirectorySettings()
        settings.redirectAllowList = ["https://app.example/**"]
        change(&settings)
        directory = try await DirectoryAdministration(ports).create(name: "default", settings: settings, at: Self.start)
        let administration = APIKeyAdministration(ports)
        key = try await administration.create(.publishable, name: "app", in: directory, at: Self.start).secret.reveal()
        secret = try await administration.create(.secret, name: "backend", in: directory, at: Self.start).secret
            .reveal()
        dialect = FirebaseDialect(
            accounts: accounts, tokens: OwnTokens(keys),
            settings: .init(
                url: ServerURL("https://auth.example"), acceptsOwnerToken: development, acceptsAnyKey: development))
        let router = Router(context: LatchkeyRequestContext.self)
        let routes = KnownRoutes()
        router.add(
            middleware: RequestSetup(clock: { clock.now }, random: random, proxies: TrustedProxies(hops: 0)))
        router.add(middleware: SurfaceErrors(surfaces: dialect.surfaces, routes: routes, fallback: dialect.errors))
        dialect.addRoutes(to: router, routes: routes)
        responder = router.buildResponder()
        self.folder = folder
        self.clock = clock
    }

    var now: Instant { clock.now }

    func advance(_ span: Span) { clock.advance(span) }

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
        let application = Application(responder: responder)
        let answer = try await application.test(.router) {
            try await $0.execute(
                uri: uri, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
        return Reply(
            status: answer.status.code, headers: answer.headers, text: String(buffer: answer.body))
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
        let messages = try await ports.store.read { try $0.outbox(in: nil, recipient: address, limit: 50) }
        return try #require(messages.first { kind == nil || $0.kind == kind })
    }

    func mailCount(_ address: String) async throws -> Int {
        try await ports.store.read { try $0.outbox(in: nil, recipient: address, limit: 50) }.count
    }

    /// A parameter of the link in a mail.
    static func parameter(_ name: String, of link: String?) -> String? {
        let items = link.flatMap { URLComponents(string: $0) }?.queryItems
        return items?.first { $0.name == name }?.value
    }
}

/// A folder that goes with the last copy of the bench.
private final class Folder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("latchkey-fb-" + SystemRandomSource().uuid())
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// A clock that moves when it is told to.
private final class Clock: Sendable {
    private let instant: Mutex<Instant>

    init(_ instant: Instant) { self.instant = Mutex(instant) }

    var now: Instant { instant.withLock { $0 } }
    func advance(_ span: Span) { instant.withLock { $0 = $0 + span } }
}
