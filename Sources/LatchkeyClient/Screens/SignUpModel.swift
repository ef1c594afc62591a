// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The sign-up screen (G-1.1, G-1.4, C-1).
@Observable @MainActor
public final class SignUpModel: Screen {
    /// What is in the field.
    public var identifier = ""
    /// The new one, once or twice. Emptied when it is sent (C-13).
    public var password: NewPassword
    /// What else the service is told, by its own names.
    public var attributes: [String: String] = [:]
    /// The confirmation that the service awaits; the app shows the screen for it.
    public private(set) var awaited: AwaitedStep?

    @ObservationIgnored private let service: any AuthenticationService
    @ObservationIgnored private let followedBy: @MainActor (SessionUser) async -> Void

    /// `followedBy` is what comes after, where the sign-up signs the user in.
    public init(
        service: any AuthenticationService, policy: PasswordPolicy = PasswordPolicy(), support: String? = nil,
        followedBy: @escaping @MainActor (SessionUser) async -> Void
    ) {
        self.service = service
        self.followedBy = followedBy
        password = NewPassword(policy: policy)
        super.init(support: support)
    }

    /// Every rule that the password breaks so far.
    public var passwordProblems: [UserMessage] { password.problems(context: [identifier]) }
    /// Whether the button may be pressed.
    public var canSubmit: Bool {
        !identifier.isEmpty && password.isAcceptable(context: [identifier]) && !isInProgress
    }

    /// Signs up.
    public func submit() async {
        guard canSubmit else { return }
        let request = SignUpRequest(identifier: identifier, password: password.take(), attributes: attributes)
        let service = service
        guard let state = await run({ () async throws(AuthError) in try await service.signUp(request) }) else { return }
        if case .awaiting(let step) = state {
            awaited = step
            if let destination = step.destination {
                notice = UserMessage(.confirmationSent, ["destination": destination])
            }
        }
        if let user = state.knownUser { await followedBy(user) }
    }

    /// What was typed is forgotten when the screen is left unfinished.
    override public func leave() {
        password.forget()
        super.leave()
    }
}
