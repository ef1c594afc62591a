// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientTestSupport
import SupabaseClient
import Testing

extension LiveTests {
    @Test("R13.4 G-1.1 G-1.2 sign-up awaits the mail, its code gives a session, and so does the password from then on")
    func signUp() async throws {
        let (backend, address) = (try backend(), server.freshAddress())
        let request = SignUpRequest(identifier: address, password: password, attributes: ["full_name": "Ada Lind"])
        let step = try await backend.signUp(request).awaited
        #expect(step.kind == .confirmation && step.identifier == address)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await backend.answer(step, with: .code(Secret("000000")))
        }
        let mail = try await server.mail(to: address, kind: "confirmation")
        let first = try await backend.answer(step, with: .code(Secret(try #require(mail.code)))).session
        #expect(first.user?.email == address && first.user?.emailVerified == true && first.user?.name == "Ada Lind")
        #expect(first.tokens.lifetime > .minutes(1) && first.serverDate != nil)
        let second = try await backend.signIn(.password(identifier: address, password: password)).session
        #expect(second.user?.subject == first.user?.subject)
        let third = try await backend.refresh(second.tokens)
        #expect(third.user?.subject == first.user?.subject)
        #expect(third.tokens.refreshToken?.reveal() != second.tokens.refreshToken?.reveal())
        #expect(try await backend.user(third.tokens) == third.user)
    }

    @Test("R13.4 G-1.3 G-4.2 wrong and unknown are refused alike, and who has not confirmed is asked to")
    func refusals() async throws {
        let (backend, address) = (try backend(), server.freshAddress())
        _ = try await backend.signUp(SignUpRequest(identifier: address, password: password))
        let step = try await backend.signIn(.password(identifier: address, password: password)).awaited
        #expect(step.kind == .confirmation)
        // As for an address that nobody has: the sign-up of an account that exists says nothing else.
        let member = server.freshAddress()
        _ = try await self.member(member)
        let again = try await backend.signUp(SignUpRequest(identifier: member, password: password)).awaited
        #expect(again.kind == .confirmation)
        for wrong in [member, server.freshAddress()] {
            await #expect(throws: AuthError(.invalidCredentials)) {
                try await backend.signIn(.password(identifier: wrong, password: Secret("Wrong-horse-7-battery")))
            }
        }
        try await backend.beginRecovery(identifier: server.freshAddress())
        try await backend.resendConfirmation(to: server.freshAddress())
    }

    @Test("R13.4 G-4.1 G-4.4 G-12.1 the hash of a mailed link confirms once, and a resent mail's does")
    func links() async throws {
        let (backend, address) = (try backend(), server.freshAddress())
        _ = try await backend.signUp(SignUpRequest(identifier: address, password: password))
        let mail = try await server.mail(to: address, kind: "confirmation")
        let hash = Secret(try #require(mail.tokenHash))
        let user = try await backend.signIn(.link(tokenHash: hash, kind: "signup")).session.user
        #expect(user?.emailVerified == true)
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await backend.signIn(.link(tokenHash: hash, kind: "signup"))
        }
    }

    @Test(
        "R13.4 G-3.2 G-3.3 G-12.2 a recovery link gives a session to choose a password in, even at the second attempt")
    func recovery() async throws {
        let (backend, address) = (try backend(), server.freshAddress())
        let before = try await member(address)
        try await backend.beginRecovery(identifier: address)
        let mail = try await server.mail(to: address, kind: "recovery")
        let proof = Secret(try #require(mail.tokenHash))
        let weak = await #expect(throws: AuthError(.weakPassword)) {
            try await backend.finishRecovery(identifier: nil, proof: proof, newPassword: Secret("short"))
        }
        #expect(weak?.violations.contains(.minimumLength) == true)
        let new = Secret("Another-horse-8-battery")
        let after = try await backend.finishRecovery(identifier: nil, proof: proof, newPassword: new)?.session
        #expect(after?.user?.subject == before.user?.subject)
        #expect(try await backend.signIn(.password(identifier: address, password: new)).session.user != nil)
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await backend.signIn(.password(identifier: address, password: password))
        }
        // The link is spent, and who had been signed in is no longer.
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await backend.finishRecovery(identifier: nil, proof: proof, newPassword: new)
        }
        let ended = await #expect(throws: AuthError.self) { try await backend.refresh(before.tokens) }
        #expect(ended.flatMap { SignOutReason(refusal: $0.code) } == .sessionRevoked)
    }

    @Test(
        "R13.4 a code and the hash of a mailed link sign in without a password, and a code does so with its address alone"
    )
    func codes() async throws {
        let (backend, address) = (try backend(), server.freshAddress())
        let member = try await member(address)
        let step = try await backend.sendCode(to: address)
        #expect(step.kind == .code)
        let mail = try await server.mail(to: address, kind: "magic_link")
        let code = Secret(try #require(mail.code))
        await #expect(throws: AuthError(.oneTimeTokenInvalid)) {
            try await backend.signIn(.code(identifier: server.freshAddress(), code: code))
        }
        let grant = try await backend.answer(step, with: .code(code)).session
        #expect(grant.user?.subject == member.user?.subject)
        // Nobody is told that there is no such account.
        #expect(try await backend.sendCode(to: server.freshAddress()).kind == .code)
    }

    @Test("R13.4 G-13.2 each scope of a sign-out ends the sessions it names, and a second time is no error")
    func scopes() async throws {
        let (backend, address) = (try backend(), server.freshAddress())
        let first = try await member(address)
        let proof = SignInProof.password(identifier: address, password: password)
        let second = try await backend.signIn(proof).session
        let third = try await backend.signIn(proof).session
        try await backend.revoke(first.tokens, scope: .local)
        try await backend.revoke(first.tokens, scope: .local)
        await ended(first, at: backend)
        try await backend.revoke(second.tokens, scope: .others)
        await ended(third, at: backend)
        let renewed = try await backend.refresh(second.tokens)
        let fourth = try await backend.signIn(proof).session
        try await backend.revoke(fourth.tokens, scope: .global)
        await ended(renewed, at: backend)
        await ended(fourth, at: backend)
    }

    private func ended(_ grant: SessionGrant, at backend: some IdentityBackend) async {
        let error = await #expect(throws: AuthError.self) { try await backend.refresh(grant.tokens) }
        #expect(error.flatMap { SignOutReason(refusal: $0.code) } == .sessionRevoked, "\(String(describing: error))")
    }

    @Test("R13.4 G-5.4 whom an operator bans or deletes is told so by the next refresh")
    func banned() async throws {
        let (backend, address) = (try backend(), server.freshAddress())
        let grant = try await member(address)
        let id = try #require(grant.user?.subject)
        try await operate("PUT", "/" + id, ["ban_duration": "1h"])
        let banned = await #expect(throws: AuthError.self) { try await backend.refresh(grant.tokens) }
        #expect(banned.flatMap { SignOutReason(refusal: $0.code) } == .accountDisabled, "\(String(describing: banned))")
        let other = try await member(server.freshAddress())
        try await operate("DELETE", "/" + (try #require(other.user?.subject)))
        let deleted = await #expect(throws: AuthError.self) { try await backend.refresh(other.tokens) }
        #expect(deleted?.code.endsSession == true, "\(String(describing: deleted))")
    }

    @Test(
        "R13.4 a password is changed with the present one or with a mailed code, and another user's proof proves nothing"
    )
    func passwords() async throws {
        let (backend, address) = (try backend(), server.freshAddress())
        let grant = try await member(address)
        let new = Secret("Another-horse-8-battery")
        let changed = try #require(try await backend.changePassword(grant.tokens, current: password, new: new))
        #expect(changed.user?.subject == grant.user?.subject && changed.tokens.lifetime > .minutes(1))
        try await backend.sendReauthenticationCode(grant.tokens)
        let code = Secret(try #require(try await server.mail(to: address, kind: "reauthentication").code))
        _ = try await backend.changePassword(grant.tokens, nonce: code, new: Secret("Third-horse-9-battery"))
        let other = server.freshAddress()
        _ = try await member(other)
        let stranger = try await backend.reauthenticate(
            grant.tokens, with: .password(identifier: other, password: password)
        ).session
        #expect(stranger.user?.subject != grant.user?.subject)
        let anew = try await backend.reauthenticate(
            grant.tokens, with: .password(identifier: address, password: Secret("Third-horse-9-battery"))
        ).session
        #expect(anew.user?.subject == grant.user?.subject)
        await #expect(throws: AuthError(.unsupported)) { try await backend.deleteAccount(anew.tokens) }
    }
}
