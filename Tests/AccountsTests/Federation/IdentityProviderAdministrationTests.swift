// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import TestBench
import Testing

@testable import Accounts

/// What operators configure of identity providers, and what is refused.
@Suite struct IdentityProviderAdministrationTests {
    private func bench() async throws -> (AccountBench, IdentityProviderAdministration) {
        let bench = try await AccountBench(passwords: NoPasswords())
        return (bench, IdentityProviderAdministration(bench.ports))
    }

    private func refusal(_ work: () async throws -> Void) async -> String? {
        do {
            try await work()
            return nil
        } catch {
            let error = error as? AuthError
            return "\(error?.code.rawValue ?? "?") \(error?.field ?? "")"
        }
    }

    @Test("R12.2 a provider is configured, found, changed and deleted, and the log has its name and no value")
    func life() async throws {
        let (bench, flow) = try await bench()
        let call = bench.call()
        let made = try await flow.create("custom:acme", kind: .openID, call: call) {
            $0.issuer = "https://login.acme.example/tenant"
            $0.clientIDs = ["web", "ios"]
            $0.secret = Secret("the secret")
        }
        #expect(made.isEnabled && made.signUpAllowed && !made.emailOptional && !made.skipsNonceCheck)
        #expect(try await flow.get("custom:acme", call: call).secret?.reveal() == "the secret")
        #expect(try await flow.list(call: call).map(\.name) == ["custom:acme"])
        let changed = try await flow.update("custom:acme", call: call) {
            $0.isEnabled = false
            $0.name = "renamed"
            $0.kind = .google
            $0.id = IdentityProviderID("other")
        }
        #expect(!changed.isEnabled && changed.name == "custom:acme" && changed.kind == .openID && changed.id == made.id)
        try await flow.delete("custom:acme", call: call)
        for work in [
            { _ = try await flow.get("custom:acme", call: call) }, { try await flow.delete("custom:acme", call: call) },
            { _ = try await flow.update("custom:acme", call: call) { _ in } },
            { _ = try await flow.get(String(repeating: "a", count: 5000), call: call) },
        ] as [() async throws -> Void] {
            #expect(await refusal(work) == "identity_provider_not_found ")
        }
        let events = try await bench.ports.store.scan(in: nil) {
            try $0.auditEvents(
                in: bench.directory.id, actions: [.identityProviderChanged], user: nil, offset: 0, limit: 9)
        }
        #expect(events.count == 3 && events.allSatisfy { !$0.details.text.contains("secret") })
    }

    @Test("R12.2 only an administrator configures")
    func forbidden() async throws {
        let (bench, flow) = try await bench()
        for actor in [AuditEvent.Actor.unknown, .user(UserID("ann"))] {
            let call = bench.call(actor: actor)
            for work in [
                { _ = try await flow.create("google", kind: .google, call: call) { $0.clientIDs = ["a"] } },
                { _ = try await flow.list(call: call) }, { _ = try await flow.get("google", call: call) },
                { _ = try await flow.update("google", call: call) { _ in } },
                { try await flow.delete("google", call: call) },
            ] as [() async throws -> Void] {
                #expect(await refusal(work) == "forbidden ")
            }
        }
    }

    @Test("R12.2 what no provider can be is refused, and the refusal names the field")
    func refused() async throws {
        let (bench, flow) = try await bench()
        let call = bench.call()
        let long = String(repeating: "a", count: 3000)
        typealias Change = @Sendable (inout IdentityProvider) -> Void
        let cases: [(IdentityProvider.Kind, String, Change)] = [
            (.openID, "issuer", { $0.issuer = nil }), (.openID, "issuer", { $0.issuer = "http://acme.example" }),
            (.openID, "issuer", { $0.issuer = "https://acme.example?x=1" }),
            (.openID, "issuer", { $0.issuer = "https://acme.example#x" }),
            (.openID, "issuer", { $0.issuer = "https://user@acme.example" }),
            (.openID, "issuer", { $0.issuer = "acme" }), (.openID, "issuer", { $0.issuer = "javascript:alert(1)" }),
            (.openID, "issuer", { $0.issuer = "https://acme.example/" + long }),
            (.google, "issuer", { $0.issuer = "https://acme.example" }),
            (.google, "client_ids", { $0.clientIDs = [] }), (.google, "client_ids", { $0.clientIDs = ["a", "a"] }),
            (.google, "client_ids", { $0.clientIDs = ["a b"] }), (.google, "client_ids", { $0.clientIDs = [""] }),
            (.google, "client_ids", { $0.clientIDs = (0...100).map(String.init) }),
            (.google, "secret", { $0.secret = Secret("") }),
            (.google, "secret", { $0.secret = Secret(long + long + long) }),
            (.google, "scopes", { $0.scopes = ["a b"] }), (.google, "display_name", { $0.displayName = "a\n" }),
            (.google, "display_name", { $0.displayName = "" }),
            (.openID, "token_endpoint", { $0.endpoints.token = "ftp://acme.example" }),
            (.openID, "jwks_uri", { $0.endpoints.jwks = "http://10.0.0.1/keys" }),
            (.openID, "authorization_endpoint", { $0.endpoints.authorization = "//acme.example" }),
            (.github, "organizations", { $0.organizations = ["acme.example"] }),
            (.google, "apple_team_id", { $0.appleTeamID = "team" }),
            (.apple, "secret", { $0.secret = Secret("no key") }),
            (.apple, "apple_team_id", { $0.secret = Secret(P256.Signing.PrivateKey().pemRepresentation) }),
            (.google, "attribute_mapping", { $0.attributeMapping = ["": "name"] }),
        ]
        for (index, (kind, field, change)) in cases.enumerated() {
            let found = await refusal {
                _ = try await flow.create("custom:\(index)", kind: kind, call: call) {
                    $0.clientIDs = ["client"]
                    if kind == .openID { $0.issuer = "https://acme.example" }
                    change(&$0)
                }
            }
            #expect(found == "invalid_request \(field)", "\(index)")
        }
        for name in ["", "Google", "a b", "email", "phone", "password", "ä", String(repeating: "a", count: 33)] {
            let found = await refusal {
                _ = try await flow.create(name, kind: .google, call: call) { $0.clientIDs = ["a"] }
            }
            #expect(found == "invalid_request name", "\(name)")
        }
        let foreign = await refusal {
            _ = try await flow.create("google", kind: .openID, call: call) { $0.clientIDs = ["a"] }
        }
        #expect(foreign == "invalid_request name")
        #expect(try await flow.list(call: call).isEmpty)
    }

