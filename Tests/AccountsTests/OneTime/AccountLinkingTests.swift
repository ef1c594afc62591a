// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import Testing

@testable import Accounts

/// The rule for what a signed-in user may be given to be known by, at the one place where that is given.
@Suite struct AccountLinkingTests {
    @Test(
        "R10.2 an account that nobody has proved links nothing, whatever is linked; what was proved may",
        arguments: [false, true])
    func unverified(isProved: Bool) async throws {
        let bench = try await ProofBench()
        let number = try PhoneNumber("+15555550100")
        let address = try EmailAddress("ada@example.com")
        // By each other's kind: an address to one who has a number, a number to one who has an address.
        let links: [(AccountLinking.Link, User, User, AuthErrorCode)] = [
            (
                .phone(number), try await bench.user(phone: number.e164),
                try await bench.user(email: "eve@example.com") { if isProved { $0.emailVerifiedAt = bench.now } },
                .emailNotVerified
            ),
            (
                .email(address), try await bench.user(email: address.rawValue),
                try await bench.user(phone: "+15555550101") { if isProved { $0.phoneVerifiedAt = bench.now } },
                .phoneNotVerified
            ),
        ]
        for (link, holder, user, code) in links {
            func take() async throws -> User {
                try await bench.ports.write(bench.call()) { step in
                    try AccountLinking(step).take(link, from: holder, over: user)
                }
            }
            if isProved {
                let linked = try await take()
                #expect(linked.id == user.id && linked.email != nil && linked.phone != nil)
                #expect(linked.emailVerifiedAt != nil && linked.phoneVerifiedAt != nil)
                #expect(try await bench.store.read { try $0.user(holder.id, in: holder.directoryID) } == nil)
            } else {
                await #expect(throws: AuthError(code)) { try await take() }
                #expect(try await bench.reload(user).updatedAt == user.updatedAt)
                #expect(try await bench.reload(holder).id == holder.id)
            }
        }
    }

    @Test(
        "R10.2 what anybody could open keeps no address from whoever proves it: it goes, or goes on without",
        arguments: 0..<3)
    func freed(kind: Int) async throws {
        let bench = try await ProofBench { $0.oneTime.secureEmailChange = false }
        let wanted = try EmailAddress("ada@example.com")
        let holder = try await bench.user(email: wanted.rawValue) {
            // Opened to send a link to; by somebody with a password; and one that an operator answers for.
            if kind > 0 { $0.passwordHash = try PasswordHash(ProofBench.hash) }
            if kind == 2 { $0.origin = .administrator }
        }
        let user = try await bench.confirmedUser("former@example.com")
        let issued = try await bench.ports.write(bench.call()) { step in
            try SessionIssuer(step).conclude(SignInProof(.oneTimeCode, at: step.now), of: user).get().session()
        }
        let authenticated = AuthenticatedUser(user: issued.user, identities: [], session: issued.session)
        var changes = UserChanges()
        changes.email = wanted
        _ = try await UpdateUser(bench.ports)(changes, of: authenticated, call: bench.call())
        let message = try await bench.messages(to: wanted.rawValue).first { $0.link != nil }
        guard kind < 2 else {
            // As before: nothing that could be answered, and the owner hears of it.
            #expect(message == nil)
            #expect(try await bench.reload(holder).email == wanted)
            return
        }
        let token = try #require(message?.tokenHash)
        let changed = try await ConfirmAddress(bench.ports)(
            .linkToken(token), purposes: [.emailChangeNew], call: bench.call()
        ).user
        #expect(changed.id == user.id && changed.email == wanted && changed.emailVerifiedAt != nil)
        let left = try await bench.store.read { try $0.user(holder.id, in: holder.directoryID) }
        #expect((left == nil) == (kind == 0))
        if let left {
            #expect(left.email == nil && left.passwordHash != nil)
            let identities = try await bench.store.read { try $0.identities(of: left.id, in: left.directoryID) }
            #expect(identities.isEmpty)
        }
    }

    @Test("R10.2 every flow that links asks the rule")
    func flows() async throws {
        let bench = try await ProofBench()
        let user = try await bench.user(phone: "+15555550101")
        let holder = try await bench.user(email: "ada@example.com")
        let proof = try await bench.proof(.magicLink, for: holder)
        let session = try await bench.ports.write(bench.call()) { step in
            try SessionIssuer(step).conclude(SignInProof(.assertion, at: step.now), of: user).get().session()
        }
        let authenticated = AuthenticatedUser(user: session.user, identities: [], session: session.session)
        await #expect(throws: AuthError(.phoneNotVerified)) {
            try await LinkAddress(bench.ports)(.linkToken(proof.linkToken), to: authenticated, call: bench.call())
        }
        let call = bench.call { $0.oneTime.testCodes = ["15555550100": "123456"] }
        let asked = try await PhoneSignIn(bench.ports).ask(try PhoneNumber("+15555550100"), call: call)
        await #expect(throws: AuthError(.phoneNotVerified)) {
            _ = try await PhoneSignIn(bench.ports)(
                .code(session: asked, "123456"), linkingTo: authenticated, call: call)
        }
        // Nothing was spent by what was refused.
        guard
            case .signedIn(let step, isNew: true) = try await PhoneSignIn(bench.ports)(
                .code(session: asked, "123456"), call: call)
        else { return #expect(Bool(false), "nobody was signed in") }
        #expect(step.user.phone?.e164 == "+15555550100")
    }
}
