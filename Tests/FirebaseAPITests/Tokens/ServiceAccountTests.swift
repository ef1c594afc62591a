// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import CryptoExtras
import HTTPTypes
import JOSE
import Testing

@testable import FirebaseAPI

@Suite struct ServiceAccountTests {
    private static let accounts = "/iam.googleapis.com/v1/projects/default/serviceAccounts"
    private static let email = "backend@default.iam.gserviceaccount.com"

    private func iam(
        _ bench: FirebaseBench, _ method: HTTPRequest.Method, _ rest: String, token: String? = nil, body: String? = nil
    ) async throws -> FirebaseBench.Reply {
        try await bench.send(
            method, Self.accounts + rest, body: body, headers: [.authorization: "Bearer \(token ?? bench.secret)"])
    }

    @Test("R10.5 an operator's program makes a key whose file has all that an SDK reads, lists it, and ends it")
    func life() async throws {
        let bench = try await FirebaseBench()
        let made = try await iam(bench, .post, "/\(Self.email)/keys", body: "{}")
        #expect(made.status == 200 && made.headers[.cacheControl] == "no-store", "\(made.text)")
        let data = try #require(made["privateKeyData"]?.stringValue.flatMap { Base64.decode($0) })
        let file = try JSONObject(parsing: data)
        #expect(file["type"] == "service_account" && file["project_id"] == "default")
        #expect(file["client_email"]?.stringValue == Self.email)
        #expect(file["token_uri"] == "https://auth.example/oauth2.googleapis.com/token")
        let pem = try #require(file["private_key"]?.stringValue)
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        _ = try _RSA.Signing.PrivateKey(pemRepresentation: pem)
        let id = try #require(file["private_key_id"]?.stringValue)
        let list = try await iam(bench, .get, "/\(Self.email)/keys")
        #expect(list["keys"]?.arrayValue?.count == 1 && !list.text.contains("PRIVATE"), "\(list.text)")
        #expect(try await iam(bench, .get, "")["accounts"]?.arrayValue?.count == 1)
        #expect(try await iam(bench, .delete, "/\(Self.email)/keys/\(id)").status == 200)
        #expect(try await iam(bench, .get, "/\(Self.email)/keys").json == [:])
        #expect(try await iam(bench, .get, "").json == [:])
        #expect(try await iam(bench, .delete, "/\(Self.email)/keys/none").status == 404)
        for name in ["x@other.iam.gserviceaccount.com", "backend@default", "Ann@default.iam.gserviceaccount.com"] {
            let reply = try await iam(bench, .post, "/\(name)/keys", body: "{}")
            #expect((400...404).contains(reply.status), "\(name): \(reply.text)")
        }
    }

    @Test("R10.1 keys of service accounts are made by whoever may, and have no more scopes than their maker")
    func scopes() async throws {
        let bench = try await FirebaseBench()
        let administration = APIKeyAdministration(bench.ports)
        func key(_ scopes: String...) async throws -> String {
            try await administration.create(.secret, name: "k", scopes: scopes, in: bench.directory, at: bench.now)
                .secret.reveal()
        }
        let path = "/\(Self.email)/keys"
        #expect(try await iam(bench, .post, path, token: try await key("admin:users"), body: "{}").status == 403)
        #expect(try await iam(bench, .post, path, token: bench.key, body: "{}").status == 401)
        #expect(try await bench.send(.post, Self.accounts + path, body: "{}").status == 401)
        let maker = try await key("admin:keys", "reports:read")
        #expect(try await iam(bench, .post, path, token: maker, body: "{}").status == 200)
        let made = try await bench.dialect.accounts.serviceAccountAdministration.list(in: bench.directory)
        #expect(made.map(\.scopes) == [["admin:keys", "reports:read"]])
    }

