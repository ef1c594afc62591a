// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

@Suite("Who may call what") struct GatewayTests {
    /// The operations as clients know them, and who may use each.
    private static let contract: Set<String> = [
        "GET /health open", "GET /.well-known/jwks.json open",
        "GET /.well-known/openid-configuration open", "GET /settings project", "POST /signup project",
        "POST /token project", "POST /logout holder", "GET /user holder", "PUT /user user", "POST /recover project",
        "POST /magiclink project", "POST /otp project", "POST /resend project", "GET /reauthenticate user",
        "GET /verify open", "POST /verify project", "POST /verify/link open", "POST /invite administrator",
        "POST /admin/generate_link administrator", "GET /admin/audit administrator", "GET /admin/users administrator",
        "POST /admin/users administrator", "GET /admin/users/{user_id} administrator",
        "PUT /admin/users/{user_id} administrator", "DELETE /admin/users/{user_id} administrator",
        "GET /.well-known/oauth-authorization-server open", "GET /oauth/authorize open", "POST /oauth/token open",
        "GET /oauth/userinfo unnamedHolder", "POST /oauth/clients/register open",
        "GET /oauth/authorizations/{part_id} user", "POST /oauth/authorizations/{part_id}/consent user",
        "GET /user/oauth/grants user", "DELETE /user/oauth/grants user", "GET /admin/oauth/clients administrator",
        "POST /admin/oauth/clients administrator", "GET /admin/oauth/clients/{part_id} administrator",
        "PUT /admin/oauth/clients/{part_id} administrator", "DELETE /admin/oauth/clients/{part_id} administrator",
        "POST /admin/oauth/clients/{part_id}/regenerate_secret administrator",
        "GET /authorize open", "GET /callback open", "POST /callback open", "GET /user/identities/authorize user",
        "DELETE /user/identities/{part_id} user", "GET /admin/custom-providers administrator",
        "POST /admin/custom-providers administrator", "GET /admin/custom-providers/{part_id} administrator",
        "PUT /admin/custom-providers/{part_id} administrator", "DELETE /admin/custom-providers/{part_id} administrator",
        "POST /factors user", "POST /factors/{part_id}/challenge user", "POST /factors/{part_id}/verify token",
        "DELETE /factors/{part_id} user", "GET /factors/recovery-codes user", "POST /factors/recovery-codes user",
        "POST /factors/recovery-codes/regenerate user", "POST /factors/recovery-codes/verify user",
        "DELETE /factors/recovery-codes user", "GET /admin/users/{user_id}/factors administrator",
        "PUT /admin/users/{user_id}/factors/{part_id} administrator",
        "DELETE /admin/users/{user_id}/factors/{part_id} administrator",
        "POST /passkeys/authentication/options project", "POST /passkeys/authentication/verify project",
        "POST /passkeys/registration/options user", "POST /passkeys/registration/verify user", "GET /passkeys user",
        "PATCH /passkeys/{part_id} user", "DELETE /passkeys/{part_id} user",
        "GET /admin/users/{user_id}/passkeys administrator",
        "DELETE /admin/users/{user_id}/passkeys/{part_id} administrator",
    ]

    private static let id = "3f0e8a52-6f0c-4f0e-9a37-4a2f6a0c1b11"

    private static func path(_ route: Route) -> String {
        route.path.replacing("{user_id}", with: id).replacing("{part_id}", with: id)
    }

    @Test("D-7 the operations are the platform's, each for those it is for")
    func table() {
        let routes = Route.all.map { "\($0.method.rawValue) \($0.path) \($0.access)" }
        #expect(Set(routes) == Self.contract)
        #expect(routes.count == Self.contract.count)
    }

    @Test("V8.2.1 whoever does not name the project gets no further than links, keys and health")
    func project() async throws {
        let bench = try await SupabaseBench {
            $0.oauthServer.enabled = true
            $0.passkeys.enabled = true
        }
        for route in Route.all {
            for key in ["", "a", bench.anon + "x", "sb_publishable_nobody"] {
                let reply = try await bench.send(route.method, Self.path(route), key: key)
                if case .open = route.access {
                    #expect(reply.status != 401, "\(route.method) \(route.path)")
                } else {
                    #expect(reply.outcome == "401 no_authorization", "\(route.method) \(route.path) \(key)")
                }
            }
        }
    }

