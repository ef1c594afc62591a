// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Factors
import TestBench
import Testing

extension PagesBench {
    /// A session of somebody who has no second factor yet.
    func session(of email: String) async throws -> AuthenticatedUser {
        let step = try await base.flows.passwordSignIn(
            .email(EmailAddress(email)), password: Secret(AccountBench.password), call: base.call())
        let issued = try step.session()
        return AuthenticatedUser(user: issued.user, identities: [], session: issued.session)
    }

    /// Gives somebody an authenticator app, through no page.
    ///
    /// - Returns: what the app makes its codes of. The code of a minute ago is spent.
    func addApp(to email: String) async throws -> Secret<[UInt8]> {
        let owner = try await session(of: email)
        let enrolled = try await base.flows.enrolFactor(
            .totp(issuer: nil), named: "my app", for: owner, call: base.call())
        guard case .totp(let secret) = enrolled.factor.credential else { throw AuthError(.conflict) }
        let call = base.call()
        _ = try await base.flows.stepUp(
            .code(Self.code(of: secret, at: call.now), of: enrolled.factor.id, challenge: nil), of: owner, call: call)
        base.clock.advance(by: .minutes(1))
        return secret
    }

    /// Gives somebody a factor whose codes are sent.
    func add(_ factor: NewFactor, to owner: AuthenticatedUser, at recipient: String) async throws {
        let enrolled = try await base.flows.enrolFactor(factor, for: owner, call: base.call())
        _ = try await base.flows.challengeFactor(enrolled.factor.id, of: owner, call: base.call())
        let code = try #require(try await base.message(to: recipient).code)
        _ = try await base.flows.stepUp.inPlace(
            .code(code, of: enrolled.factor.id, challenge: nil), of: owner, call: base.call())
        base.clock.advance(by: .minutes(2))
    }

    static func code(of secret: Secret<[UInt8]>, at now: Instant) -> String {
        TOTP().code(at: TOTP().step(at: now), of: secret)
    }

    func code(of secret: Secret<[UInt8]>) -> String { Self.code(of: secret, at: base.now) }

    /// Six digits that are no code of these minutes.
    func wrongCode(of secret: Secret<[UInt8]>) -> String {
        let right = (-2...2).map { TOTP().code(at: TOTP().step(at: base.now) + $0, of: secret) }
        return (0..<10).map { String(repeating: String($0), count: 6) }.first { !right.contains($0) } ?? ""
    }

    /// What is being set up for a user: its secret.
    func unfinished(of email: String) async throws -> Secret<[UInt8]> {
        let user = try #require(try await user(email))
        for factor in try await base.flows.userFactors.list(of: user.id, call: base.call()) where !factor.isVerified {
            if case .totp(let secret) = factor.credential { return secret }
        }
        throw AuthError(.factorNotFound)
    }

    func user(_ email: String) async throws -> User? {
        try await base.flows.findUser(.email(EmailAddress(email)), call: base.call())
    }

    /// The live sessions of somebody that no client was given.
    func sessions(of email: String) async throws -> [Session] {
        let user = try #require(try await user(email))
        return try await base.flows.sessionList.list(
            AuthenticatedUser(user: user, identities: [], session: nil), call: base.call()
        ).filter { $0.parentID == nil }
    }
}
