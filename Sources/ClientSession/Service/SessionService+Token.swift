// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension SessionService {
    /// The access token, where there is one that lives and nobody has to be asked. Never waits.
    public var liveAccessToken: Secret<String>? {
        let uptime = clock.uptime
        return core.withLock { $0.liveToken(at: uptime) }
    }

    public func accessToken() async throws(AuthError) -> Secret<String> {
        if let token = liveAccessToken { return token }
        return try await given { .tokenWanted($0) }.token
    }

    /// A token in the place of one that a service has refused with 401: the next one where that has come meanwhile,
    /// else one that is asked for now, once for all who were refused. Repeat the request with it once.
    ///
    /// It may read as the refused one does. Some services sign the same text twice within a second, and the second is
    /// new all the same.
    ///
    /// - Throws: `token_invalid` where the last new token was refused as well, less than thirty seconds ago;
    ///   `superseded` where the refused one is not known to be of the session that is there now, whose token would
    ///   repeat one user's request as another; else what ``accessToken()`` throws.
    public func accessToken(insteadOf refused: Secret<String>) async throws(AuthError) -> Secret<String> {
        try await given { .tokenRefused(refused, $0) }.token
    }

    func givenToken() async throws(AuthError) -> GivenToken {
        let uptime = clock.uptime
        if let given = core.withLock({ $0.liveGiven(at: uptime) }) { return given }
        return try await given { .tokenWanted($0) }
    }

    /// The same by what was given and not by what it reads: nobody takes one for the other.
    func givenToken(insteadOf refused: GivenToken) async throws(AuthError) -> GivenToken {
        let given = try await given { .tokenRefused(refused.token, $0, refused.stamp) }
        guard given.stamp.family == refused.stamp.family else { throw AuthError(.superseded) }
        return given
    }

    private func given(_ event: @Sendable (WaiterID) -> SessionEvent) async throws(AuthError) -> GivenToken {
        let id = core.withLock { $0.makeID() }
        let moment = moment
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustRun = core.withLock { core -> Bool? in
                    if core.left.remove(id) != nil { return nil }
                    core.waiters[id] = continuation
                    return Self.post(event(id), to: &core, at: moment)
                }
                switch mustRun {
                case nil: continuation.resume(returning: .failure(AuthError(.cancelled)))
                case true?: run()
                case false?: break
                }
            }
        } onCancel: {
            leave(id)
        }
        // Cancelled after the answer. Who was not has left nothing, and does not stand in line for the lock with all
        // who were answered with them.
        if Task.isCancelled { core.withLock { _ = $0.left.remove(id) } }
        switch outcome {
        case .token(let given): return given
        case .failure(let error): throw error
        }
    }

    /// Nobody else notices, and the refresh goes on.
    private func leave(_ id: WaiterID) {
        let waiter = core.withLock { core in
            let waiter = core.waiters.removeValue(forKey: id)
            if waiter == nil { core.left.insert(id) }
            return waiter
        }
        guard let waiter else { return }
        post(.waiterLeft(id))
        waiter.resume(returning: .failure(AuthError(.cancelled)))
    }
}
