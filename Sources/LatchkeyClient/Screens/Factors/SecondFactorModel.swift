// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The screen that asks for a second factor: in a sign-in, or of who is signed in before something that wants one. Also
/// for the choice among factors, and for one that has to be set up first (G-9).
@Observable @MainActor
public final class SecondFactorModel: Screen {
    /// What is asked for.
    public enum Occasion: Sendable, Hashable {
        /// A sign-in, whose step the service awaits.
        case signIn
        /// The session that is there is to be raised.
        case stepUp
    }

    /// What is asked now.
    public private(set) var step: AwaitedStep
    /// What is in the field. Emptied when it is sent.
    public var code = ""
    /// The field is for a backup code, and not for the factor's own.
    public var usesBackupCode = false
    /// Nothing is asked any more.
    public private(set) var isDone = false

    @ObservationIgnored private let occasion: Occasion
    @ObservationIgnored private let agreed: [TermsDocument]
    @ObservationIgnored private let service: any SecondFactorService
    @ObservationIgnored private let followedBy: @MainActor (SessionUser) async -> Void

    /// - Parameters:
    ///   - step: what a sign-in, a step-up or a new sign-in of the user's awaits.
    ///   - agreed: what the user has agreed to for this sign-in (``TermsModel/agreed``).
    ///   - followedBy: what comes after, once.
    public init(
        _ step: AwaitedStep, in occasion: Occasion, service: any SecondFactorService, agreed: [TermsDocument] = [],
        support: String? = nil,
        followedBy: @escaping @MainActor (SessionUser) async -> Void = { _ in }
    ) {
        self.step = step
        self.occasion = occasion
        self.service = service
        self.agreed = agreed
        self.followedBy = followedBy
        super.init(support: support)
    }

    /// What stands above the field.
    public var message: UserMessage? {
        usesBackupCode && canUseBackupCode ? UserMessage(.factorEnterBackupCode) : step.factorMessage
    }
    /// The ways by which the user may go on instead, or has to choose among.
    public var choices: [FactorChoice] { step.choices }
    /// What may be set up, where the service demands a factor.
    public var enrolments: [FactorKind] { if case .enrolment(let kinds) = step.kind { kinds } else { [] } }
    /// What an authenticator app is shown, while one is being set up.
    public var enrolment: FactorEnrolment? { step.enrolment }
    /// Whether the screen has a field.
    public var asksForCode: Bool {
        step.kind == .code || step.kind == .oneTimePassword || usesBackupCode && canUseBackupCode
    }
    /// Whether the switch to a backup code is shown.
    public var canUseBackupCode: Bool { step.takesBackupCode }
    /// Whether the button may be pressed.
    public var canSubmit: Bool { asksForCode && !code.isEmpty && !isInProgress && !isDone }

    /// Sends what was typed.
    public func submit() async {
        guard canSubmit else { return }
        let typed = Secret(code)
        code = ""
        await answer(usesBackupCode && canUseBackupCode ? .backupCode(typed) : .code(typed))
    }

    /// Goes on by another way.
    public func choose(_ choice: FactorChoice) async {
        usesBackupCode = false
        await answer(.choice(choice.id))
    }

    /// Sets a factor up that the service demands.
    public func enrol(_ factor: NewSecondFactor) async { await answer(.enrolment(factor)) }
    /// Has the system ask for a passkey or a security key.
    public func usePasskey() async { await answer(.passkey) }

    /// Gives a sign-in up. A session that was to be raised stays as it is.
    public func cancel() async {
        leave()
        if occasion == .signIn { await service.abandonStep() }
    }

    override public func leave() {
        code = ""
        super.leave()
    }

    private func answer(_ answer: StepAnswer) async {
        guard !isDone else { return }
        let (service, occasion, step, agreed) = (service, occasion, step, agreed)
        let outcome = await run { () async throws(AuthError) in
            switch occasion {
            case .stepUp: return Outcome(next: try await service.raise(step, with: answer), state: service.state)
            case .signIn:
                let state = try await AgreedTerms.saying(agreed) { () async throws(AuthError) in
                    try await service.answer(answer)
                }
                return if case .awaiting(let next) = state {
                    Outcome(next: next, state: state)
                } else { Outcome(next: nil, state: state) }
            }
        }
        guard let outcome else { return }
        if let next = outcome.next {
            self.step = next
            return
        }
        isDone = true
        if let user = outcome.state.knownUser { await followedBy(user) }
    }

    private struct Outcome: Sendable {
        var next: AwaitedStep?
        var state: AuthState
    }
}
