// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import Testing

@testable import Accounts

/// A ``PasswordBench`` whose users set up second factors.
struct FactorBench: Sendable {
    let base: PasswordBench

    init(hooks: Hooks = Hooks(), _ change: (inout DirectorySettings) -> Void = { _ in }) async throws {
        base = try await PasswordBench(hooks: hooks) { settings in
            settings.factors.phone = .on
            settings.factors.email = .on
            change(&settings)
        }
    }

    var ports: AccountPorts { base.ports }

    /// In a dialect that asks before there is a session.
    func call(after span: TimeSpan = .zero) -> CallContext { base.call(after: span) }

    /// In one whose sessions begin without.
    func open(after span: TimeSpan = .zero) -> CallContext { base.call(after: span).with { $0.factorPolicy = .stepUp } }

    /// Somebody with an authenticator app, and the session that shows it.
    struct Owner: Sendable {
        var user: User
        var factor: Factor
        var secret: Secret<[UInt8]>
        var session: AuthenticatedUser
        var issued: IssuedSession

        func code(at call: CallContext, drift: Int64 = 0) -> String {
            FactorCheck.totp.code(at: FactorCheck.totp.step(at: call.now) + drift, of: secret)
        }

        func proof(at call: CallContext, drift: Int64 = 0) -> FactorProof {
            .code(code(at: call, drift: drift), of: factor.id, challenge: nil)
        }

        /// A code of six digits that is none of theirs.
        func wrong(at call: CallContext) -> FactorProof {
            let right = Set((-1...1).map { code(at: call, drift: $0) })
            let wrong = (0..<10).map { String(repeating: String($0), count: 6) }.first { !right.contains($0) }
            return .code(wrong ?? "", of: factor.id, challenge: nil)
        }
    }

    /// The app's code of a minute before `call` is spent.
    func owner(_ email: String = "a@example.com") async throws -> Owner {
        let user = try await base.user(email)
        let before = open(after: .minutes(-5))
        let session = try await signedIn(email, at: before)
        let enrolled = try await EnrolFactor(ports)(.totp(issuer: nil), named: "app", for: session, call: before)
        guard case .totp(let secret) = enrolled.factor.credential else { throw AuthError(.conflict) }
        var owner = Owner(
            user: user, factor: enrolled.factor, secret: secret, session: session,
            issued: try await base.signIn(email, at: before))
        owner.issued = try await StepUp(ports)(owner.proof(at: before), of: session, call: before)
        owner.session = try await base.authenticated(owner.issued, at: before)
        owner.factor = try #require(try await factors(of: user).first)
        return owner
    }

    func signedIn(_ email: String = "a@example.com", at call: CallContext) async throws -> AuthenticatedUser {
        try await base.authenticated(try await base.signIn(email, at: call), at: call)
    }

    /// What a sign-in by password leads to.
    func next(_ email: String = "a@example.com", at call: CallContext? = nil) async throws -> SignInStep {
        try await PasswordSignIn(ports)(
            base.email(email), password: Secret(PasswordBench.password), call: call ?? self.call())
    }

    func pending(_ email: String = "a@example.com", at call: CallContext? = nil) async throws -> PendingSignIn {
        switch try await next(email, at: call) {
        case .secondFactor(let pending), .enrolment(let pending): return pending
        case let other: throw AuthError(.conflict, reason: "\(other.pendingStep.map(\.rawValue) ?? "session")")
        }
    }

    func ticket(
        _ email: String = "a@example.com", _ step: SignInTicket.Step = .secondFactor, at call: CallContext? = nil
    ) async throws -> SignInTicket {
        let call = call ?? self.call()
        return try SignInTicket(try await pending(email, at: call).ticket.reveal(), for: step, call: call)
    }

    func factors(of user: User) async throws -> [Factor] {
        try await base.store.read { try $0.factors(of: user.id, in: user.directoryID) }
    }

    func stored(_ session: Session) async throws -> Session {
        try #require(try await base.store.read { try $0.session(session.id, in: session.directoryID) })
    }

    /// The code that was sent last.
    func sentCode(to recipient: String) async throws -> String {
        try #require(try await base.base.messages(to: recipient).first { $0.kind == "factor_code" }?.code)
    }

    func refusal(_ body: () async throws -> Void) async -> AuthErrorCode? { await base.error(body)?.code }
}
