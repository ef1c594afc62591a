// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// Proofs and passwords go to the backend and nowhere else: none is in an event, a state or a variable that outlives the
// call (C-13).
extension SessionService {
    @discardableResult
    public func signIn(with proof: SignInProof) async throws(AuthError) -> AuthState {
        try await begin { backend throws(AuthError) in try await backend.signIn(proof) }
    }

    @discardableResult
    public func answer(_ answer: StepAnswer) async throws(AuthError) -> AuthState {
        guard let step = core.withLock({ $0.step }) else {
            throw AuthError(.invalidRequest, reason: "nothing is awaited")
        }
        return try await begin { backend throws(AuthError) in try await backend.answer(step, with: answer) }
    }

    public func abandonStep() async {
        core.withLock { $0.step = nil }
        await settle(.stepAbandoned)
    }

    /// - Parameter ask: asks the backend. `nil` is a success without a session.
    func begin(
        _ ask: @Sendable (any IdentityBackend) async throws(AuthError) -> SignInStep?
    ) async throws(AuthError) -> AuthState {
        guard core.withLock({ $0.machine.isReachable }) != false else { throw AuthError(.offlineSignIn) }
        let id = core.withLock { $0.makeID() }
        post(.signInBegan(id))
        let step: SignInStep?
        do throws(AuthError) { step = try await ask(backend) } catch {
            _ = await finished(id, by: .signInFailed(id, error))
            throw error
        }
        switch step {
        case nil:
            _ = await finished(id, by: .signInFailed(id, AuthError(.cancelled)))
            return state
        case .session(let grant)?:
            if let error = await finished(id, by: .signInSucceeded(id, grant, family: random.uuid())) { throw error }
            core.withLock { $0.step = nil }
            return state
        case .awaiting(let step)?:
            if let error = await finished(id, by: .stepAwaited(id, step)) { throw error }
            core.withLock { $0.step = step }
            return .awaiting(step)
        }
    }

    private func finished(_ id: AttemptID, by event: SessionEvent) async -> AuthError? {
        let moment = moment
        return await withCheckedContinuation { continuation in
            let mustRun = core.withLock { core in
                core.attempts[id] = continuation
                return Self.post(event, to: &core, at: moment)
            }
            if mustRun { run() }
        }
    }
}
