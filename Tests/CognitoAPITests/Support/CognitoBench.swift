// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import ServerKit
import TestBench
import TestBenchHTTP

@testable import CognitoAPI

/// This dialect over a store of its own, with its routes and its rendering of errors, and a clock that stands still
/// until it is moved. A call goes in and comes out as the client would send and read it.
final class CognitoBench: Sendable {
    static let now = Instant(seconds: 1_780_000_000)
    static let password = "Correct-horse-7-battery"
    /// The form of an administrator's signature, over nothing.
    static let unchecked =
        "AWS4-HMAC-SHA256 Credential=testkey/20260528/us-east-1/cognito-idp/aws4_request, "
        + "SignedHeaders=host;x-amz-date, Signature=" + String(repeating: "0", count: 64)

    /// What one call was answered.
    struct Reply: Sendable {
        var status: Int
        var headers: HTTPFields
        var json: JSONObject

        /// The exception's name, as the body has it.
        var exception: String? { json["__type"]?.stringValue }
        var message: String? { json["message"]?.stringValue }
    }

    let dialect: CognitoDialect
    private let accounts: AccountBench
    private let http: HTTPBench

    /// - Parameter directory: changes the settings of the default Directory.
    init(
        reachesPhones: Bool = true, identityProviders: (any IdentityProviding)? = nil,
        temporaryCredentials: (any TemporaryCredentialIssuing)? = nil, hooks: Hooks = Hooks(),
        _ change: (inout CognitoDialect.Settings) -> Void = { _ in },
        directory: (inout DirectorySettings) -> Void = { _ in }
    ) async throws {
        let accounts = try await AccountBench(
            at: Self.now, reachesPhones: reachesPhones, identityProviders: identityProviders,
            temporaryCredentials: temporaryCredentials, hooks: hooks, directory)
        var settings = CognitoDialect.Settings(
            url: ServerURL("https://auth.example"), acceptsAnyAdministrator: true)
        change(&settings)
        dialect = CognitoDialect(
            accounts: accounts.flows, tokens: OwnTokens(accounts.keys),
            settings: settings)
        http = HTTPBench(dialect, clock: accounts.clock, proxies: 1)
        hooks.forms.add(CognitoHookForm(dialect), of: CognitoDialect.name)
        self.accounts = accounts
    }

    var ports: AccountPorts { accounts.ports }
    var keys: KeyRing { accounts.keys }
    var directory: Directory { accounts.directory }
    var now: Instant { accounts.now }
    var poolID: String { dialect.poolID(of: directory) }

    func advance(by span: TimeSpan) { accounts.advance(by: span) }

    /// Changes the settings of every Directory, those of pools among them.
    func changeAll(_ change: (inout DirectorySettings) -> Void) async throws {
        for directory in try await ports.store.read({ try $0.directories() }) {
            var settings = directory.settings
            change(&settings)
            _ = try await DirectoryAdministration(ports).update(directory.id, settings: settings, at: now)
        }
        accounts.directories.invalidate()
    }

    // MARK: Calls

    /// - Parameter signed: whether the call carries what an administrator's does; the bench's own settings take it
    ///   unchecked.
    /// - Parameter client: the address that the call comes from, as a proxy says it.
    func send(
        _ operation: String, _ body: JSONObject, signed: Bool = true, target: String? = nil, from client: String? = nil
    ) async throws -> Reply {
        var headers: HTTPFields = [.contentType: "application/x-amz-json-1.1"]
        if let client, let name = HTTPField.Name("X-Forwarded-For") { headers[name] = client }
        headers[.amazonTarget] = target ?? "AWSCognitoIdentityProviderService." + operation
        if signed {
            headers[.authorization] = Self.unchecked
        }
        return try await execute(.post, "/", headers: headers, body: body.serialized())
    }

    func execute(
        _ method: HTTPRequest.Method, _ uri: String, headers: HTTPFields = [:], body: [UInt8] = []
    ) async throws -> Reply {
        let reply = try await http.send(method, uri, headers: headers, body: body.isEmpty ? nil : body)
        return Reply(
            status: reply.status, headers: reply.headers,
            json: reply.text.isEmpty ? [:] : try JSONObject(parsing: reply.text.utf8))
    }

    /// A call that must succeed.
    func done(_ operation: String, _ body: JSONObject) async throws -> JSONObject {
        let reply = try await send(operation, body)
        guard reply.status == 200 else {
            throw Refused(exception: reply.exception ?? "", message: reply.message ?? "\(reply.status)")
        }
        return reply.json
    }