    @Test("V8.2.1 what is a user's is for users, what is the operator's for operators, whoever else asks")
    func callers() async throws {
        let bench = try await SupabaseBench {
            $0.oauthServer.enabled = true
            $0.passkeys.enabled = true
        }
        try await bench.addUser("ada@example.com")
        let (access, _) = try await bench.session(of: "ada@example.com")
        for route in Route.all {
            let path = Self.path(route)
            func outcome(_ token: String?, key: String? = nil) async throws -> String {
                try await bench.send(route.method, path, token: token, key: key).outcome
            }
            switch route.access {
            case .open, .project: continue
            case .user, .holder, .unnamedHolder, .token:
                #expect(try await outcome(nil) == "401 no_authorization", "\(path)")
                for stranger in ["x", bench.anon, bench.service, access + "x"] {
                    #expect(try await outcome(stranger) == "403 bad_jwt", "\(path) \(stranger)")
                }
            case .administrator:
                #expect(try await outcome(nil) == "401 no_authorization", "\(path)")
                #expect(try await outcome(bench.anon) == "403 not_admin", "\(path)")
                #expect(try await outcome(access) == "403 not_admin", "\(path)")
                #expect(try await outcome("x") == "403 bad_jwt", "\(path)")
                let own = try await bench.send(route.method, path, token: bench.service).outcome
                #expect(!own.hasPrefix("401") && own != "403 not_admin" && own != "403 bad_jwt", "\(path) \(own)")
            }
        }
    }

    @Test("D-7 a secret key alone administers, in both of the platform's forms; one that has another scope does not")
    func secretKeys() async throws {
        let bench = try await SupabaseBench()
        #expect(try await bench.send(.get, "/admin/users", key: bench.service).status == 200)
        let administration = APIKeyAdministration(bench.accounts.ports)
        func key(_ kind: APIKey.Kind, scopes: [String] = []) async throws -> String {
            try await administration.create(
                kind, name: "k", scopes: scopes,
                prefix: kind == .secret ? ProjectKeyReader.secretPrefix : ProjectKeyReader.publishablePrefix,
                in: bench.accounts.directory, at: bench.accounts.now
            ).secret.reveal()
        }
        let publishable = try await key(.publishable)
        #expect(publishable.hasPrefix("sb_publishable_"))
        #expect(try await bench.send(.get, "/settings", key: publishable).status == 200)
        #expect(try await bench.send(.get, "/admin/users", key: publishable).outcome == "401 no_authorization")
        let secret = try await key(.secret)
        #expect(secret.hasPrefix("sb_secret_"))
        #expect(try await bench.send(.get, "/admin/users", key: secret).status == 200)
        let narrow = try await key(.secret, scopes: [APIKey.directoryScope])
        #expect(try await bench.send(.get, "/settings", key: narrow).status == 200)
        #expect(try await bench.send(.get, "/admin/users", key: narrow).status == 401)
    }

