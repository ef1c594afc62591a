// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Two ways in behind one: new sign-ins take the one that a flag says, and each session is continued by the one that it
/// came by (H-9, H-10). To a service, and to who calls it, there is one backend.
///
/// Its name is the old way's, so that whoever is signed in by an earlier version of the app stays so.
public final class SwitchingBackend: IdentityBackend {
    let old: any IdentityBackend
    let new: any IdentityBackend
    private let identifier: String
    private let clock: any ClientClock
    private let state: Guarded<State>

    private struct State: Sendable {
        var flag: RolloutFlag
        var breaker: FallbackBreaker
    }

    /// - Parameters:
    ///   - identifier: of this installation, or of the user where the app knows one: the flag's bucket.
    public init(
        old: any IdentityBackend, new: any IdentityBackend, flag: RolloutFlag, for identifier: String,
        fallback: FallbackBreaker = FallbackBreaker(), clock: any ClientClock
    ) {
        self.old = old
        self.new = new
        self.identifier = identifier
        self.clock = clock
        state = Guarded(State(flag: flag, breaker: fallback))
    }

    public var name: String { old.name }

    /// The rule that counts from now on. Sessions go on as they are.
    public func apply(_ flag: RolloutFlag) { state.withLock { $0.flag = flag } }

    /// Whether too much of the new way fails, so that the old one is taken.
    public var hasFallenBack: Bool { state.value.breaker.isOpen }

    public func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
        guard let attempt = tryingNew() else { return try await old.signIn(proof) }
        do {
            let step = try await new.signIn(proof)
            record(attempt, failed: false)
            return marked(step)
        } catch {
            if error.code == .unsupported, error.hybridStep == nil {
                // A proof that the new way does not take, such as a password.
                state.withLock { $0.breaker.giveUp(attempt) }
                return try await old.signIn(proof)
            }
            switch WayVerdict(error.code, for: proof) {
            case .open: state.withLock { $0.breaker.giveUp(attempt) }
            case .works: record(attempt, failed: false)
            case .fails: record(attempt, failed: true)
            }
            throw error
        }
    }

    /// - Returns: `nil` where the old way is to be taken.
    private func tryingNew() -> FallbackBreaker.Try? {
        let uptime = clock.uptime
        return state.withLock { $0.flag.includes(identifier) ? $0.breaker.begin(at: uptime) : nil }
    }

    /// Whether the flag takes the new way; the breaker, which lets one sign-in through as a test, is not asked.
    var prefersNew: Bool { state.withLock { $0.flag.includes(identifier) && !$0.breaker.isOpen } }

    private func record(_ attempt: FallbackBreaker.Try, failed: Bool) {
        let uptime = clock.uptime
        state.withLock { $0.breaker.record(attempt, failed: failed, at: uptime) }
    }

    // What is begun is gone on with by whoever began it.

    /// Of these two ways, and no other two: one of them may be two ways by itself, which marks what it gives as well.
    private var mark: String { "switching.way \(old.name.utf8.count) \(old.name) \(new.name)" }

    func marked(_ step: SignInStep) -> SignInStep {
        switch step {
        case .session(let grant): return .session(marked(grant))
        case .awaiting(var awaited):
            awaited.ticket = Secret(awaited.ticket.reveal().merging([mark: new.name]) { $1 })
            return .awaiting(awaited)
        }
    }

    private func marked(_ grant: SessionGrant) -> SessionGrant {
        var grant = grant
        grant.tokens.attachments = Secret(grant.tokens.attachments.reveal().merging([mark: new.name]) { $1 })
        return grant
    }

    func backend(of tokens: TokenSet) -> (any IdentityBackend, isNew: Bool) {
        tokens.attachments.reveal()[mark] == new.name ? (new, true) : (old, false)
    }

    public func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
        guard step.ticket.reveal()[mark] == new.name else { return try await old.answer(step, with: answer) }
        return marked(try await new.answer(step, with: answer))
    }

    public func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        try continued(tokens, await backend(of: tokens).0.refresh(tokens))
    }

    /// What continues a session goes on by the same way.
    func continued(_ tokens: TokenSet, _ grant: SessionGrant) -> SessionGrant {
        backend(of: tokens).isNew ? marked(grant) : grant
    }

    public func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {
        try await backend(of: tokens).0.revoke(tokens, scope: scope)
    }

    public func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser {
        try await backend(of: tokens).0.user(tokens)
    }
}
