// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The screen for a code that confirms an address after a sign-up (C-1, G-4).
@Observable @MainActor
public final class ConfirmModel: Screen {
    /// Whose address it is.
    public let identifier: String
    /// What is in the field. Emptied when it is sent.
    public var code = ""
    /// The address is the user's, and the service gave no session with it: the password is asked for again, since
    /// nobody has kept it (C-13).
    public private(set) var isConfirmed = false

    @ObservationIgnored private let service: any AuthenticationService
    @ObservationIgnored private let followedBy: @MainActor (SessionUser) async -> Void

    /// `followedBy` is what comes after, where the confirmation signs the user in.
    public init(
        identifier: String, service: any AuthenticationService, support: String? = nil,
        followedBy: @escaping @MainActor (SessionUser) async -> Void
    ) {
        self.identifier = identifier
        self.service = service
        self.followedBy = followedBy
        super.init(support: support)
    }

    /// Whether the button may be pressed.
    public var canSubmit: Bool { !code.isEmpty && !isInProgress }

    /// Sends the code.
    public func submit() async {
        guard canSubmit else { return }
        let (service, identifier, code) = (service, identifier, Secret(code))
        self.code = ""
        let state = await run { () async throws(AuthError) in
            try await service.confirmSignUp(identifier: identifier, code: code)
        }
        guard let state else { return }
        isConfirmed = true
        if let user = state.knownUser {
            notice = UserMessage(.emailVerified)
            await followedBy(user)
        } else {
            notice = UserMessage(.confirmedSignIn)
        }
    }

    /// A code that was typed is forgotten when the screen is left unfinished.
    override public func leave() {
        code = ""
        super.leave()
    }

    /// Has another code sent.
    public func resend() async {
        let (service, identifier) = (service, identifier)
        let sent = await perform { () async throws(AuthError) in try await service.resendConfirmation(to: identifier) }
        if sent { notice = UserMessage(.confirmationSentAgain) }
    }
}
