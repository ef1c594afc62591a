// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AccountStoreSQLite
import Accounts
import AppAPI
import AuthTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JOSE
import Mail
import Passwords
import ServerKit
import TokenVerifier

/// This API over a store of its own, with one Directory, and access tokens as a dialect mints them.
struct AppBench {
    static let now = Instant(seconds: 1_780_000_000)
    static let issuer = "https://auth.example/v1"

    let ports: AccountPorts
    let directory: Directory
    let keys: KeyRing
    private let router: Router<LatchkeyRequestContext>
    private let folder: Folder

    init(administrators: Set<String> = ["admin", "testing"]) async throws {
        folder = try Folder()
        let random = SystemRandomSource()
        let store = try SQLiteAccountStore(path: folder.url.appendingPathComponent("accounts.sqlite").path)
        ports = AccountPorts(
            store: store, passwords: NoPasswords(), random: random,
            messages: MessageComposer(defaults: try MailTemplates(), random: random))
        keys = KeyRing(store: store, random: random)
        directory = try await DirectoryAdministration(ports).create(name: "default", at: Self.now)
        let app = AppAPI(
            accounts: AccountFlows(ports, keys: keys), tokens: OwnTokens(keys),
            issuers: [OneIssuer(directory: directory)], administrators: administrators,
            clock: { Self.now })
        router = Router(context: LatchkeyRequestContext.self)
        let routes = KnownRoutes()
        router.add(
            middleware: RequestSetup(clock: { Self.now }, random: random, proxies: TrustedProxies(hops: 0)))
        router.add(middleware: SurfaceErrors(surfaces: app.surfaces, routes: routes, fallback: app.errors))
        app.addRoutes(to: router, routes: routes, url: ServerURL("https://auth.example"))
    }

    var call: CallContext {
        CallContext(
            directory: directory, now: Self.now, device: DeviceMetadata(), language: .en, links: NoLinks(),
            actor: .commandLine)
    }

    func addUser(_ email: String, in groups: [String] = []) async throws -> User {
        var attributes = UserAttributes()
        attributes.email = try EmailAddress(email)
        let user = try await UserAdministration(ports).create(attributes, call: call).user
        for group in groups {
            _ = try? await GroupAdministration(ports).create(name: group, call: call)
            _ = try await GroupAdministration(ports).add(user.id, to: group, call: call)
        }
        return user
    }

    /// The access token of a new session.
    func signIn(_ user: User, changes: JSONObject = [:], key: SigningKey? = nil) async throws -> String {
        let id = SessionID(ports.random.uuid())
        let (family, _) = RefreshTokenFamily.open(for: id, secret: ports.random.bytes(24))
        let session = Session(
            id: id, directoryID: directory.id, userID: user.id, device: DeviceMetadata(name: "phone"),
            methods: [AuthenticationMethod(.password, at: Self.now)], assurance: .aal1, createdAt: Self.now,
            lastActiveAt: Self.now, notAfter: nil, family: family)
        try await ports.store.write { try $0.insert(session) }
        let claims: JSONObject = [
            "iss": .string(Self.issuer), "sub": .string(user.id.rawValue), "aud": "authenticated",
            "iat": .integer(Self.now.seconds), "exp": .integer(Self.now.seconds + 3600), "role": "authenticated",
            "aal": "aal1", "session_id": .string(id.rawValue), "app_metadata": [:], "is_anonymous": false,
        ]
        let own = try await keys.signingKey(.tokens, of: directory, at: Self.now)
        return try JWS.sign(claims.merging(changes), with: key ?? own)
    }

    func send(
        _ method: HTTPRequest.Method, _ uri: String, token: String?
    ) async throws -> (status: HTTPResponse.Status, challenge: String?, json: JSONObject) {
        let application = Application(responder: router.buildResponder())
        let headers: HTTPFields = token.map { [.authorization: "Bearer \($0)"] } ?? [:]
        let answer = try await application.test(.router) {
            try await $0.execute(uri: uri, method: method, headers: headers)
        }
        let json = try JSONObject(parsing: Array(String(buffer: answer.body).utf8))
        return (answer.status, answer.headers[.wwwAuthenticate], json)
    }
}

private struct OneIssuer: OwnIssuers {
    let directory: Directory

    func issuer(of claims: JWTClaims, at now: Instant) async throws -> OwnIssuer? {
        guard claims.issuer == AppBench.issuer else { return nil }
        return OwnIssuer(
            AppBench.issuer, of: directory, audience: "authenticated", keys: .tokens, sessionClaim: "session_id"
        ) { keys in
            .latchkey(
                url: AppBench.issuer, audiences: ["authenticated"], keys: keys, algorithms: [.es256], leeway: .zero)
        }
    }
}

private struct NoLinks: VerificationLinks {
    func link(for _: OneTimeToken.Purpose, token _: String, redirectTo: String, in _: Directory) -> String {
        redirectTo
    }
}

/// Nobody signs in with a password here.
private struct NoPasswords: PasswordHashing {
    func verify(_: Secret<String>, against _: PasswordHash?) async throws -> PasswordVerdict { .mismatch }
    func hash(_: Secret<String>) async throws -> PasswordHash { throw AuthError(.unsupported) }
}

/// A folder that goes with the last copy of the bench.
private final class Folder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("latchkey-app-" + SystemRandomSource().uuid())
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
