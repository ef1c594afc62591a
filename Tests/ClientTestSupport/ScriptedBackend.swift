// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import TestSupport

/// A vendor that answers as a test says, and remembers what it was asked.
public final class ScriptedBackend: IdentityBackend {
    /// What was asked, in the order of asking, with the refresh token that came along.
    public enum Call: Sendable, Hashable {
        case signIn, answer
        case refresh(String?)
        case revoke(String?, SignOutScope)
        case user(String)
    }
    public typealias Grant = @Sendable () async throws(AuthError) -> SessionGrant
    public typealias Step = @Sendable (SignInProof) async throws(AuthError) -> SignInStep
    /// Gets the set and how many refreshes came before.
    public typealias Refresh = @Sendable (TokenSet, Int) async throws(AuthError) -> SessionGrant

    public typealias Revoke = @Sendable (TokenSet, SignOutScope) async throws(AuthError) -> Void

    private struct Script {
        var signIn: Step
        var answer: Step
        var refresh: Refresh
        var revoke: Revoke = { _, _ throws(AuthError) in }
        var user: @Sendable (TokenSet) async throws(AuthError) -> SessionUser
        var calls: [Call] = []
    }

    public let name: String
    private let script: Guarded<Script>

    /// Signs in `ada` with the tokens `access-0` and `refresh-0`, and renews them to `access-1` and `refresh-1` and so
    /// on.
    public init(name: String = "scripted", lifetime: TimeSpan = .hours(1), subject: String = "ada") {
        self.name = name
        let first = Self.grant(0, lifetime: lifetime, user: SessionUser(subject: subject))
        script = Guarded(
            Script(
                signIn: { _ throws(AuthError) in .session(first) }, answer: { _ throws(AuthError) in .session(first) },
                refresh: { _, count throws(AuthError) in Self.grant(count + 1, lifetime: lifetime) },
                user: { _ throws(AuthError) in SessionUser(subject: subject) }))
    }

    /// A grant of the tokens `access-n` and `refresh-n`.
    public static func grant(
        _ number: Int, lifetime: TimeSpan = .hours(1), user: SessionUser? = nil, serverDate: Instant? = nil
    ) -> SessionGrant {
        SessionGrant(
            tokens: TokenSet(
                accessToken: Secret("access-\(number)"), refreshToken: Secret("refresh-\(number)"), lifetime: lifetime),
            user: user, serverDate: serverDate)
    }

    public var calls: [Call] { script.withLock { $0.calls } }
    /// How often a refresh was asked for.
    public var refreshes: Int { script.withLock { Self.refreshes(in: $0) } }

    private static func refreshes(in script: Script) -> Int {
        script.calls.count { if case .refresh = $0 { true } else { false } }
    }

    /// Returns as soon as it was asked this so often.
    public func untilAsked(_ call: Call, times: Int = 1) async throws {
        try await eventually("it is asked \(call), \(times) times") { calls.count { $0 == call } >= times }
    }

    public func onSignIn(_ step: @escaping Step) { script.withLock { $0.signIn = step } }
    public func onAnswer(_ step: @escaping Step) { script.withLock { $0.answer = step } }
    public func onRefresh(_ refresh: @escaping Refresh) { script.withLock { $0.refresh = refresh } }
    public func onRevoke(_ revoke: @escaping @Sendable (TokenSet) async throws(AuthError) -> Void) {
        script.withLock { $0.revoke = { tokens, _ throws(AuthError) in try await revoke(tokens) } }
    }
    public func onScopedRevoke(_ revoke: @escaping Revoke) { script.withLock { $0.revoke = revoke } }
    public func onUser(_ user: @escaping @Sendable (TokenSet) async throws(AuthError) -> SessionUser) {
        script.withLock { $0.user = user }
    }

    public func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
        let step = script.withLock { script in
            script.calls.append(.signIn)
            return script.signIn
        }
        return try await step(proof)
    }

    public func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
        let step = script.withLock { script in
            script.calls.append(.answer)
            return script.answer
        }
        return try await step(.anonymous)
    }

    public func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        let (refresh, before) = script.withLock { script in
            let before = Self.refreshes(in: script)
            script.calls.append(.refresh(tokens.refreshToken?.reveal()))
            return (script.refresh, before)
        }
        return try await refresh(tokens, before)
    }

    public func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {
        let revoke = script.withLock { script in
            script.calls.append(.revoke(tokens.refreshToken?.reveal(), scope))
            return script.revoke
        }
        try await revoke(tokens, scope)
    }

    public func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser {
        let user = script.withLock { script in
            script.calls.append(.user(tokens.accessToken.reveal()))
            return script.user
        }
        return try await user(tokens)
    }
}
