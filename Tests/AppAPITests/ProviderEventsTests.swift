// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import AppAPI

@Suite("What identity providers tell over HTTP") struct ProviderEventsTests {
    private static let place = "/v1/identity-providers/google/events"

    private struct Scene {
        let bench: AppBench
        let upstream: ScriptedIdentityProviders
        let user: User

        init() async throws {
            upstream = ScriptedIdentityProviders()
            bench = try await AppBench(identityProviders: upstream)
            for kind in [IdentityProvider.Kind.google, .apple] {
                let provider = IdentityProvider(
                    id: bench.ports.random.identifier(), directoryID: bench.directory.id, name: kind.rawValue,
                    kind: kind, clientIDs: ["client"], createdAt: AppBench.now, updatedAt: AppBench.now)
                try await bench.ports.store.write { try $0.insert(provider) }
            }
            upstream.vouch(
                FederatedProof(
                    provider: "google", issuer: "https://accounts.google.com", subject: "ada", audience: "client",
                    email: try EmailAddress("ada@gmail.com"), isEmailVouched: true), by: "a.b.c")
            user = try await IDTokenSignIn(bench.ports)(
                .idToken(UpstreamIDToken(text: Secret("a.b.c"))), of: "google", policy: FederationPolicy(),
                call: bench.call
            ).record.user
        }

        func post(_ path: String = place, _ body: String = "a.set.token") async throws -> HTTPBench.Reply {
            try await bench.send(
                .post, path, headers: [.contentType: "application/secevent+jwt"], bytes: Array(body.utf8))
        }

        func sessions() async throws -> Int {
            try await bench.ports.store.read { [user] in try $0.sessions(of: user.id, in: user.directoryID) }
                .count { $0.revokedAt == nil }
        }

        static func event(_ kind: UpstreamEvent.Kind) -> UpstreamEvent {
            UpstreamEvent(
                kind: kind, issuer: "https://accounts.google.com", subject: "ada", id: "1", at: AppBench.now)
        }
    }

    @Test(
        "Y-E4 R12.2 an event that is pushed is accepted without a word, ends the sessions, and said again does nothing")
    func accepted() async throws {
        let scene = try await Scene()
        scene.upstream.announce([Scene.event(.sessionsRevoked)])
        #expect(try await scene.sessions() == 1)
        for _ in 1...2 {
            let reply = try await scene.post()
            #expect(reply.status == 202 && reply.text.isEmpty, "RFC 8935, section 2.2")
            #expect(try await scene.sessions() == 0)
        }
        let id = scene.bench.directory.id
        let told = try await scene.bench.ports.store.scan(in: id) {
            try $0.auditEvents(in: id, actions: [.identityRevoked], user: nil, offset: 0, limit: 9)
        }
        #expect(told.map { $0.details["event"] } == ["sessions_revoked"])
        scene.upstream.announce([])
        #expect(try await scene.post("/v1/identity-providers/apple/events").status == 200, "as Apple expects it")
        #expect(try await scene.post("/directories/default" + Self.place).status == 202)
    }

    @Test(
        "Y-E4 R12.2 R11.5 what is refused is refused as RFC 8935, section 2.4, has it, never by a 5xx, and ends nothing"
    )
    func refused() async throws {
        let scene = try await Scene()
        scene.upstream.announce([Scene.event(.sessionsRevoked)])
        let faults: [(UpstreamEvent.Fault?, String)] = [
            (.issuer, "invalid_issuer"), (.audience, "invalid_audience"), (.key, "invalid_key"),
            (.signature, "authentication_failed"), (nil, "invalid_request"),
        ]
        for (fault, code) in faults {
            scene.upstream.refuseEvents(with: AuthError(.identityTokenInvalid, field: fault?.rawValue))
            let reply = try await scene.post()
            #expect(reply.status == 400 && reply["err"]?.stringValue == code, "\(code)")
            #expect(reply[header: "Content-Language"] == "en" && reply["description"]?.stringValue != nil)
            #expect(reply[header: "Content-Type"] == "application/json")
        }
        scene.upstream.refuseEvents(with: nil)
        let long = String(repeating: "a", count: EndFederatedSessions.maximumLength + 1)
        #expect(try await scene.post(Self.place, long).status == 413)
        for path in ["github", "none", "a%00b", "Google", String(repeating: "a", count: 300)] {
            let reply = try await scene.post("/v1/identity-providers/\(path)/events")
            #expect(reply.status == 404 && reply["err"] == "access_denied", "\(path)")
        }
        #expect(try await scene.post("/directories/none" + Self.place).status == 404)
        #expect(try await scene.bench.send(.get, Self.place, bytes: []).status == 405)
        #expect(try await scene.sessions() == 1)
    }

    @Test("Y-E4 R12.2 what can't be judged now is to be sent again")
    func later() async throws {
        let scene = try await Scene()
        scene.upstream.refuseEvents(with: AuthError(.identityProviderUnavailable))
        let reply = try await scene.post()
        #expect(reply.status == 503 && reply[header: "Retry-After"] == "60")
    }

    @Test("R9.4 Y-E4 one address that floods is told to wait, and others are not")
    func limited() async throws {
        let scene = try await Scene()
        try await scene.bench.mail.change { $0.limits.providerEvents = .init(count: 2, seconds: 300) }
        #expect(try await scene.post().status == 202)
        #expect(try await scene.post().status == 202)
        let reply = try await scene.post()
        #expect(reply.status == 429 && reply["err"] != nil && reply[header: "Retry-After"] != nil)
    }
}
