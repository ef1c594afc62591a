// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import TestBench
import Testing

@testable import Accounts

/// Links by an operator's word.
@Suite struct IdentityAdministrationTests {
    private static func operated(_ bench: FederationBench) -> CallContext {
        var call = bench.call()
        call.actor = .administrator("test")
        return call
    }

    @Test("R12.6 who is linked by an operator signs in as that user the first time, whatever the provider says of them")
    func link() async throws {
        let bench = try await FederationBench()
        let administration = IdentityAdministration(bench.accounts.ports)
        let user = try await bench.owner("ada@example.com")
        let record = try await administration.link("g-1", of: "google", to: user.id, call: Self.operated(bench))
        #expect(record.identities.map(\.provider).sorted() == ["email", "google"])
        let proof = try bench.proof("google", "g-1", email: "other@example.net")
        let outcome = try await bench.signIn(proof)
        #expect(outcome.record.user.id == user.id && outcome.moment == .returned)
        #expect(outcome.record.user.email == user.email, "the address that it names changes nothing")
        let audit = try await bench.accounts.ports.store.read {
            try $0.auditEvents(
                of: user.id, in: user.directoryID, action: .identityLinked, until: nil, offset: 0, limit: 9)
        }
        #expect(audit.contains { $0.details["by"] == "administrator" })
        let told = try await bench.accounts.ports.store.read {
            try $0.outbox(in: nil, recipient: "ada@example.com", limit: 9)
        }
        #expect(told.map(\.kind) == ["identity_linked"], "R8.8 the owner is told, whoever has done it")
    }

    @Test("R12.6 R46 no link is made into an account that a stranger opened and nobody proved")
    func unproved() async throws {
        let bench = try await FederationBench()
        let administration = IdentityAdministration(bench.accounts.ports)
        let call = Self.operated(bench)
        let stranger = try await bench.user(email: "victim@example.com")
        let made = try await bench.user(email: "asked@example.com") { $0.origin = .administrator }
        #expect(
            await bench.refusal { _ = try await administration.link("g-1", of: "google", to: stranger.id, call: call) }
                == .emailNotVerified)
        #expect(try await bench.identities(of: stranger).isEmpty)
        _ = try await administration.link("g-1", of: "google", to: made.id, call: call)
        #expect(try await bench.identities(of: made) == ["google g-1"])
    }

    @Test("R12.6 a subject that is somebody's is nobody else's, and a user has five at most")
    func bounds() async throws {
        let bench = try await FederationBench()
        let administration = IdentityAdministration(bench.accounts.ports)
        let call = Self.operated(bench)
        let (ada, bob) = (try await bench.owner("ada@example.com"), try await bench.owner("bob@example.com"))
        for index in 1...5 {
            _ = try await administration.link("g-\(index)", of: "google", to: ada.id, call: call)
        }
        func refused(_ subject: String, _ provider: String, _ user: User) async -> AuthError? {
            do {
                _ = try await administration.link(subject, of: provider, to: user.id, call: call)
                return nil
            } catch { return error as? AuthError }
        }
        #expect(await refused("g-6", "google", ada)?.field == "count")
        #expect(await refused("g-1", "google", ada)?.code == .identityAlreadyLinked)
        #expect(await refused("g-1", "google", bob)?.field == "user")
        #expect(await refused("x", "nobody", bob)?.code == .identityProviderNotFound)
        #expect(await refused("x", "email", bob)?.code == .identityProviderNotFound)
        for subject in ["", String(repeating: "x", count: 256), "e" + String(repeating: "\u{301}", count: 31)] {
            #expect(await refused(subject, "google", bob)?.code == .invalidRequest)
        }
        #expect(try await bench.identities(of: bob).isEmpty)
        let forbidden = await bench.refusal {
            _ = try await administration.link("x", of: "google", to: bob.id, call: bench.call())
        }
        #expect(forbidden == .forbidden)
    }

    @Test("R12.6 of fifty links of one subject to two users, one is made")
    func race() async throws {
        let bench = try await FederationBench()
        let administration = IdentityAdministration(bench.accounts.ports)
        let call = Self.operated(bench)
        let users = [try await bench.owner("ada@example.com"), try await bench.owner("bob@example.com")]
        let made = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<50 {
                group.addTask {
                    (try? await administration.link("g-1", of: "google", to: users[index % 2].id, call: call)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 1)
        var known: [String] = []
        for user in users { known += try await bench.identities(of: user) }
        #expect(known == ["google g-1"])
    }

    @Test(
        "R12.6 what an operator takes away ends its sessions, be it the last way in; a password goes as any other does")
    func unlink() async throws {
        let bench = try await FederationBench()
        let administration = IdentityAdministration(bench.accounts.ports)
        let call = Self.operated(bench)
        let came = try await bench.signIn(try bench.proof("facebook", "f-1", email: "ada@example.com"))
        let user = came.record.user
        try await administration.unlink("f-1", of: "facebook", call: call)
        #expect(try await bench.identities(of: user).isEmpty)
        let sessions = try await bench.accounts.ports.store.read { try $0.sessions(of: user.id, in: user.directoryID) }
        #expect(sessions.allSatisfy { $0.revokedAt != nil })
        for (subject, provider) in [("f-1", "facebook"), (user.id.rawValue, "email"), ("", "google")] {
            let again = await bench.refusal {
                try await administration.unlink(subject, of: provider, call: call)
            }
            #expect(again == .identityNotFound, "\(provider)")
        }
        let owner = try await bench.owner("bob@example.com")
        let session = try await bench.session(of: owner)
        try await administration.disablePassword(of: owner.id, call: call)
        let left = try #require(try await bench.reload(owner))
        #expect(left.passwordHash == nil && left.emailVerifiedAt != nil)
        let ended = try await bench.accounts.ports.store.read {
            try $0.session(try #require(session.session?.id), in: owner.directoryID)
        }
        #expect(ended?.revokedAt != nil)
    }
}
