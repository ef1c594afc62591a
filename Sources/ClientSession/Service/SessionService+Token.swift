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
        return try await token { .tokenWanted($0) }
    }

    /// Another token than the one that a service has refused with 401: the next one where that has come meanwhile, else one
    /// that is asked for now, once for all who were refused.
    public func accessToken(insteadOf refused: Secret<String>) async throws(AuthError) -> Secret<String> {
        try await token { .tokenRefused(refused, $0) }
    }

    private func token(_ event: @Sendable (WaiterID) -> SessionEvent) async throws(AuthError) -> Secret<String> {
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
        switch outcome {
        case .token(let token): return token
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
