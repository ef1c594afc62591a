// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// Proofs and passwords go to the backend and nowhere else: none is in an event, a state or a variable that outlives the
// call (C-13).
extension SessionService {
    @discardableResult
    public func signIn(with proof: SignInProof) async throws(AuthError) -> AuthState {
        try await signIn(with: proof, for: nil)
    }

    @discardableResult
    public func signIn(with proof: SignInProof, as subject: String) async throws(AuthError) -> AuthState {
        try await signIn(with: proof, for: subject)
    }

    private func signIn(with proof: SignInProof, for subject: String?) async throws(AuthError) -> AuthState {
        if case .callback = proof { return try await signIn(byCallback: proof, for: subject) }
        let proof = asking(proof)
        return try await begin(for: subject) { [repetition] backend throws(AuthError) in
            guard case .password = proof else { return try await backend.signIn(proof) }
            return try await repetition { () throws(AuthError) in try await backend.signIn(proof) }
        }
    }

    /// Any page and any app can open a link that looks like a redirect. It is a sign-in once the service has taken it
    /// for the one that was begun here; until then it takes no place of another, which may be under way in that very
    /// browser (RFC 6749, section 10.12).
    private func signIn(
        byCallback proof: SignInProof, for subject: String?
    ) async throws(AuthError) -> AuthState {
        let (before, isReachable) = core.withLock { ($0.machine.supersessions, $0.machine.isReachable) }
        guard isReachable != false else { throw AuthError(.offlineSignIn) }
        let step = try await redeem(proof)
        // Whoever signed out or began anew meanwhile means that. What ended or came by itself is what this takes the
        // place of.
        guard core.withLock({ $0.machine.supersessions }) == before else {
            if case .session(let grant) = step { revoke(grant.tokens, .local) }
            throw AuthError(.superseded)
        }
        // A network that went since takes nothing back.
        return try await carryOut(for: subject) { _ throws(AuthError) in step }
    }

    /// Whoever cancels is told at once. What the service gives all the same is given back.
    private func redeem(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
        let answer = FirstAnswer<Result<SignInStep, AuthError>>()
        let work = Task { [self] in
            let result: Result<SignInStep, AuthError>
            do throws(AuthError) { result = .success(try await backend.signIn(proof)) } catch {
                result = .failure(error)
            }
            if !answer.give(result), case .success(.session(let grant)) = result { revoke(grant.tokens, .local) }
        }
        let result = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            if answer.give(.failure(AuthError(.cancelled))) { work.cancel() }
        }
        return try result.get()
    }

    @discardableResult
    public func answer(_ answer: StepAnswer) async throws(AuthError) -> AuthState {
        let (awaited, subject) = core.withLock { ($0.step, $0.stepSubject) }
        guard let step = awaited else { throw AuthError(.invalidRequest, reason: "nothing is awaited") }
        do throws(AuthError) {
            return try await begin(for: subject) { backend throws(AuthError) in
                try await backend.answer(step, with: answer)
            }
        } catch {
            // Answered, and no session came of it: the step is behind the user, who signs in now, or once they have
            // agreed.
            if error.code == .reauthenticationNeeded || error.code == .termsNotAgreed,
                core.withLock({ $0.machine.asking }) == nil
            {
                await abandonStep()
            }
            throw error
        }
    }

    public func abandonStep() async {
        core.withLock { $0.step = nil }
        await settle(.stepAbandoned)
    }

    /// - Parameters:
    ///   - subject: whose session it may be alone; `nil` for whoever's comes.
    ///   - ask: asks the backend. `nil` is a success without a session.
    func begin(
        for subject: String? = nil,
        _ ask: @escaping @Sendable (any IdentityBackend) async throws(AuthError) -> SignInStep?
    ) async throws(AuthError) -> AuthState {
        guard core.withLock({ $0.machine.isReachable }) != false else { throw AuthError(.offlineSignIn) }
        return try await carryOut(for: subject, ask)
    }

    private func carryOut(
        for subject: String?,
        _ ask: @escaping @Sendable (any IdentityBackend) async throws(AuthError) -> SignInStep?
    ) async throws(AuthError) -> AuthState {
        let id = core.withLock { $0.makeID() }
        let ending = Guarded<Ending?>(nil)
        let failure = await withTaskCancellationHandler {
            await outcome(of: id, for: subject) { [self, backend, random] in
                do throws(AuthError) {
                    switch try await ask(backend) {
                    case nil:
                        ending.withLock { $0 = .noSession }
                        return .signInFailed(id, AuthError(.cancelled))
                    case .session(let grant)?:
                        if let subject, let user = grant.user?.subject, !Subject.isSame(user, subject) {
                            revoke(grant.tokens, .local)
                            return .signInFailed(id, AuthError(.reauthenticationInvalid, reason: "somebody else's"))
                        }
                        return .signInSucceeded(id, grant, family: random.uuid())
                    case .awaiting(let step)?:
                        ending.withLock { $0 = .awaiting(step) }
                        return .stepAwaited(id, step)
                    }
                } catch { return .signInFailed(id, error) }
            }
        } onCancel: {
            giveUp(id)
        }
        if case .noSession? = ending.value { return state }
        if let failure { throw failure }
        if case .awaiting(let step)? = ending.value { return .awaiting(step) }
        return state
    }

    /// How an attempt ends well without a session.
    private enum Ending: Sendable {
        case noSession
        case awaiting(AwaitedStep)
    }

    /// Begins the attempt, and waits until the machine says what has become of it.
    private func outcome(
        of id: AttemptID, for subject: String?, _ ask: @escaping @Sendable () async -> SessionEvent
    ) async -> AuthError? {
        let moment = moment
        return await withCheckedContinuation { continuation in
            let mustRun = core.withLock { core in
                core.attempts[id] = continuation
                core.asking[id] = Task { [self] in end(id, for: subject, by: await ask()) }
                return Self.post(.signInBegan(id), to: &core, at: moment)
            }
            if mustRun { run() }
            // Cancelled before there was anything to give up.
            if Task.isCancelled { giveUp(id) }
        }
    }

    private func end(_ id: AttemptID, for subject: String?, by event: SessionEvent) {
        let moment = moment
        let mustRun = core.withLock { core in
            // From here on nobody takes it back who only cancels.
            core.asking[id] = nil
            if core.machine.asking == id {
                switch event {
                case .stepAwaited(_, let step): (core.step, core.stepSubject) = (step, subject)
                case .signInSucceeded: core.step = nil
                default: break
                }
            }
            return Self.post(event, to: &core, at: moment)
        }
        if mustRun { run() }
    }

    /// What the service gives all the same is given back.
    private func giveUp(_ id: AttemptID) {
        guard let work = core.withLock({ $0.asking.removeValue(forKey: id) }) else { return }
        work.cancel()
        post(.signInFailed(id, AuthError(.cancelled)))
    }
}