    @Test("R10.5 an account's assertion is exchanged for a token that administers, until it expires or its key ends")
    func exchange() async throws {
        let bench = try await FirebaseBench()
        let account = try await ServiceAccountBench(bench)
        let reply = try await account.exchange()
        #expect(reply.status == 200 && reply["token_type"] == "Bearer" && reply["expires_in"] == 3600, "\(reply.text)")
        let token = try #require(reply["access_token"]?.stringValue)
        func list() async throws -> Int {
            try await bench.administer("/accounts:batchGet", method: .get, token: token).status
        }
        #expect(try await list() == 200)
        #expect(try await bench.administer("/accounts:batchGet", method: .get, token: token + "x").status == 401)
        bench.advance(.minutes(59))
        #expect(try await list() == 200)
        bench.advance(.minutes(1))
        #expect(try await list() == 401)
        let next = try #require(try await account.exchange()["access_token"]?.stringValue)
        try await bench.dialect.accounts.serviceAccountAdministration.revoke(
            account.key.id, in: bench.directory, at: bench.now)
        #expect(try await bench.administer("/accounts:batchGet", method: .get, token: next).status == 401)
        #expect(try await account.exchange()["error"] == "invalid_grant")
    }

    @Test("R10.1 an assertion for somebody else, of another audience, out of time or for nothing here is refused")
    func refusedAssertions() async throws {
        let bench = try await FirebaseBench()
        let account = try await ServiceAccountBench(bench)
        let now = bench.now.seconds
        let cases: [(String, (inout JSONObject) -> Void)] = [
            ("invalid_grant", { $0["aud"] = "https://elsewhere.example/token" }),
            ("invalid_grant", { $0["aud"] = .string(ServiceAccountBench.audience) }),
            ("invalid_grant", { $0["exp"] = .integer(now + 4000) }),
            (
                "invalid_grant",
                {
                    $0["iat"] = .integer(now - 7200); $0["exp"] = .integer(now - 3600)
                }
            ),
            ("invalid_grant", { $0["iss"] = "other@default.iam.gserviceaccount.com" }),
            ("invalid_grant", { $0["iss"] = nil }),
            ("unauthorized_client", { $0["sub"] = "ann@example.com" }),
            ("invalid_scope", { $0["scope"] = "https://www.googleapis.com/auth/drive" }),
            ("invalid_scope", { $0["scope"] = nil }),
        ]
        for (code, change) in cases {
            let reply = try await account.exchange(change)
            #expect(reply.status == 400 && reply["error"]?.stringValue == code, "\(code): \(reply.text)")
            #expect(reply["error_description"] != nil)
        }
        let own: (inout JSONObject) -> Void = { $0["aud"] = "https://auth.example/oauth2.googleapis.com/token" }
        #expect(try await account.exchange(own).status == 200)
        let bare = try await bench.send(
            .post, "/oauth2.googleapis.com/token", body: "grant_type=password",
            headers: [.contentType: "application/x-www-form-urlencoded"])
        #expect(bare.status == 400 && bare["error"] == "unsupported_grant_type")
    }

    @Test("R10.1 an account's token is its project's, and does what the scopes of its key say")
    func bounds() async throws {
        let bench = try await FirebaseBench()
        let reporter = try await ServiceAccountBench(bench, "reporter", scopes: ["reports:read"])
        let weak = try #require(try await reporter.exchange()["access_token"]?.stringValue)
        #expect(try await bench.administer("/accounts:batchGet", method: .get, token: weak).status == 403)
        let administrator = try await ServiceAccountBench(bench, "admin")
        let token = try #require(try await administrator.exchange()["access_token"]?.stringValue)
        _ = try await bench.dialect.accounts.directoryAdministration.create(
            name: "other", settings: DirectorySettings(), at: bench.now)
        bench.directories.invalidate()
        let elsewhere = try await bench.administer("/accounts:batchGet", method: .get, token: token, project: "other")
        #expect(elsewhere.status == 403, "\(elsewhere.text)")
        // It names its Directory in the clear, which is not enough to be another's.
        let directory = try await bench.directories.directory(named: "other", at: bench.now)
        let forged = token.replacing(bench.directory.id.rawValue, with: try #require(directory).id.rawValue)
        #expect(forged != token)
        #expect(
            try await bench.administer("/accounts:batchGet", method: .get, token: forged, project: "other").status
                == 401)
    }
}
