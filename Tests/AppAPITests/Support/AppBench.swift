// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AppAPI
import AuthTypes
import HTTPTypes
import JOSE
import Passwords
import ServerKit
import TestBench
import TestBenchHTTP
import TokenVerifier

/// This API over a store of its own, with one Directory, and access tokens as a dialect mints them.
struct AppBench {
    static let now = Instant(seconds: 1_780_000_000)
    static let issuer = "https://auth.example/v1"

    private let accounts: AccountBench
    private let http: HTTPBench

    init(
        administrators: Set<String> = ["admin", "testing"], administratorMaxAge: Int64? = nil,
        identityProviders: (any IdentityProviding)? = nil, _ change: (inout DirectorySettings) -> Void = { _ in }
    ) async throws {
        accounts = try await AccountBench(
            at: Self.now, passwords: NoPasswords(), identityProviders: identityProviders, change)
        let directory = accounts.directory
        let app = AppAPI(
            accounts: accounts.flows, tokens: OwnTokens(accounts.keys),
            issuers: [OneIssuer(directory: directory)], administrators: administrators,
            administratorMaxAge: administratorMaxAge, pool: DialectName("pool"), clock: { Self.now })
        http = HTTPBench(clock: accounts.clock, surfaces: app.surfaces, errors: app.errors) {
            app.addRoutes(to: $0, routes: $1, url: ServerURL("https://auth.example"))
        }
    }

    var mail: AccountBench { accounts }
    var ports: AccountPorts { accounts.ports }
    var directory: Directory { accounts.directory }
    var keys: KeyRing { accounts.keys }
    var call: CallContext { accounts.call() }

    func addUser(_ email: String, in groups: [String] = [], isVerified: Bool = true) async throws -> User {
        var attributes = UserAttributes()
        attributes.email = try EmailAddress(email)
        attributes.emailConfirm = isVerified
        let user = try await UserAdministration(ports).create(attributes, call: call).user
        for group in groups {
            _ = try? await GroupAdministration(ports).create(name: group, call: call)
            _ = try await GroupAdministration(ports).add(user.id, to: group, call: call)
        }
        return user
    }

    /// The access token of a new session.
    func signIn(
        _ user: User, changes: JSONObject = [:], key: SigningKey? = nil, assurance: AssuranceLevel = .aal1
    ) async throws -> String {
        let id = SessionID(ports.random.uuid())
        let (family, _) = RefreshTokenFamily.open(for: id, secret: ports.random.bytes(24))
        let session = Session(
            id: id, directoryID: directory.id, userID: user.id, device: DeviceMetadata(name: "phone"),
            methods: [AuthenticationMethod(.password, at: Self.now)], assurance: assurance, createdAt: Self.now,
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

    /// Whatever a stranger's program sends.
    func send(
        _ method: HTTPRequest.Method, _ uri: String, headers: HTTPFields = [:], bytes: [UInt8]
    ) async throws -> HTTPBench.Reply {
        try await http.send(method, uri, headers: headers, body: bytes)
    }

    func send(
        _ method: HTTPRequest.Method, _ uri: String, token: String?, body: JSONObject? = nil
    ) async throws -> (status: HTTPResponse.Status, challenge: String?, json: JSONObject) {
        let headers: HTTPFields = token.map { [.authorization: "Bearer \($0)"] } ?? [:]
        let answer = try await http.send(method, uri, headers: headers, body: body.map { Array($0.serialized()) })
        return (HTTPResponse.Status(code: answer.status), answer.headers[.wwwAuthenticate], answer.json)
    }
}

private struct OneIssuer: OwnIssuers {
    let directory: Directory

    func issuer(of claims: JWTClaims, at now: Instant) async throws -> OwnIssuer? {
        guard claims.issuer == AppBench.issuer else { return nil }
        return OwnIssuer(
            AppBench.issuer, of: directory, audience: "authenticated", keys: .tokens, sessionClaim: "session_id",
            links: PlainLinks()
        ) { keys in
            .latchkey(
                url: AppBench.issuer, audiences: ["authenticated"], keys: keys, algorithms: [.es256], leeway: .zero)
        }
    }
}

/// Nobody signs in with a password here.
private struct NoPasswords: PasswordHashing {
    func verify(_: Secret<String>, against _: PasswordHash?) async throws -> PasswordVerdict { .mismatch }
    func hash(_: Secret<String>) async throws -> PasswordHash { throw AuthError(.unsupported) }
}
