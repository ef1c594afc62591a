// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import LatchkeyClient

/// An ``AuthenticationService`` that does what a test says, and tells what it was asked. Calls can be held until the
/// test lets them go on.
final class ScriptedService: AuthenticationService {
    private struct Inside {
        var state: AuthState
        var listeners: [AsyncStream<AuthState>.Continuation] = []
        var calls: [String] = []
        var outcomes: [String: Outcome] = [:]
        var steps: [String: AwaitedStep] = [:]
        var deletion = AccountDeletion()
        var factors = SecondFactors(factors: [])
        var enrolment: FactorEnrolment?
        var held: [CheckedContinuation<Void, Never>] = []
        var holds = false
        var watchers: [(count: Int, resume: CheckedContinuation<Void, Never>)] = []
    }
    enum Outcome: Sendable {
        case state(AuthState)
        case error(AuthErrorCode)
        case failure(AuthError)
    }

    private let inside: Guarded<Inside>

    init(_ state: AuthState = .signedOut(.neverSignedIn)) {
        inside = Guarded(Inside(state: state))
    }

    /// What was asked so far, with what is no secret.
    var calls: [String] { inside.value.calls }
    var state: AuthState { inside.value.state }

    func on(_ call: String, _ outcome: Outcome) { inside.withLock { $0.outcomes[call] = outcome } }

    /// What the next such call asks, once.
    func asks(_ call: String, _ step: AwaitedStep) { inside.withLock { $0.steps[call] = step } }
    func deletes(_ deletion: AccountDeletion) { inside.withLock { $0.deletion = deletion } }
    func has(_ factors: SecondFactors) { inside.withLock { $0.factors = factors } }
    func enrols(_ enrolment: FactorEnrolment?) { inside.withLock { $0.enrolment = enrolment } }

    private func step(of name: String, _ detail: String = "") async throws(AuthError) -> AwaitedStep? {
        _ = try await call(name, detail)
        return inside.withLock { $0.steps.removeValue(forKey: name) }
    }

    func become(_ state: AuthState) {
        let listeners = inside.withLock { inside in
            inside.state = state
            return inside.listeners
        }
        for listener in listeners { listener.yield(state) }
    }

    /// Calls wait from now on.
    func hold() { inside.withLock { $0.holds = true } }

    func release() {
        let held = inside.withLock { inside in
            defer { (inside.held, inside.holds) = ([], false) }
            return inside.held
        }
        for continuation in held { continuation.resume() }
    }

