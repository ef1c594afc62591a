// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import TestBench
import Testing

@testable import Accounts

/// One table: what is taken from an account, by whoever takes it.
@Suite struct PartRemovalTests {
    /// By which of the flows a part is taken.
    enum Caller: CaseIterable {
        /// The user, who says so.
        case user
        /// The user, for what is to take its place.
        case change
        case administrator
        /// An operator whose users keep what they are called by.
        case namingAdministrator

        /// Whether what the user is called by stays.
        var keepsName: Bool { self == .change || self == .namingAdministrator }
    }

    private static let parts: [AccountPart] = [.email, .phone, .password, .identity(provider: "google")]

    /// A user with everything that can be taken, and something waiting to take the place of each address.
    private static func user(_ bench: ProofBench, named: Bool) async throws -> User {
        let user = try await bench.user(email: "ada@example.com", phone: "+15555550100") {
            $0.emailVerifiedAt = bench.now
            $0.phoneVerifiedAt = bench.now
            $0.pendingEmail = try EmailAddress("new@example.com")
            $0.pendingPhone = try PhoneNumber("+15555550101")
            $0.passwordHash = try PasswordHash(ProofBench.hash)
            if named { $0.username = try Username("ada") }
        }
        _ = try await bench.proof(.recovery, for: user)
        try await bench.ports.write(bench.call()) { step in
            try step.tx.insert(
                Identity(
                    id: step.random.identifier(), directoryID: step.directory, userID: user.id, provider: "google",
                    subject: "1", data: [:], createdAt: step.now, updatedAt: step.now))
        }
        return try await bench.reload(user)
    }

    private static func take(
        _ part: AccountPart, from user: User, by caller: Caller, _ bench: ProofBench
    ) async throws {
        var call = bench.call { $0.password.changeNeedsReauthentication = false }
        switch caller {
        case .user, .change:
            var changes = UserChanges()
            if caller == .user { changes.removes = [part] }
            if caller == .change {
                changes.dropsFormerEmail = part == .email
                changes.dropsFormerPhone = part == .phone
            }
            let issued = try await bench.ports.write(call) { step in
                try SessionIssuer(step).conclude(SignInProof(.oneTimeCode, at: step.now), of: user).get().session()
            }
            let authenticated = AuthenticatedUser(user: issued.user, identities: [], session: issued.session)
            _ = try await UpdateUser(bench.ports)(changes, of: authenticated, call: call)
        case .administrator, .namingAdministrator:
            call.actor = .administrator("test")
            var attributes = UserAttributes()
            attributes.removes = [part]
            attributes.keepsName = caller == .namingAdministrator
            _ = try await UserAdministration(bench.ports).update(user.id, attributes, call: call)
        }
    }

    @Test("R10.5 a part goes with what belonged to it, the same for whoever takes it", arguments: Caller.allCases)
    func table(caller: Caller) async throws {
        for part in Self.parts where caller != .change || part == .email || part == .phone {
            for named in [true, false] {
                let bench = try await ProofBench()
                let before = try await Self.user(bench, named: named)
                try await Self.take(part, from: before, by: caller, bench)
                let after = try await bench.reload(before)
                let identities = try await bench.store.read { try $0.identities(of: before.id, in: before.directoryID) }
                let what = "\(caller) \(part) \(named)"
                // A user with a name is called by that, so any address may go.
                let stays = caller.keepsName && !named
                let (email, phone) = (part == .email && !stays, part == .phone && !stays)
                #expect((after.email == nil) == email && (after.emailVerifiedAt == nil) == email, "\(what)")
                #expect((after.phone == nil) == phone && (after.phoneVerifiedAt == nil) == phone, "\(what)")
                // A password takes with it whatever its holder has begun.
                #expect((after.pendingEmail == nil) == (email || part == .password), "\(what)")
                #expect((after.pendingPhone == nil) == (phone || part == .password), "\(what)")
                #expect((after.passwordHash == nil) == (part == .password), "\(what)")
                var kept: Set<String> = ["email", "phone", "google"]
                if email { kept.remove("email") }
                if phone { kept.remove("phone") }
                if part == .identity(provider: "google") { kept.remove("google") }
                #expect(Set(identities.map(\.provider)) == kept, "\(what)")
                #expect(after.isConfirmed, "\(what)")
                if email || phone {
                    #expect(after.confirmedAt != nil, "\(what)")
                    #expect(try await bench.token(.recovery, of: before) == nil, "\(what)")
                }
                if part == .identity(provider: "google") || stays && (part == .email || part == .phone) {
                    #expect(try await bench.token(.recovery, of: before) != nil, "\(what)")
                }
            }
        }
    }

    @Test(
        "R12.2 R8.8 who takes a provider from an account is told of it, its sessions end but the one that asks, and it is noted"
    )
    func identity() async throws {
        let bench = try await FederationBench()
        let owner = try await bench.owner("ada@gmail.com")
        _ = try await bench.signIn(bench.proof("google", "ada", email: "ada@gmail.com", vouched: true))
        let asking = try await bench.session(of: owner)
        var changes = UserChanges()
        changes.removes = [.identity(provider: "google")]
        let call = bench.call { $0.password.changeNeedsReauthentication = false }
        _ = try await UpdateUser(bench.accounts.ports)(changes, of: asking, call: call)
        let live = try await bench.accounts.ports.store.read { try $0.sessions(of: owner.id, in: owner.directoryID) }
            .filter { $0.revokedAt == nil }.map(\.id)
        #expect(live == [asking.session?.id].compactMap(\.self))
        #expect(try await bench.events(.identityUnlinked).map(\.userID) == [owner.id])
        let told = try await bench.accounts.ports.store.read {
            try $0.outbox(in: nil, recipient: "ada@gmail.com", limit: 9)
        }
        #expect(told.map(\.kind).sorted() == ["identity_linked", "identity_unlinked"])
    }

    @Test("R12.2 nobody takes the last way into their own account away; an operator may")
    func lastWay() async throws {
        let bench = try await FederationBench()
        let policy = FederationPolicy(isEmailOptional: true)
        let user = try await bench.signIn(bench.proof("google", "ada"), policy: policy).record.user
        let asking = try await bench.session(of: user)
        var changes = UserChanges()
        changes.removes = [.identity(provider: "google")]
        let call = bench.call { $0.password.changeNeedsReauthentication = false }
        let update = UpdateUser(bench.accounts.ports)
        #expect(await bench.refusal { _ = try await update(changes, of: asking, call: call) } == .lastWayIn)
        #expect(try await bench.identities(of: user) == ["google ada"], "nothing of the call is done")
        #expect(try await bench.liveSessions(of: user) == 2)
        var operators = call
        operators.actor = .administrator("test")
        var attributes = UserAttributes()
        attributes.removes = [.identity(provider: "google")]
        _ = try await UserAdministration(bench.accounts.ports).update(user.id, attributes, call: operators)
        #expect(try await bench.identities(of: user) == [])
    }
}
