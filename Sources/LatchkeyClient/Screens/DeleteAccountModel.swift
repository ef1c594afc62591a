// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The dialog that deletes an account: what it means, who is asking, done (G-10).
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
        /// Done.
        case deleted
    }

    /// How far the dialog is.
    public private(set) var stage = Stage.closed
    /// What is in the field. Emptied when it is sent (C-13).
    public var password = ""

    @ObservationIgnored private let service: any AuthenticationService
    @ObservationIgnored private let clearing: @MainActor () async -> Void

    /// - Parameter clearing: deletes what the app itself keeps on the device (G-10.5).
    public init(
        service: any AuthenticationService, support: String? = nil,
        clearing: @escaping @MainActor () async -> Void = {}
    ) {
        self.service = service
        self.clearing = clearing
        super.init(support: support)
    }

    /// What the dialog says. `nil` while it is closed.
    public var message: UserMessage? {
        switch stage {
        case .closed: nil
        case .explaining: UserMessage(.deleteLead)
        case .proving: UserMessage(.deleteProof)
        case .deleted: UserMessage(.signedOutDeleted)
        }
    }

    /// Opens the dialog.
    public func ask() { if stage == .closed { stage = .explaining } }
    /// The user has read what it means (G-10.2).
    public func understood() { if stage == .explaining { stage = .proving } }
    /// Closes the dialog, unless the account is gone.
    public func cancel() {
        guard stage != .deleted else { return }
        leave()
        stage = .closed
    }

    /// With the password.
    public func confirm() async {
        guard !password.isEmpty, let identifier = service.state.knownUser?.email, !isInProgress else { return }
        let proof = SignInProof.password(identifier: identifier, password: Secret(password))
        password = ""
        await confirm(with: proof)
    }

    /// With another proof, such as a provider's.
    public func confirm(with proof: SignInProof) async {
        guard stage == .proving else { return }
        let service = service
        let isDeleted = Guarded(false)
        _ = await perform { () async throws(AuthError) in
            try await service.reauthenticate(with: proof)
            try await service.deleteAccount()
            isDeleted.withLock { $0 = true }
        }
        guard isDeleted.value else { return }
        // Also where the screen has gone meanwhile, or the dialog was closed: the account is gone all the same.
        stage = .deleted
        await clearing()
    }

    override public func leave() {
        password = ""
        super.leave()
    }
}
