// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Factors
import HTTPTypes
import JOSE
import TestBench
import TestBenchHTTP
import Testing

/// What a session may not do of whose user a second factor is known, and was not shown in it.
@Suite("Calls that want a second factor") struct GuardedCallTests {
    struct Guarded: Sendable, CustomTestStringConvertible {
        let name: String
        /// What a session at `aal1` is told, and what one at `aal2`.
        let low: String
        var raised = "200 "
        /// Whether there are backup codes before.
        var hasCodes = false
        let send: @Sendable (SignInWorld, _ token: String) async throws -> HTTPBench.Reply

        var testDescription: String { name }
    }

    private static let codes = "/factors/recovery-codes"
    private static let link = "/user/identities/authorize?provider=google&skip_http_redirect=true"

    static let guarded: [Guarded] = [
        Guarded(name: "a new password", low: "401 insufficient_aal") {
            try await $0.send(.put, "/user", ["password": "Another-horse-8-battery"], token: $1)
        },
        Guarded(name: "a new address", low: "401 insufficient_aal") {
            try await $0.send(.put, "/user", ["email": "new@example.com"], token: $1)
        },
        Guarded(name: "a new number", low: "401 insufficient_aal") {
            try await $0.send(.put, "/user", ["phone": "+4915187654321"], token: $1)
        },
        Guarded(name: "a further factor", low: "403 insufficient_aal") {
            try await $0.send(.post, "/factors", ["factor_type": "totp", "friendly_name": "x"], token: $1)
        },
        Guarded(name: "a factor less", low: "422 insufficient_aal") {
            try await $0.send(.delete, "/factors/" + (try await $0.factorID(isPasskey: false)), token: $1)
        },
        Guarded(name: "backup codes", low: "403 insufficient_aal") { try await $0.send(.post, codes, token: $1) },
        Guarded(name: "other backup codes", low: "403 insufficient_aal", hasCodes: true) {
            try await $0.send(.post, codes + "/regenerate", token: $1)
        },
        Guarded(name: "no backup codes", low: "403 insufficient_aal", hasCodes: true) {
            try await $0.send(.delete, codes, token: $1)
        },
        Guarded(name: "a further passkey", low: "403 insufficient_aal") {
            try await $0.send(.post, "/passkeys/registration/options", token: $1)
        },
        Guarded(name: "a passkey less", low: "403 insufficient_aal", raised: "204 ") {
            try await $0.send(.delete, "/passkeys/" + (try await $0.factorID(isPasskey: true)), token: $1)
        },
        Guarded(name: "an identity less", low: "403 insufficient_aal") {
            try await $0.send(.delete, "/user/identities/" + (try await $0.identityID()), token: $1)
        },
        Guarded(name: "a further identity, in a browser", low: "403 insufficient_aal") {
            try await $0.send(.get, link, token: $1)
        },
        // The provider's word is about who is linked already: what it is refused for otherwise.
        Guarded(
            name: "a further identity, by a token", low: "403 insufficient_aal", raised: "422 identity_already_exists"
        ) {
            try await $0.send(
                .post, "/token?grant_type=id_token",
                ["provider": "google", "id_token": .string(try $0.vouch()), "link_identity": true], token: $1)
        },
        Guarded(name: "deletion", low: "401 insufficient_assurance", raised: "202 ") {
            try await $0.send(.delete, "/v1/account", token: $1)
        },
        Guarded(name: "export", low: "401 insufficient_assurance", raised: "202 ") {
            try await $0.send(.post, "/v1/account/export", token: $1)
        },
    ]

    @Test(
        "R14.2 G-9.6 after a second factor that was wrong a session may do nothing that wants one, and with it everything",
        arguments: guarded)
    func afterWrong(item: Guarded) async throws {
        let world = try await Self.world()
        let high = try await Self.raised(world, hasCodes: item.hasCodes)
        let low = try await Self.failed(world)
        let before = try await world.guardedState()
        #expect(Self.outcome(try await item.send(world, low)) == item.low)
        #expect(try await world.guardedState() == before, "what was refused has changed something")
        #expect(Self.outcome(try await item.send(world, high)) == item.raised)
    }

    @Test(
        "R14.2 G-9.6 a token from before the second factor was shown is worth no more once its session is raised",
        arguments: guarded.filter { !$0.hasCodes })
    func afterRaising(item: Guarded) async throws {
        let world = try await Self.world()
        let begun = try await world.supabaseSignedIn()
        world.accounts.advance(by: .seconds(2))
        let raised = try await world.show(world.appCode, token: begun)
        let token = try #require(raised["access_token"]?.stringValue, "\(raised.text)")
        let before = try await world.guardedState()
        #expect(Self.outcome(try await item.send(world, begun)) == item.low)
        #expect(try await world.guardedState() == before, "what was refused has changed something")
        #expect(Self.outcome(try await item.send(world, token)) == item.raised)
    }