    /// Returns once that many calls have come.
    func untilCalled(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = inside.withLock { inside in
                if inside.calls.count >= count { return true }
                inside.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func states() -> AsyncStream<AuthState> {
        let (stream, continuation) = AsyncStream.makeStream(of: AuthState.self, bufferingPolicy: .bufferingNewest(8))
        let state = inside.withLock { inside in
            inside.listeners.append(continuation)
            return inside.state
        }
        continuation.yield(state)
        return stream
    }

    private func call(_ name: String, _ detail: String = "") async throws(AuthError) -> AuthState {
        let watchers = inside.withLock { inside in
            inside.calls.append(detail.isEmpty ? name : "\(name) \(detail)")
            let count = inside.calls.count
            defer { inside.watchers.removeAll { $0.count <= count } }
            return inside.watchers.filter { $0.count <= count }.map(\.resume)
        }
        for watcher in watchers { watcher.resume() }
        await withCheckedContinuation { continuation in
            let holds = inside.withLock { inside in
                if inside.holds { inside.held.append(continuation) }
                return inside.holds
            }
            if !holds { continuation.resume() }
        }
        switch inside.value.outcomes[name] {
        case .error(let code): throw AuthError(code)
        case .failure(let error): throw error
        case .state(let state):
            become(state)
            return state
        case nil: return state
        }
    }

    func restore() async { _ = try? await call("restore") }
    func signIn(with proof: SignInProof) async throws(AuthError) -> AuthState {
        let detail =
            switch proof {
            case .password(let identifier, _): "password \(identifier)"
            case .browser(let provider, _): "browser \(provider ?? "")"
            case .customToken: "customToken"
            case .identityToken(let identity): "token \(identity.provider)"
            case .code(let identifier, _): "code \(identifier)"
            case .link(_, let kind): "link \(kind)"
            case .callback: "callback"
            case .anonymous: "anonymous"
            case .passkey: "passkey"
            }
        return try await call("signIn", detail)
    }
    func signIn(with proof: SignInProof, as subject: String) async throws(AuthError) -> AuthState {
        guard case .link(_, let kind) = proof else { return try await call("signInAs", subject) }
        return try await call("signInAs", "\(subject) link \(kind)")
    }
    func answer(_ answer: StepAnswer) async throws(AuthError) -> AuthState { try await call("answer") }
    func abandonStep() async { _ = try? await call("abandonStep") }
    func signOut(_ options: SignOutOptions) async {
        _ = try? await call("signOut", "\(options.scope.rawValue) \(options.keepsLocalData)")
        become(.signedOut(.userSignedOut))
    }
    func accessToken() async throws(AuthError) -> Secret<String> {
        _ = try await call("accessToken")
        return Secret("token")
    }
    func refreshUser() async throws(AuthError) -> SessionUser {
        guard let user = try await call("refreshUser").user else { throw AuthError(.notSignedIn) }
        return user
    }
    func signUp(_ request: SignUpRequest) async throws(AuthError) -> AuthState {
        try await call("signUp", request.identifier)
    }
    func resendConfirmation(to identifier: String) async throws(AuthError) {
        _ = try await call("resendConfirmation", identifier)
    }
    func confirmSignUp(identifier: String, code: Secret<String>) async throws(AuthError) -> AuthState {
        try await call("confirmSignUp", identifier)
    }
    func beginRecovery(identifier: String) async throws(AuthError) { _ = try await call("beginRecovery", identifier) }
    func finishRecovery(
        identifier: String?, proof: Secret<String>, newPassword: Secret<String>
    ) async throws(AuthError) -> AuthState { try await call("finishRecovery", identifier ?? "") }
    func link(_ proof: SignInProof) async throws(AuthError) { _ = try await call("link") }
    func unlink(provider: String) async throws(AuthError) { _ = try await call("unlink", provider) }
    func changePassword(current: Secret<String>?, new: Secret<String>) async throws(AuthError) {
        _ = try await call("changePassword", current == nil ? "" : "with the current one")
    }
    func reauthenticate(with proof: SignInProof) async throws(AuthError) -> AwaitedStep? {
        try await step(of: "reauthenticate")
    }
    func deleteAccount() async throws(AuthError) -> AccountDeletion {
        _ = try await call("deleteAccount")
        return inside.value.deletion
    }
}

extension ScriptedService: SecondFactorService {
    func secondFactors() async throws(AuthError) -> SecondFactors {
        _ = try await call("secondFactors")
        return inside.value.factors
    }
    func enrol(_ factor: NewSecondFactor) async throws(AuthError) -> FactorEnrolment? {
        _ = try await call("enrol", factor.kind.rawValue)
        return inside.value.enrolment
    }
    func confirm(_ enrolment: FactorEnrolment, with code: Secret<String>) async throws(AuthError) {
        _ = try await call("confirm", enrolment.kind.rawValue)
    }
    func removeFactor(_ id: String) async throws(AuthError) { _ = try await call("removeFactor", id) }
    func makeBackupCodes() async throws(AuthError) -> [Secret<String>] {
        _ = try await call("makeBackupCodes")
        return [Secret("aaaa-bbbb"), Secret("cccc-dddd")]
    }
    func beginStepUp() async throws(AuthError) -> AwaitedStep {
        guard let step = try await step(of: "beginStepUp") else { throw AuthError(.factorNotFound) }
        return step
    }
    func raise(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> AwaitedStep? {
        let word =
            switch answer {
            case .code: "code"
            case .choice(let id): "choice \(id)"
            case .backupCode: "backup code"
            case .passkey: "passkey"
            case .newPassword, .proof, .enrolment: "other"
            }
        return try await self.step(of: "raise", word)
    }
}

extension ScriptedService: PasskeyService {
    func passkeys() async throws(AuthError) -> [Passkey] {
        _ = try await call("passkeys")
        return [Passkey(id: "p1", name: "Laptop")]
    }
    func addPasskey() async throws(AuthError) { _ = try await call("addPasskey") }
    func removePasskey(_ id: String) async throws(AuthError) { _ = try await call("removePasskey", id) }
}

extension AuthState {
    /// Whose session a test sees.
    var user: SessionUser? {
        switch self {
        case .signedIn(let user), .refreshing(let user), .offline(_, let user), .blocked(let user): user
        default: nil
        }
    }
}

extension SessionUser {
    static let ann = SessionUser(subject: "ann", email: "ann@a.test", emailVerified: true, name: "Ann")
    static let bob = SessionUser(subject: "bob", email: "bob@b.test", emailVerified: true, name: "Bob")
    static let unverified = SessionUser(subject: "ann", email: "ann@a.test", emailVerified: false)
}
