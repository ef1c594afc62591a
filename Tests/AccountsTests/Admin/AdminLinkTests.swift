// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

@Suite("Invitations and generated links")
struct AdminLinkTests {
    let email = "ada@example.com"

    func outbox(_ bench: Bench) async throws -> [OutboxMessage] {
        let directory = bench.directory.id
        return try await bench.ports.store.read { try $0.outbox(in: directory, recipient: nil, limit: 10) }
    }

    @Test("An invitation makes an unconfirmed account and one message")
    func invite() async throws {
        let bench = try await Bench.make()
        let record = try await UserAdministration(bench.ports).invite(
            email: EmailAddress(email), metadata: ["team": "blue"], call: bench.call())
        #expect(record.user.invitedAt == bench.now)
        #expect(record.user.emailVerifiedAt == nil)
        #expect(record.user.userMetadata == ["team": "blue"])
        #expect(record.identities.map(\.provider) == ["email"])
        #expect(try await outbox(bench).map(\.recipient) == [email])
    }

    @Test("R47 Inviting an address that somebody signed up with and never proved drops their password and sessions")
    func inviteUnproven() async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        var attributes = UserAttributes()
        attributes.email = try EmailAddress(email)
        attributes.password = Secret("Tr1cky-Enough-Phrase")
        let squatter = try await administration.create(attributes, call: bench.call()).user
        let session = try await bench.openSession(of: squatter)
        let invited = try await administration.invite(email: EmailAddress(email), call: bench.call()).user
        #expect(invited.id == squatter.id)
        #expect(invited.passwordHash == nil)
        let after = try await bench.ports.store.read { try $0.session(session, in: squatter.directoryID) }
        #expect(after?.revokedAt != nil)
    }

    @Test("A confirmed address is not invited")
    func inviteConfirmed() async throws {
        let bench = try await Bench.make()
        var attributes = UserAttributes()
        attributes.email = try EmailAddress(email)
        attributes.emailConfirm = true
        _ = try await UserAdministration(bench.ports).create(attributes, call: bench.call())
        await #expect(throws: AuthError(.emailExists)) {
            try await UserAdministration(bench.ports).invite(email: EmailAddress(email), call: bench.call())
        }
        #expect(try await outbox(bench).isEmpty)
    }

    @Test("A generated link is handed over and not sent; for an unknown address a magic link becomes a sign-up")
    func magicLink() async throws {
        let bench = try await Bench.make()
        let made = try await UserAdministration(bench.ports).generateLink(
            .magicLink, email: EmailAddress(email), call: bench.call())
        #expect(made.purpose == .signUpConfirmation)
        #expect(made.proof.linkToken.utf8.count == 56)
        #expect(made.proof.code.utf8.count >= 6)
        #expect(made.record.user.passwordHash == nil)
        #expect(try await outbox(bench).isEmpty)
        let token = try await bench.ports.store.read {
            try $0.oneTimeToken(
                of: made.record.user.id, purpose: .signUpConfirmation, in: made.record.user.directoryID)
        }
        #expect(token?.recipient == email)
    }

    @Test("Recovery and email change need a user; a change needs another, free address")
    func needsUser() async throws {
        let bench = try await Bench.make()
        let administration = UserAdministration(bench.ports)
        let address = try EmailAddress(email)
        for purpose in [OneTimeToken.Purpose.recovery, .emailChangeNew] {
            await #expect(throws: AuthError(.userNotFound)) {
                try await administration.generateLink(
                    purpose, email: address, newEmail: EmailAddress("b@example.com"), call: bench.call())
            }
        }
        for taken in [email, "b@example.com"] {
            var attributes = UserAttributes()
            attributes.email = try EmailAddress(taken)
            attributes.emailConfirm = true
            _ = try await administration.create(attributes, call: bench.call())
        }
        await #expect(throws: AuthError(.emailExists)) {
            try await administration.generateLink(
                .emailChangeNew, email: address, newEmail: EmailAddress("b@example.com"), call: bench.call())
        }
        await #expect(throws: AuthError(.invalidRequest)) {
            try await administration.generateLink(
                .emailChangeNew, email: address, newEmail: address, call: bench.call())
        }
        await #expect(throws: AuthError(.unsupported)) {
            try await administration.generateLink(.phoneChange, email: address, call: bench.call())
        }
        let made = try await administration.generateLink(
            .emailChangeNew, email: address, newEmail: EmailAddress("c@example.com"), call: bench.call())
        #expect(made.record.user.pendingEmail?.rawValue == "c@example.com")
        let token = try await bench.ports.store.read {
            try $0.oneTimeToken(of: made.record.user.id, purpose: .emailChangeNew, in: made.record.user.directoryID)
        }
        #expect(token?.recipient == "c@example.com")
    }
}
