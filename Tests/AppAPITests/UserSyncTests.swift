// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import AppAPI

@Suite("The synchronization of users over HTTP") struct UserSyncTests {
    private struct Scene {
        let bench: AppBench
        let upstream: ScriptedIdentityProviders

        init() async throws {
            upstream = ScriptedIdentityProviders()
            bench = try await AppBench(identityProviders: upstream)
            for kind in [IdentityProvider.Kind.google, .github] {
                let provider = IdentityProvider(
                    id: bench.ports.random.identifier(), directoryID: bench.directory.id, name: kind.rawValue,
                    kind: kind, clientIDs: ["client"], createdAt: AppBench.now, updatedAt: AppBench.now)
                try await bench.ports.store.write { try $0.insert(provider) }
                upstream.vouch(
                    FederatedProof(
                        provider: kind.rawValue, issuer: "https://\(kind.rawValue).example", subject: "7",
                        audience: "client", email: try EmailAddress("ada@gmail.com"), isEmailVouched: true,
                        claims: ["name": "Ada Lind", "locale": "sv"]), by: "token of \(kind.rawValue)")
            }
        }

        func post(_ body: JSONObject, at place: String = "/v1/user-sync") async throws -> HTTPBench.Reply {
            try await bench.send(
                .post, place, headers: [.contentType: "application/json"], bytes: Array(body.serialized()))
        }
    }

    private static let body: JSONObject = ["provider": "google", "idToken": "token of google"]

    @Test("H-7 R12.8 the first call makes the user, the next finds them, and neither gives anybody a session")
    func done() async throws {
        let scene = try await Scene()
        let first = try await scene.post(Self.body)
        #expect(first.status == 201 && first["status"] == "done" && first["created"] == true)
        #expect(first[header: "Cache-Control"] == "no-store")
        let user = try #require(first["user"]?.objectValue)
        #expect(user["email"] == "ada@gmail.com" && user["emailVerified"] == true && user["name"] == "Ada Lind")
        #expect(user["locale"] == "sv" && user["attributes"]?.objectValue?["locale"] == "sv")
        #expect(user["identities"] == [["provider": "google", "subject": "7"]])
        #expect(user["sub"] == user["id"] && user["phone"] == .null)
        let again = try await scene.post(Self.body, at: "/directories/default/v1/user-sync")
        #expect(again.status == 200 && again["created"] == false && again["user"] == .object(user))
        // The same person by another provider that vouches for the address, by an access token.
        let other = try await scene.post(["provider": "github", "accessToken": "token of github"])
        #expect(other.status == 200 && other["user"]?.objectValue?["id"] == user["id"])
        let id = scene.bench.directory.id
        let sessions = try await scene.bench.ports.store.read {
            try $0.sessions(of: UserID(user["id"]?.stringValue ?? ""), in: id)
        }
        #expect(sessions.isEmpty)
    }

    @Test("H-8 R12.8 what has to wait is answered 202 with where to ask, and there it says what has become of it")
    func waits() async throws {
        let scene = try await Scene()
        scene.upstream.fail(with: .identityProviderUnavailable)
        let reply = try await scene.post(Self.body)
        #expect(reply.status == 202 && reply["status"] == "waiting" && reply["user"] == .null)
        #expect(reply[header: "Retry-After"] != nil && reply["nextTryAt"]?.stringValue != nil)
        let place = try #require(reply[header: "Location"])
        #expect(place == "/v1/user-sync/\(reply["id"]?.stringValue ?? "")")
        #expect(try await scene.post(Self.body)[header: "Location"] == place)
        let waiting = try await scene.bench.send(.get, place, bytes: [])
        #expect(waiting.status == 200 && waiting.json == reply.json)
        scene.upstream.fail(with: nil)
        let message = try #require(
            try await scene.bench.ports.store.read {
                try $0.outboxMessage(OutboxMessageID(reply["id"]?.stringValue ?? ""))
            })
        guard case .userSync(let sync) = message.content else { throw AuthError(.internalFailure) }
        try await WaitingSyncs(scene.bench.ports, links: PlainLinks()).deliver(sync, id: message.id, at: AppBench.now)
        let done = try await scene.bench.send(.get, place, bytes: [])
        #expect(done["status"] == "done" && done["user"]?.objectValue?["email"] == "ada@gmail.com")
        #expect(done["nextTryAt"] == .null && done["error"] == .null && done[header: "Retry-After"] == nil)
    }

    @Test("H-4 R12.8 R11.5 each thing that is wrong has its own error, never a 5xx, and never a user")
    func refused() async throws {
        let scene = try await Scene()
        let cases: [(JSONObject, Int, String)] = [
            ([:], 400, "invalid_request"), (["provider": "google"], 400, "invalid_request"),
            (["provider": 1, "idToken": "x"], 400, "invalid_request"),
            (["provider": "google", "idToken": 1], 400, "invalid_request"),
            (["provider": "google", "idToken": "token of google", "accessToken": "x"], 400, "invalid_request"),
            (["provider": "google", "idToken": "token of google", "nonce": 1], 400, "invalid_request"),
            (["provider": "google", "idToken": "token of google", "role": "admin"], 400, "invalid_request"),
            (["provider": "google", "idToken": ""], 400, "invalid_request"),
            (["provider": "google", "idToken": "forged"], 400, "identity_token_invalid"),
            (["provider": "none", "idToken": "token of google"], 404, "identity_provider_not_found"),
            (["provider": "github", "idToken": "token of google"], 400, "identity_token_invalid"),
            (["provider": "google", "idToken": .string(String(repeating: "a", count: 9000))], 400, "invalid_request"),
            (
                ["provider": "google", "idToken": .string(String(repeating: "a", count: 17000))], 413,
                "request_too_large"
            ),
        ]
        for (body, status, code) in cases {
            let reply = try await scene.post(body)
            #expect(reply.status == status && reply["code"]?.stringValue == code, "\(body.text.prefix(90)): \(reply)")
        }
        #expect(try await scene.post(Self.body, at: "/directories/none/v1/user-sync").status == 404)
        for id in ["none", "00000000-0000-4000-8000-000000000000", String(repeating: "a", count: 200)] {
            #expect(try await scene.bench.send(.get, "/v1/user-sync/\(id)", bytes: []).status == 404)
        }
        let users = try await scene.bench.ports.store.read { try $0.userCount(in: scene.bench.directory.id) }
        #expect(users == 0)
    }

    @Test("R9.4 R12.8 one client that asks too often is told to wait")
    func limited() async throws {
        let scene = try await Scene()
        try await scene.bench.mail.change { $0.limits.signIn = .init(count: 1, seconds: 300) }
        #expect(try await scene.post(Self.body).status == 201)
        #expect(try await scene.post(Self.body).status == 429)
    }
}