    @Test("R14.2 G-9.6 what guards no account is open to a session without a second factor, after a wrong one too")
    func open() async throws {
        let world = try await Self.world()
        let low = try await Self.failed(world)
        let passkey = "/passkeys/" + (try await world.factorID(isPasskey: true))
        for (method, path, body) in [
            (.get, "/user", nil), (.put, "/user", ["data": ["name": "Ada"]]),
            (.patch, passkey, ["friendly_name": "laptop"]), (.get, "/v1/me", nil), (.get, "/v1/sessions", nil),
        ] as [(HTTPRequest.Method, String, JSONObject?)] {
            let reply = try await world.send(method, path, body, token: low)
            #expect(reply.status == 200, "\(path) \(reply.text)")
        }
    }

    // MARK: Sessions

    /// The user has a passkey, an identity elsewhere, and an authenticator app.
    private static func world() async throws -> SignInWorld {
        let world = try await SignInWorld()
        try await world.accounts.change { $0.federation.manualLinking = true }
        try await world.addPasskey()
        try await AccountState.factorDue.enter(world)
        return world
    }

    /// A session that shows the app, whose code is spent.
    private static func raised(_ world: SignInWorld, hasCodes: Bool) async throws -> String {
        let reply = try await world.show(world.appCode, token: try await world.supabaseSignedIn())
        let token = try #require(reply["access_token"]?.stringValue, "\(reply.text)")
        if hasCodes { #expect(try await world.send(.post, codes, token: token).status == 200) }
        world.accounts.advance(by: .seconds(60))
        return token
    }

    /// One whose user has shown a wrong code.
    private static func failed(_ world: SignInWorld) async throws -> String {
        let token = try await world.supabaseSignedIn()
        let near = (-2...2).map { TOTP().code(at: TOTP().step(at: world.now) + $0, of: SignInWorld.appSecret) }
        let wrong = (0..<10).map { String(repeating: String($0), count: 6) }.first { !near.contains($0) } ?? ""
        #expect(outcome(try await world.show(wrong, token: token)) == "422 mfa_verification_failed")
        let claims = try JSONObject(parsing: ParsedJWS(parsing: token.utf8).payload)
        #expect(claims["aal"] == "aal1")
        return token
    }

    private static func outcome(_ reply: HTTPBench.Reply) -> String {
        let code = reply.status < 400 ? nil : reply["error_code"] ?? reply["code"]
        return "\(reply.status) \(code?.stringValue ?? "")"
    }
}

extension SignInWorld {
    fileprivate func supabaseSignedIn() async throws -> String {
        let reply = try await supabase(
            "/token?grant_type=password", ["email": .string(Self.email), "password": .string(AccountBench.password)])
        return try #require(reply["access_token"]?.stringValue, "\(reply.text)")
    }

    /// Shows a code of the app's.
    fileprivate func show(_ code: String, token: String) async throws -> HTTPBench.Reply {
        let path = "/factors/" + (try await factorID(isPasskey: false))
        let challenge = try await supabase(path + "/challenge", [:], token: token)
        return try await supabase(
            path + "/verify",
            ["challenge_id": try #require(challenge["id"], "\(challenge.text)"), "code": .string(code)], token: token)
    }

    private func factors() async throws -> [Factor] {
        let (id, directory) = (user, accounts.directory.id)
        return try await accounts.ports.store.read { try $0.factors(of: id, in: directory) }
    }

    private func identities() async throws -> [Identity] {
        let (id, directory) = (user, accounts.directory.id)
        return try await accounts.ports.store.read { try $0.identities(of: id, in: directory) }
    }

    fileprivate func factorID(isPasskey: Bool) async throws -> String {
        try #require(try await factors().first { $0.isPasskey == isPasskey }).id.rawValue
    }

    /// That of the identity elsewhere.
    fileprivate func identityID() async throws -> String {
        try #require(try await identities().first { $0.provider == "google" }).id.rawValue
    }

    /// What guards the account, and what is owed to its owner.
    fileprivate func guardedState() async throws -> [String] {
        let (id, directory) = (user, accounts.directory.id)
        let (found, codes) = try await accounts.ports.store.read {
            (try $0.user(id, in: directory), try $0.backupCodes(of: id, in: directory))
        }
        let owner = try #require(found)
        let addresses = [owner.email, owner.pendingEmail].map { $0?.rawValue ?? "" }
        let numbers = [owner.phone, owner.pendingPhone].map { $0?.e164 ?? "" }
        return addresses + numbers
            + ["\(owner.updatedAt.microseconds)", codes?.id.rawValue ?? "", "\(owner.deletionDueAt == nil)"]
            + (try await factors().map(\.id.rawValue)) + (try await identities().map(\.id.rawValue))
            + (try await accounts.messages(to: Self.email).map(\.kind))
    }
}