    @Test("R9.5 a project key's signature is looked at once, and again when the keys have changed")
    func remembered() async throws {
        let bench = try await SupabaseBench()
        let proven = bench.dialect.provenTokens
        for _ in 1...5 { #expect(try await bench.send(.get, "/settings").status == 200) }
        #expect(proven.judgements == 1)
        // As `apikey` and as bearer it is one and the same.
        for _ in 1...3 { #expect(try await bench.administer(.get, "/admin/users").status == 200) }
        #expect(proven.judgements == 2)
        for _ in 1...2 {
            #expect(try await bench.send(.get, "/settings", key: bench.anon + "x").status == 401)
        }
        // Refusals are not remembered.
        #expect(proven.judgements == 4)
        let (directory, now) = (bench.accounts.directory, bench.accounts.now)
        try await bench.accounts.keys.rotate(directory, purpose: .apiKeys, immediately: true, at: now)
        #expect(try await bench.send(.get, "/settings").status == 200)
        #expect(proven.judgements == 5)
        let own = try ParsedJWS(parsing: bench.anon.utf8).header.keyID
        let old = SigningKeyID(try #require(own))
        try await bench.accounts.keys.remove(old, of: directory, at: now)
        #expect(try await bench.send(.get, "/settings").status == 401)
    }

    @Test("R9.5 what is remembered of project keys has a bound, is one Directory's, and outlives no expiry")
    func bounded() async throws {
        let bench = try await SupabaseBench()
        let (directory, now) = (bench.accounts.directory, bench.accounts.now)
        let proven = ProvenTokens(bench.accounts.keys, capacity: 2)
        let key = try await bench.accounts.keys.signingKey(.apiKeys, of: directory, at: now)
        let texts = try (1...3).map { number in
            try JWS.sign(["role": "anon", "n": .integer(Int64(number)), "exp": .integer(now.seconds + 60)], with: key)
        }
        func isProven(_ text: String, in place: Directory? = nil) async throws -> Bool {
            try await proven.claims(of: text, by: .directory, in: place ?? directory, at: now) != nil
        }
        for text in texts { #expect(try await isProven(text)) }
        #expect(try await isProven(texts[2]))
        #expect(proven.judgements == 3)
        #expect(try await isProven(texts[0]))
        #expect(proven.judgements == 4)
        let other = try await DirectoryAdministration(bench.accounts.ports).create(name: "other", at: now)
        #expect(try await !isProven(texts[2], in: other))
        #expect(try await !isProven(String(repeating: "a", count: 100_000)))
        // The signature is remembered, the time is not.
        #expect(try await bench.send(.get, "/settings", key: texts[0]).status == 200)
        bench.accounts.advance(by: .minutes(1))
        #expect(try await bench.send(.get, "/settings", key: texts[0]).status == 401)
    }

    @Test("D-7 behind a gateway that has checked the key, none is asked for")
    func gateway() async throws {
        let bench = try await SupabaseBench(requiresAPIKey: false)
        #expect(try await bench.send(.get, "/settings", key: "").status == 200)
        #expect(try await bench.send(.get, "/admin/users", key: "").outcome == "401 no_authorization")
        #expect(try await bench.send(.get, "/user", key: "").outcome == "401 no_authorization")
    }

    @Test("D-7 an error has the older form, and the newer one for who asks for its version")
    func forms() async throws {
        let bench = try await SupabaseBench()
        let older = try await bench.signIn("nobody@example.com")
        #expect(older.status == 400)
        #expect(
            older.ofVendor == ["code": 400, "error_code": "invalid_credentials", "msg": "Invalid login credentials"])
        #expect(older[header: "x-supabase-api-version"] == nil)
        let newer = try await bench.send(
            .post, "/token?grant_type=password", ["email": "nobody@example.com", "password": "x"],
            version: "2024-01-01")
        #expect(newer.ofVendor == ["code": "invalid_credentials", "message": "Invalid login credentials"])
        #expect(newer[header: "x-supabase-api-version"] == "2024-01-01")
        for reply in [older, newer] { #expect(reply[header: "x-sb-error-code"] == "invalid_credentials") }
    }

    @Test("D-7 what is no operation is a 404, and an operation by another method a 405, in this dialect's form")
    func unknown() async throws {
        let bench = try await SupabaseBench()
        #expect(try await bench.get("/nothing").outcome == "404 not_found")
        #expect(try await bench.send(.delete, "/signup").outcome == "405 method_not_allowed")
        #expect(try await bench.send(.get, "/directories/nobody/auth/v1/settings").outcome == "404 not_found")
    }

    @Test("V8.4.1 a project's keys, users and tokens are nothing in another project")
    func isolation() async throws {
        let bench = try await SupabaseBench()
        let other = try await DirectoryAdministration(bench.accounts.ports).create(
            name: "other", at: bench.accounts.now)
        let keys = try await ProjectKeyIssuer(for: other, keys: bench.accounts.keys, at: bench.accounts.now)
        try await bench.addUser("ada@example.com")
        let (access, refresh) = try await bench.session(of: "ada@example.com")
        let place = "/directories/other/auth/v1"
        #expect(try await bench.send(.get, place + "/settings").outcome == "401 no_authorization")
        #expect(try await bench.send(.get, place + "/settings", key: keys.anonymous).status == 200)
        #expect(try await bench.send(.get, "/settings", key: keys.anonymous).outcome == "401 no_authorization")
        #expect(
            try await bench.send(.get, place + "/user", token: access, key: keys.anonymous).outcome == "403 bad_jwt")
        let foreign = try await bench.send(
            .post, place + "/token?grant_type=refresh_token", ["refresh_token": .string(refresh)], key: keys.anonymous)
        #expect(foreign.outcome == "400 refresh_token_not_found")
        let users = try await bench.send(
            .get, place + "/admin/users", token: keys.serviceRole.reveal(), key: keys.serviceRole.reveal())
        #expect(users["users"] == [])
        #expect(
            try await bench.send(.get, place + "/admin/users", token: bench.service, key: bench.service).status == 401)
    }
}
