// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The second factors of who is signed in: their list, one that is being set up, and the backup codes (G-9).
@Observable @MainActor
public final class FactorsModel: AccountScreen {
    /// In the service's order.
    public private(set) var factors: [SecondFactor] = []
    /// `nil` where there are none, or the service has none.
    public private(set) var backupCodesLeft: Int?
    /// The one that is being set up: what an authenticator app is shown, or where a code went.
    public private(set) var enrolment: FactorEnrolment?
    /// What is in the field for its first code. Emptied when it is sent.
    public var code = ""
    /// A new set, to be shown until the user has put them away (``forgetBackupCodes()``).
    public private(set) var backupCodes: [String] = []
    /// What the user has to show first: the app shows a ``SecondFactorModel`` for it, and tries once more. `nil` for
    /// none.
    public private(set) var proof: AwaitedStep?
    /// The user has to sign in anew first, since the service raises no session that is there.
    public private(set) var needsSignIn = false

    private var isLoaded = false
    @ObservationIgnored private let service: any SecondFactorService

    /// Nothing is loaded yet.
    public init(service: any SecondFactorService, support: String? = nil) {
        self.service = service
        super.init(of: service, support: support)
    }

    /// What an empty list says, once it is known to be empty; else what a new set of codes, or one that is being set
    /// up, says.
    public var message: UserMessage? {
        if !backupCodes.isEmpty { return UserMessage(.backupCodesLead) }
        if let enrolment { return AwaitedStep(kind: enrolment.stepKind, enrolment: enrolment).factorMessage }
        if proof != nil { return UserMessage(.factorProveFirst) }
        return isLoaded && factors.isEmpty && error == nil ? UserMessage(.factorNone) : nil
    }
    /// The line about backup codes.
    public var backupCodesMessage: UserMessage? {
        backupCodesLeft.map { UserMessage(.backupCodesLeft, ["count": String($0)]) }
    }
    /// Whether the button for the first code may be pressed.
    public var canConfirm: Bool { enrolment != nil && !code.isEmpty && !isInProgress }

    /// Reads the list anew. What is shown stays where it fails.
    public func load() async {
        meet()
        let service = service
        guard let found = await run({ () async throws(AuthError) in try await service.secondFactors() }) else { return }
        (factors, backupCodesLeft, isLoaded) = (found.factors, found.backupCodesLeft, true)
    }

    /// Begins to set one up.
    public func add(_ factor: NewSecondFactor) async {
        let service = service
        let begun = await proving { () async throws(AuthError) in Begun(try await service.enrol(factor)) }
        guard let begun else { return }
        enrolment = begun.enrolment
        if begun.enrolment == nil { await changed(.factorAdded) }
    }

    /// Sends the first code. A wrong one may be followed by another.
    public func confirm() async {
        guard canConfirm, let enrolment else { return }
        let (service, typed) = (service, Secret(code))
        code = ""
        let done = await proving { () async throws(AuthError) in
            try await service.confirm(enrolment, with: typed)
            return true
        }
        guard done != nil else { return }
        self.enrolment = nil
        await changed(.factorAdded)
    }

    /// Takes one away.
    public func remove(_ factor: SecondFactor) async {
        let service = service
        let done = await proving { () async throws(AuthError) in
            try await service.removeFactor(factor.id)
            return true
        }
        if done != nil { await changed(.factorRemoved) }
    }

    /// Makes new backup codes, in place of those before.
    public func makeBackupCodes() async {
        let service = service
        let made = await proving { () async throws(AuthError) in try await service.makeBackupCodes() }
        guard let made else { return }
        backupCodes = made.map { $0.reveal() }
        backupCodesLeft = made.count
    }

    /// The user has put them away: nobody shows them again.
    public func forgetBackupCodes() { backupCodes = [] }
    /// The proof is shown, or given up.
    public func proved() { (proof, needsSignIn) = (nil, false) }

    override public func leave() {
        (code, backupCodes, enrolment, proof) = ("", [], nil, nil)
        super.leave()
    }

    override func forget() { (factors, backupCodesLeft, isLoaded, needsSignIn) = ([], nil, false, false) }

    private struct Begun: Sendable {
        var enrolment: FactorEnrolment?

        init(_ enrolment: FactorEnrolment?) { self.enrolment = enrolment }
    }

    /// Where the service wants a second factor first, it is asked what to ask the user.
    private func proving<Outcome: Sendable>(
        _ action: @escaping @Sendable () async throws(AuthError) -> Outcome
    ) async -> Outcome? {
        proved()
        let (service, found) = (service, Guarded<AwaitedStep?>(nil))
        let outcome = await run { () async throws(AuthError) in
            let refusal: AuthError
            do throws(AuthError) { return try await action() } catch { refusal = error }
            if refusal.code == .insufficientAssurance, let step = try? await service.beginStepUp() {
                found.withLock { $0 = step }
            }
            throw refusal
        }
        // Whoever has left, and whoever is there in their place, is asked nothing.
        proof = error == nil ? nil : found.value
        needsSignIn = proof == nil && [.insufficientAssurance, .reauthenticationNeeded].contains(error?.code)
        return outcome
    }

    private func changed(_ key: MessageKey) async {
        let whose = subject
        await load()
        if Subject.isSame(whose, subject) { notice = UserMessage(key) }
    }
}

extension FactorEnrolment {
    fileprivate var stepKind: AwaitedStep.Kind { kind == .authenticator ? .oneTimePassword : .code }
}
