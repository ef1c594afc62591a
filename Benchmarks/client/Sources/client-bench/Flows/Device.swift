// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// Somebody's device: signs in, has its tokens renewed twice, and signs out, again and again.
struct Device: Sendable {
    let user: String
    let password: Secret<String>
    let store: any SecureStore
    let clock: DeviceClock
    let service: SessionService
    let tally: Tally

    /// What the user saw of one flow.
    struct Outcome: Sendable {
        /// What the user waited for: the sign-in, the token after a sleep, the sign-out.
        var waited: Duration = .zero
        var errors: [String] = []
        var refreshes = 0
        var seenRefreshes = 0
    }

    /// Counts each state that tells the user of a fault, as it is shown.
    func watch() -> Task<Void, Never> {
        let (service, tally) = (service, tally)
        return Task {
            for await state in service.states() {
                switch state {
                case .restoring, .signedIn, .refreshing, .signedOut(.userSignedOut), .signedOut(.neverSignedIn): break
                case .signedOut, .offline, .blocked, .storeLocked, .awaiting: tally.add(user)
                }
            }
        }
    }

    func flow() async -> Outcome {
        var outcome = Outcome()
        guard await step("sign-in", &outcome, { try await signIn() }) else { return outcome }
        for (name, refresh) in [("refresh ahead", renewAhead), ("refresh after a sleep", renewAfterSleep)] {
            let errors = outcome.errors.count
            outcome.refreshes += 1
            _ = await step(name, &outcome, isWaitedFor: name != "refresh ahead", refresh)
            if outcome.errors.count > errors { outcome.seenRefreshes += 1 }
        }
        _ = await step("sign-out", &outcome) { await service.signOut(SignOutOptions()) }
        if !(await isForgotten()) { outcome.errors.append("sign-out: the session is still in the store") }
        return outcome
    }

    private func step(
        _ name: String, _ outcome: inout Outcome, isWaitedFor: Bool = true, _ work: () async throws -> Void
    ) async -> Bool {
        let (start, shown) = (ContinuousClock.now, tally[user])
        var isDone = true
        do { try await work() } catch {
            isDone = false
            outcome.errors.append("\(name): \(error)")
        }
        if isWaitedFor { outcome.waited += ContinuousClock.now - start }
        if isDone, tally[user] > shown { outcome.errors.append("\(name): shown") }
        return isDone
    }

    private func signIn() async throws {
        guard
            case .signedIn(let found) = try await service.signIn(
                with: .password(identifier: user, password: password))
        else { throw Failure("no session") }
        guard found.email == user else { throw Failure("another user") }
    }

    /// The app is open when the token's last minute begins. Whoever asks gets it still, and the next one comes
    /// meanwhile.
    private func renewAhead() async throws {
        let former = try await service.accessToken().reveal()
        clock.sleep(.seconds(3600 - 40))
        service.clockChanged()
        _ = try await service.accessToken()
        let start = ContinuousClock.now
        // There is none for the moment in which the next one is stored; who asks then waits for that.
        while service.liveAccessToken.map({ $0.reveal() == former }) ?? true {
            guard ContinuousClock.now - start < .seconds(120) else { throw Failure("no next token") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The device has slept beyond the token's end, and the user waits for the next one.
    private func renewAfterSleep() async throws {
        let former = try await service.accessToken().reveal()
        clock.sleep(.hours(2))
        guard try await service.accessToken().reveal() != former else { throw Failure("the same token") }
    }

    /// Whether nothing of the session is left on the device, at once or when a store that failed is there again.
    private func isForgotten() async -> Bool {
        for _ in 0..<200 {
            if await (try? store.read(.session)) == .some(nil) { return true }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return false
    }
}
