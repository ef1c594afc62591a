// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation
import OpenIDClient

/// The dialog that deletes an account: what it means, who is asking, by a second factor where they have one, done
/// (G-10).
@Observable @MainActor
public final class DeleteAccountModel: Screen {
    /// How far the dialog is.
    public enum Stage: Sendable, Hashable {
        /// Nothing is shown.
        case closed
        /// What it means (G-10.2).
        case explaining
        /// Who is asking.
        case proving
        /// The same by a second factor: ``DeleteAccountModel/factor`` is the screen for it.
        case provingFactor
        /// Done.
        case deleted
    }

    /// How far the dialog is.
    public private(set) var stage = Stage.closed
    /// What is in the field. Emptied when it is sent (C-13).
    public var password = ""
    /// What the service says of it. `nil` until ``load()`` has brought it, and where nobody says.
    public private(set) var explanation: DeletionExplanation?
    /// The screen that asks for a second factor, while that is what is asked.
    public private(set) var factor: SecondFactorModel?
    /// Until when signing in keeps the account, where the service gives such a time.
    public private(set) var dueAt: Instant?

    /// Whose account the dialog was opened for.
    @ObservationIgnored private var subject: String?
    @ObservationIgnored private let service: any SecondFactorService
    @ObservationIgnored private let account: any AccountLife
    @ObservationIgnored private let clearing: @MainActor () async -> Void

    /// - Parameters:
    ///   - account: where it is deleted; `nil` for the vendor's own way.
    ///   - clearing: deletes what the app itself keeps on the device (G-10.5) beside what its companions clear.
    public init(
        service: any SecondFactorService, account: (any AccountLife)? = nil, support: String? = nil,
        clearing: @escaping @MainActor () async -> Void = {}
    ) {
        self.service = service
        self.account = account ?? VendorAccount(service)
        self.clearing = clearing
        super.init(support: support)
    }

    /// What the dialog says. `nil` while it is closed.
    public var message: UserMessage? {
        switch stage {
        case .closed: nil
        case .explaining: UserMessage((explanation?.grace ?? .zero) > .zero ? .deleteGrace : .deleteLead)
        case .proving: UserMessage(.deleteProof)
        case .provingFactor: factor?.message
        case .deleted:
            dueAt.map { UserMessage(.deleteDue, ["date": $0.minute]) } ?? UserMessage(.signedOutDeleted)
        }
    }

    /// Opens the dialog. One that has deleted an account opens anew for whoever has signed in since.
    public func ask() {
        let user = service.state.knownUser?.subject
        guard stage == .closed || stage == .deleted && user != nil && !Subject.isSame(subject, user) else { return }
        // What went wrong in it before is no news of this one.
        empty()
        (stage, subject, dueAt, explanation) = (.explaining, user, nil, nil)
    }
    /// Asks the service what it means here. Without an answer the dialog says that it is for good.
    public func load() async {
        let account = account
        let found = await run { () async throws(AuthError) in Found(try await account.explainDeletion()) }
        if let found { explanation = found.explanation }
    }
    /// The user has read what it means (G-10.2).
    public func understood() { if stage == .explaining { stage = .proving } }
    /// Closes the dialog, unless the account is gone.
    public func cancel() {
        guard stage != .deleted else { return }
        leave()
        stage = .closed
    }

    /// With the password, and what the user signs in by: the address, or else the number. Who has neither has no
    /// password either, and is told `unsupported`: another proof is theirs.
    public func confirm() async {
        guard !password.isEmpty, !isInProgress else { return }
        guard let identifier = service.state.knownUser.flatMap({ $0.email ?? $0.phoneNumber }) else {
            password = ""
            _ = await perform { () async throws(AuthError) in
                throw AuthError(.unsupported, reason: "there is no address or number for a password")
            }
            return
        }
        let proof = SignInProof.password(identifier: identifier, password: Secret(password))
        password = ""
        await confirm(with: proof)
    }

    /// With another proof, such as a provider's.
    public func confirm(with proof: SignInProof) async {
        guard stage == .proving else { return }
        await delete(proving: proof)
    }

    override public func leave() {
        password = ""
        factor?.leave()
        factor = nil
        super.leave()
    }

    /// - Parameter proof: `nil` once a second factor has shown who it is.
    private func delete(proving proof: SignInProof?) async {
        let (service, account, subject) = (service, account, subject)
        let outcome = Guarded<Outcome?>(nil)
        _ = await perform { () async throws(AuthError) in
            if let proof, let step = try await service.reauthenticate(with: proof) {
                return outcome.withLock { $0 = .asked(step) }
            }
            // Nobody's account is deleted by what somebody else has read and shown.
            guard Subject.isSame(subject, service.state.knownUser?.subject) else { throw AuthError(.superseded) }
            let refusal: AuthError
            do throws(AuthError) {
                let deletion = try await account.delete()
                return outcome.withLock { $0 = .deleted(deletion) }
            } catch { refusal = error }
            guard refusal.code == .insufficientAssurance else { throw refusal }
            let step = try await service.beginStepUp()
            outcome.withLock { $0 = .asked(step) }
        }
        switch outcome.value {
        case .asked(let step)?: ask(step)
        case .deleted(let deletion)?:
            // Also where the screen has gone meanwhile, or the dialog was closed: the account is gone all the same.
            (stage, dueAt, factor) = (.deleted, deletion.dueAt, nil)
            await clearing()
        case nil: break
        }
    }

    private func ask(_ step: AwaitedStep) {
        // Whoever has closed the dialog is asked nothing.
        guard stage == .proving || stage == .provingFactor else { return }
        stage = .provingFactor
        factor = SecondFactorModel(step, in: .stepUp, service: service, support: support) { [weak self] _ in
            await self?.delete(proving: nil)
        }
    }

    private enum Outcome: Sendable {
        case asked(AwaitedStep)
        case deleted(AccountDeletion)
    }

    private struct Found: Sendable {
        var explanation: DeletionExplanation?

        init(_ explanation: DeletionExplanation?) { self.explanation = explanation }
    }
}
