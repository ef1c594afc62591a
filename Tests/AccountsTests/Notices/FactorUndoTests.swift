// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Which mails carry a link by which a factor is taken away again, and what it takes.
@Suite struct FactorUndoTests {
    private struct Links: VerificationLinks {
        var place = "https://auth.example/account"

        func link(
            for _: OneTimeToken.Purpose, token: String, redirectTo _: String, in _: Directory
        ) -> String { place + "?token=" + token }

        func home(of _: Directory) -> String { place }
    }

    private func link(
        _ bench: FactorBench, _ owner: FactorBench.Owner, to user: User? = nil, by actor: AuditEvent.Actor = .unknown,
        home: String = Links().place
    ) async throws -> String? {
        let call = bench.call().with {
            $0.links = Links(place: home)
            $0.actor = actor
        }
        try await bench.ports.write(call) { try OwnerNotice($0).tellAdded(owner.factor, to: user ?? owner.user) }
        return try await bench.base.base.messages(to: "a@example.com").first { $0.kind == "factor_added" }?.link
    }

    private func token(_ link: String?) throws -> String {
        let link = try #require(link)
        #expect(link.hasPrefix("https://auth.example/account/undo?token="))
        return String(link.split(separator: "=", maxSplits: 1)[1])
    }

    @Test(
        "R14.2 an owner's mailbox that is proved gets the link; not one that is not, nor of what an operator has done, nor where there are no pages"
    )
    func who() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        #expect(try await link(bench, owner) != nil)
        for (actor, home) in [
            (AuditEvent.Actor.administrator("key"), Links().place), (.commandLine, Links().place), (.unknown, ""),
        ] as [(AuditEvent.Actor, String)] {
            let other = try await FactorBench()
            let theirs = try await other.owner()
            #expect(try await link(other, theirs, by: actor, home: home) == nil, "\(actor)")
        }
        let unproved = try await FactorBench()
        let theirs = try await unproved.owner()
        var user = theirs.user
        user.emailVerifiedAt = nil
        let told = try await unproved.base.base.messages(to: "a@example.com").map(\.id)
        _ = try await link(unproved, theirs, to: user)
        let added = try await unproved.base.base.messages(to: "a@example.com").filter { !told.contains($0.id) }
        #expect(added.allSatisfy { $0.link == nil })
    }

    @Test(
        "R14.2 with the factor go its backup codes, all devices, sessions and links, and a new password can be set by what is returned"
    )
    func effects() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        _ = try await UserBackupCodes(bench.ports).make(for: owner.session, call: bench.call())
        // Of whoever added the factor: it would stand in for the owner's own.
        let device = RememberedDevice(
            id: RememberedDeviceID("device"), directoryID: owner.user.directoryID, userID: owner.user.id,
            verifier: SRPVerifier(salt: [1, 2, 3], verifier: Secret([4, 5, 6])), isRemembered: true, assurance: .aal2,
            createdAt: bench.base.now)
        try await bench.base.store.write { try $0.insert(device) }
        let text = try token(try await link(bench, owner))
        let call = bench.call(after: .minutes(1))
        try await bench.base.write(owner.user) {
            $0.pendingEmail = try EmailAddress("thief@example.com")
            $0.pendingPhone = try PhoneNumber("+4915112345678")
        }
        let undo = UndoFactor(bench.ports)
        #expect(try await undo.find(text, call: call)?.factor.id == owner.factor.id)
        let proof = try await undo(text, call: call)
        #expect(try await undo.find(text, call: call) == nil)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) { _ = try await undo(text, call: call) }
        let (factors, codes, sessions) = try await bench.ports.store.read { tx in
            (
                try tx.factors(of: owner.user.id, in: call.directory.id),
                try tx.backupCodes(of: owner.user.id, in: call.directory.id),
                try tx.sessions(of: owner.user.id, in: call.directory.id)
            )
        }
        #expect(factors.isEmpty && codes == nil && sessions.isEmpty)
        let user = try await bench.base.base.reload(owner.user)
        #expect(user.pendingEmail == nil && user.pendingPhone == nil)
        #expect(
            try await bench.base.store.read { try $0.rememberedDevices(of: owner.user.id, in: call.directory.id) }
                .isEmpty)
        _ = try await ResetPassword(bench.ports)(
            .link(token: proof.linkToken), purposes: [.recovery], password: Secret(PasswordBench.newPassword),
            call: call)
    }

    @Test(
        "R14.2 a factor that was taken away and set up anew is another, and so is a link of another Directory's or of yesterday's"
    )
    func others() async throws {
        let bench = try await FactorBench()
        let owner = try await bench.owner()
        let text = try token(try await link(bench, owner))
        let undo = UndoFactor(bench.ports)
        #expect(try await undo.find(text, call: bench.call(after: .hours(24))) == nil)
        #expect(try await undo.find(text, call: bench.call(after: .hours(23))) != nil)
        let other = try await FactorBench()
        #expect(try await undo.find(text, call: other.call()) == nil)
        try await bench.ports.store.write { tx in
            var again = owner.factor
            again.verifiedAt = bench.call(after: .hours(1)).now
            try tx.update(again)
        }
        #expect(try await undo.find(text, call: bench.call()) == nil)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) { _ = try await undo(text, call: bench.call()) }
    }
}