    struct Refused: Error, CustomStringConvertible {
        var exception: String
        var message: String
        var description: String { "\(exception): \(message)" }
    }

    // MARK: What a test begins with

    /// A pool of its own, beside the default one.
    func makePool(_ members: JSONObject = [:]) async throws -> String {
        var body: JSONObject = ["PoolName": "Beispiel", "AutoVerifiedAttributes": ["email"]]
        body = body.merging(members)
        let json = try await done("CreateUserPool", body)
        return json["UserPool"]?.objectValue?["Id"]?.stringValue ?? ""
    }

    func makeClient(_ members: JSONObject = [:], pool: String? = nil) async throws -> JSONObject {
        let body: JSONObject = ["UserPoolId": .string(pool ?? poolID), "ClientName": "app"]
        let json = try await done("CreateUserPoolClient", body.merging(members))
        return json["UserPoolClient"]?.objectValue ?? [:]
    }

    /// The identifier of a new client that tells strangers nothing.
    func clientID(_ members: JSONObject = [:], pool: String? = nil) async throws -> String {
        let concealing: JSONObject = ["PreventUserExistenceErrors": "ENABLED"]
        return try await makeClient(concealing.merging(members), pool: pool)["ClientId"]?.stringValue ?? ""
    }

    func directory(ofPool pool: String) async throws -> Directory {
        let id = dialect.directoryID(ofPool: pool)
        let found = try await ports.store.read { tx in try id.flatMap { try tx.directory($0) } }
        guard let found else { throw Refused(exception: "", message: "no pool \(pool)") }
        return found
    }

    /// The newest message to a recipient.
    func message(to recipient: String, in pool: String? = nil, kind: String? = nil) async throws -> OutboxMessage? {
        let directory = try await directory(ofPool: pool ?? poolID)
        let messages = try await ports.store.read {
            try $0.outbox(in: directory.id, recipient: recipient, limit: 50)
        }
        return messages.first { kind == nil || $0.kind == kind }
    }

    func code(to recipient: String, in pool: String? = nil, kind: String? = nil) async throws -> String {
        try await message(to: recipient, in: pool, kind: kind)?.code ?? ""
    }

    /// A user who has signed up and confirmed; the answer of `SignUp`.
    @discardableResult
    func signedUp(
        _ username: String, email: String, client: String, pool: String? = nil
    ) async throws -> JSONObject {
        let answer = try await done(
            "SignUp",
            [
                "ClientId": .string(client), "Username": .string(username), "Password": .string(Self.password),
                "UserAttributes": [["Name": "email", "Value": .string(email)]],
            ])
        _ = try await done(
            "ConfirmSignUp",
            [
                "ClientId": .string(client), "Username": .string(username),
                "ConfirmationCode": .string(try await code(to: email, in: pool, kind: "confirmation")),
            ])
        return answer
    }

    /// An access token of a new session, minted here: signing in is another test's subject.
    ///
    /// - Parameter issuer: the pool that says so, where it is not the session's own.
    func accessToken(
        of subject: String, client: String, pool: String? = nil, issuer: String? = nil, changes: JSONObject = [:]
    ) async throws -> String {
        let directory = try await directory(ofPool: pool ?? poolID)
        let issuing = try await self.directory(ofPool: issuer ?? pool ?? poolID)
        let now = self.now
        let id = SessionID(ports.random.uuid())
        let (family, _) = RefreshTokenFamily.open(for: id, secret: ports.random.bytes(24))
        let session = Session(
            id: id, directoryID: directory.id, userID: UserID(subject), device: DeviceMetadata(name: "phone"),
            methods: [AuthenticationMethod(.password, at: now)], assurance: .aal1, createdAt: now, lastActiveAt: now,
            notAfter: nil, family: family, clientID: ClientID(client))
        try await ports.store.write { try $0.insert(session) }
        let claims: JSONObject = [
            "iss": .string(dialect.issuer(of: issuing)), "sub": .string(subject), "client_id": .string(client),
            "origin_jti": .string(id.rawValue), "token_use": "access", "scope": "aws.cognito.signin.user.admin",
            "iat": .integer(now.seconds), "exp": .integer(now.seconds + 3600), "auth_time": .integer(now.seconds),
        ]
        let key = try await keys.signingKey(.compatibility, of: issuing, at: now)
        return try JWS.sign(claims.merging(changes), with: key)
    }
}
