// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Signs in by challenges that programs of the operator's make and judge, one after the other, until one of them says
/// that it is enough: a first factor, behind which everything comes that comes behind any.
///
/// A client may begin with the password, which is proved by SRP where the first thing that a program asks for is that;
/// the programs hear of it once it was right. Names that nobody has are asked about alike. What is asked next, and when
/// it is over, the programs say; here is decided that an answer is judged once, that there is an end, and that nobody
/// comes in who was asked nothing.
public struct CustomSignIn: Sendable {
    /// Challenges of one sign-in.
    public static let most = 10
    private static let way = "custom"

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    public enum Outcome: Sendable {
        /// What the client is shown, and what it brings back with its answer.
        case challenge(name: String, shown: JSONObject, session: Secret<String>)
        /// The password, by SRP.
        case password(SRPChallenge, session: Secret<String>)
        case signedIn(SignInStep)
    }

    /// - Parameter clientPublic: A, big-endian, of a client that begins with the password.
    /// - Throws: ``AuthErrorCode/invalidCredentials`` where the program wants nobody in, ``AuthErrorCode/hookRefused``,
    ///   ``AuthErrorCode/hookFailed``; ``AuthErrorCode/emailSignInDisabled``, ``AuthErrorCode/phoneSignInDisabled``,
    ///   ``AuthErrorCode/unsupported`` where there are no such programs; ``AuthErrorCode/invalidRequest`` as
    ///   ``SRPSignIn/begin(_:clientPublic:call:)``.
    public func begin(
        _ identifier: SignInIdentifier, clientPublic: [UInt8]? = nil, call: CallContext
    ) async throws -> Outcome {
        try call.requireEnabled(identifier)
        try requirePrograms(call)
        var password: SRPChallenge?
        if let clientPublic {
            password = try await SRPSignIn(ports).challenge(
                identifier, clientPublic: clientPublic, isWithinChallenges: true, call: call)
        }
        let user = try await ports.store.read { try $0.user(known: identifier, in: call.directory.id) }
        var state = CustomSignInState(identifier, user: user, call: call)
        if password != nil { state.answered = [CustomChallenge.Answered(.passwordBegun, isRight: true)] }
        return try await goOn(state, password, as: identifier, call)
    }

    /// Judges an answer to ``Outcome/password(_:session:)``. A wrong one does not use it up, a right one does.
    ///
    /// - Parameters:
    ///   - session: as the challenge came with it.
    ///   - proof: the challenge's own state.
    ///   - accepts: as of ``SRPSignIn/finish(state:call:accepts:)``.
    /// - Throws: as that; ``AuthErrorCode/flowStateNotFound`` for a session that was not given for this, or was used;
    ///   ``AuthErrorCode/flowStateExpired``; and as ``begin(_:clientPublic:call:)``.
    public func answerPassword(
        _ session: String, proof: [UInt8], as identifier: SignInIdentifier, call: CallContext,
        accepts: @Sendable (SRPResult) -> Bool
    ) async throws -> Outcome {
        try requirePrograms(call)
        var state = try CustomSignInState(session, call: call)
        guard state.asked == .password else { throw AuthError(.flowStateNotFound) }
        let carried = state
        try await SRPSignIn(ports).prove(proof, isWithinChallenges: true, call: call, accepts: accepts) {
            proved -> Result<Void, AuthError> in
            // Another's password is no answer to what this one was asked.
            guard carried.isReal, proved.user.id == carried.subject,
                try proved.step.tx.spend(carried.nonce, in: proved.step.directory, until: carried.expiresAt)
            else { return .failure(try proved.attempt.refuse(.flowStateNotFound, user: proved.user.id)) }
            return .success(())
        }
        state.answered.append(CustomChallenge.Answered(.password, isRight: true))
        return try await goOn(state, as: identifier, call)
    }

