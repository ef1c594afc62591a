// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The screen for a new password at the end of a recovery (G-3.4).
@Observable @MainActor
public final class ResetConfirmModel: Screen {
    /// How the user shows that they may choose one.
    public enum Proof: Sendable {
        /// By the session that the link of the mail opened.
        case session
        /// By what the link holds.
        case link(Secret<String>)
        /// By a code that is typed.
        case code(identifier: String)
    }

    /// What is in the field. Emptied when it is sent.
    public var code = ""
    /// The new one, once or twice.
    public var password: NewPassword
    /// The password is set.
    public private(set) var isDone = false

    /// Whose session the link has opened.
    @ObservationIgnored private let subject: String?
    @ObservationIgnored private let proof: Proof
    @ObservationIgnored private let service: any AuthenticationService

    /// `policy` is what the screen checks before the service does.
    public init(
        proof: Proof, service: any AuthenticationService, policy: PasswordPolicy = PasswordPolicy(),
        support: String? = nil
    ) {
        self.proof = proof
        self.service = service
        subject = service.state.knownUser?.subject
        password = NewPassword(policy: policy)
        super.init(support: support)
    }

    /// Whether the screen has a field for a code.
    public var asksForCode: Bool { if case .code = proof { true } else { false } }
    /// Every rule that the password breaks so far.
    public var passwordProblems: [UserMessage] { password.problems(context: context) }
    /// Whether the button may be pressed.
    public var canSubmit: Bool {
        password.isAcceptable(context: context) && (!asksForCode || !code.isEmpty) && !isInProgress
    }

    /// Sets the password.
    public func submit() async {
        guard canSubmit else { return }
        let (service, proof, subject, code, new) = (service, proof, subject, Secret(code), password.take())
        self.code = ""
        let done = await perform { () async throws(AuthError) in
            switch proof {
            case .session:
                // Nobody else's password is set who is there by now.
                guard subject == nil || Subject.isSame(service.state.knownUser?.subject, subject) else {
                    throw AuthError(.superseded)
                }
                try await service.changePassword(current: nil, new: new)
            case .link(let hash):
                _ = try await service.finishRecovery(identifier: nil, proof: hash, newPassword: new)
            case .code(let identifier):
                _ = try await service.finishRecovery(identifier: identifier, proof: code, newPassword: new)
            }
        }
        guard done else { return }
        isDone = true
        notice = UserMessage(.passwordChanged)
    }

    override public func leave() {
        password.forget()
        code = ""
        super.leave()
    }

    private var context: [String] { if case .code(let identifier) = proof { [identifier] } else { [] } }
}