    @Test(
        "R12.2 what is good is taken: a key of Apple's, a provider on this machine, one that is off and has no client")
    func taken() async throws {
        let (bench, flow) = try await bench()
        let call = bench.call()
        _ = try await flow.create("apple", kind: .apple, call: call) {
            $0.clientIDs = ["com.example.web"]
            $0.secret = Secret(P256.Signing.PrivateKey().pemRepresentation)
            ($0.appleTeamID, $0.appleKeyID) = ("TEAM123456", "KEY1234567")
        }
        _ = try await flow.create("custom:local", kind: .openID, call: call) {
            $0.issuer = "http://127.0.0.1:8080/dev"
            $0.clientIDs = ["a"]
        }
        _ = try await flow.create("google", kind: .google, call: call) { $0.isEnabled = false }
        _ = try await flow.create("microsoft", kind: .microsoft, call: call) {
            $0.issuer = "https://login.microsoftonline.com/tenant/v2.0"
            $0.clientIDs = ["a"]
            $0.organizations = ["tenant"]
        }
        #expect(try await flow.list(call: call).count == 4)
        #expect(
            await refusal { _ = try await flow.create("google", kind: .google, call: call) { $0.isEnabled = false } }
                == "conflict name")
    }

    @Test("R12.2 the issuer does not change while users are known by identities of it: they would be other people's")
    func issuer() async throws {
        let (bench, flow) = try await bench()
        let call = bench.call()
        _ = try await flow.create("custom:acme", kind: .openID, call: call) {
            $0.issuer = "https://one.example"
            $0.clientIDs = ["a"]
        }
        _ = try await flow.update("custom:acme", call: call) { $0.issuer = "https://two.example" }
        let user = User(id: UserID("ada"), directoryID: bench.directory.id, createdAt: bench.now)
        try await bench.ports.store.write { tx in
            try tx.insert(user)
            try tx.insert(
                Identity(
                    id: IdentityID("one"), directoryID: user.directoryID, userID: user.id, provider: "custom:acme",
                    subject: "1", data: [:], createdAt: bench.now, updatedAt: bench.now))
        }
        let found = await refusal {
            _ = try await flow.update("custom:acme", call: call) { $0.issuer = "https://one.example" }
        }
        #expect(found == "conflict issuer")
        _ = try await flow.update("custom:acme", call: call) { $0.clientIDs = ["b"] }
    }

    @Test("R12.2 a secret is sent nowhere but where whoever wrote it meant it to go")
    func secretGoesNowhereElse() async throws {
        let (bench, flow) = try await bench()
        let call = bench.call()
        _ = try await flow.create("custom:acme", kind: .openID, call: call) {
            $0.issuer = "https://one.example"
            $0.clientIDs = ["a"]
            $0.secret = Secret("the secret")
        }
        let moves: [@Sendable (inout IdentityProvider) -> Void] = [
            { $0.issuer = "https://two.example" }, { $0.endpoints.token = "https://two.example/token" },
            { $0.endpoints.userInfo = "https://two.example/me" },
            { $0.endpoints.revocation = "https://two.example/revoke" },
        ]
        for move in moves {
            #expect(
                await refusal { _ = try await flow.update("custom:acme", call: call, move) } == "invalid_request secret"
            )
        }
        let stored = try await flow.get("custom:acme", call: call)
        #expect(stored.issuer == "https://one.example" && stored.endpoints == .init())
        // Whoever knows it may say so, the same one too; without one there is nothing to send.
        for move in moves {
            let moved = try await flow.update("custom:acme", call: call) {
                move(&$0)
                $0.secret = Secret("the secret")
            }
            #expect(moved.secret?.reveal() == "the secret")
        }
        let bare = try await flow.update("custom:acme", call: call) {
            $0.issuer = "https://three.example"
            $0.secret = nil
        }
        #expect(bare.secret == nil && bare.issuer == "https://three.example")
        _ = try await flow.update("custom:acme", call: call) { $0.issuer = "https://four.example" }
        // What the secret is not sent to moves freely.
        _ = try await flow.update("custom:acme", call: call) {
            $0.secret = Secret("another")
            $0.endpoints.authorization = "https://four.example/authorize"
        }
        _ = try await flow.update("custom:acme", call: call) { $0.displayName = "Acme" }
    }
}