    /// Judges an answer. It is spent, whatever comes of it.
    ///
    /// - Parameters:
    ///   - session: as the challenge came with it.
    ///   - identifier: whom it was begun for.
    /// - Throws: as ``begin(_:call:)``; ``AuthErrorCode/flowStateNotFound`` for a session that was not given for this,
    ///   or was used; ``AuthErrorCode/flowStateExpired``; ``AuthErrorCode/rateLimited`` after too many wrong answers;
    ///   after the last right one as ``PasswordSignIn``.
    public func answer(
        _ session: String, _ answer: Secret<String>, as identifier: SignInIdentifier, call: CallContext
    ) async throws -> Outcome {
        try requirePrograms(call)
        var state = try CustomSignInState(session, call: call)
        let named = try await ports.store.read { try $0.user(known: identifier, in: call.directory.id) }
        let isTheirs =
            state.isReal ? named?.id == state.subject : identifier.subject(nil, in: call.directory) == state.subject
        guard isTheirs, case .own = state.asked else { throw AuthError(.flowStateNotFound) }
        return try await ports.guessing(at: state.subject, call: call) { guess in
            let spent = state
            // Before anybody is asked: of answers at once, one is judged.
            let isFirst = try await ports.write(call) { step in
                try guess.requireRoom(in: step.tx)
                return try step.tx.spend(spent.nonce, in: step.directory, until: spent.expiresAt)
            }
            guard isFirst else { throw AuthError(.flowStateNotFound) }
            let question = HookQuestion.Matter.challengeAnswer(
                try await challenge(state, identifier, call), kept: state.kept, answer: answer)
            let isRight = try await ask(question, call) { $0.isRight }
            state.answered.append(
                CustomChallenge.Answered(state.asked, isRight: isRight, metadata: state.metadata))
            if !isRight { try await ports.write(call) { try guess.countWrong(in: $0.tx) } }
            return try await goOn(state, as: identifier, call)
        }
    }

    /// - Parameter password: of whoever begins with it, for as long as it was not asked for.
    private func goOn(
        _ state: CustomSignInState, _ password: SRPChallenge? = nil, as identifier: SignInIdentifier,
        _ call: CallContext
    ) async throws -> Outcome {
        let asked = try await challenge(state, identifier, call)
        var next = state
        switch try await ask(.challengeDefinition(asked), call, { $0.next }) {
        case .session:
            guard state.answered.contains(where: { $0.kind != .passwordBegun }) else {
                throw HookFailure.malformed.error("nothing was asked yet")
            }
            return .signedIn(try await open(state, call))
        case .refusal: throw try await refuse(state, call)
        case .password:
            guard let password else { throw HookFailure.malformed.error("the password is asked for first, or never") }
            next.asked = .password
            return .password(password, session: try next.sealed(call, random: ports.random))
        case .challenge(let name):
            guard state.ownAnswers.count < Self.most else { throw try await refuse(state, call) }
            let made = try await ask(.challengeCreation(asked, name: name), call) { $0.challenge }
            (next.asked, next.kept, next.metadata) = (.own(name), made.kept, made.metadata)
            let session = try next.sealed(call, random: ports.random)
            return .challenge(name: name, shown: made.shown, session: session)
        }
    }

    private func open(_ state: CustomSignInState, _ call: CallContext) async throws -> SignInStep {
        let outcome: Result<SignInStep, AuthError> = try await ports.write(call) { step in
            let attempt = SignInAttempt(step, by: Self.way)
            // Whoever has come so far is told of a ban as ever, which is also what ended it.
            guard let user = try step.tx.user(state.subject, in: step.directory),
                state.holds(for: user, at: step.now) || state.isOf(user) && user.isBanned(at: step.now)
            else {
                let known = state.isReal ? state.subject : nil
                return .failure(try attempt.refuse(.invalidCredentials, user: known))
            }
            return try attempt.conclude(
                SignInProof(methods: state.methods(at: step.now), assurance: .aal1), of: user, .stored)
        }
        return try outcome.get()
    }

    private func refuse(_ state: CustomSignInState, _ call: CallContext) async throws -> AuthError {
        try await ports.write(call) { step in
            try SignInAttempt(step, by: Self.way).refuse(.invalidCredentials, user: state.isReal ? state.subject : nil)
        }
    }

    private func challenge(
        _ state: CustomSignInState, _ identifier: SignInIdentifier, _ call: CallContext
    ) async throws -> CustomChallenge {
        let subject = try await ports.store.read { tx -> HookQuestion.Subject? in
            guard state.isReal, let user = try tx.user(state.subject, in: call.directory.id), user.deletedAt == nil
            else {
                return nil
            }
            return HookQuestion.Subject(user, try LocalIdentities.all(of: user, tx))
        }
        return CustomChallenge(identifier: identifier, subject: subject, answered: state.answered)
    }

    private func ask<Value>(
        _ matter: HookQuestion.Matter, _ call: CallContext, _ answer: (HookChanges) -> Value?
    ) async throws -> Value {
        let decision = try await ports.hooks.ask(HookQuestion(matter, call: call), random: ports.random)
        for part in try decision.get() {
            if let value = answer(part.changes) { return value }
        }
        throw HookFailure.malformed.error("no answer")
    }

    private func requirePrograms(_ call: CallContext) throws(AuthError) {
        for moment in [HookMoment.challengeDefinition, .challengeCreation, .challengeAnswer] {
            guard !ports.hooks.blocking(moment, call).isEmpty else { throw AuthError(.unsupported) }
        }
    }
}
