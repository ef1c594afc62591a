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
    /// What is to be agreed to with it, where the app asks for that by itself.
    public let terms: TermsModel?

    @ObservationIgnored private let service: any AuthenticationService
    @ObservationIgnored private let followedBy: @MainActor (SessionUser) async -> Void

    /// `followedBy` is what comes after, where the sign-up signs the user in; `terms` is said with it.
    public init(
        service: any AuthenticationService, policy: PasswordPolicy = PasswordPolicy(), terms: TermsModel? = nil,
        support: String? = nil, followedBy: @escaping @MainActor (SessionUser) async -> Void
    ) {
        self.service = service
        self.followedBy = followedBy
        self.terms = terms
        password = NewPassword(policy: policy)
        super.init(support: support)
    }

    /// Every rule that the password breaks so far.
    public var passwordProblems: [UserMessage] { password.problems(context: [identifier]) }
    /// Whether the button may be pressed.
    public var canSubmit: Bool {
        !identifier.isEmpty && password.isAcceptable(context: [identifier]) && !isInProgress
            && (terms.map { $0.demanded.isEmpty || $0.isComplete } ?? true)
    }

    /// Signs up.
    public func submit() async {
        guard canSubmit else { return }
        let request = SignUpRequest(identifier: identifier, password: password.take(), attributes: attributes)
        let (service, said) = (service, terms?.agreed ?? [])
        let state = await run { () async throws(AuthError) in
            try await AgreedTerms.saying(said) { () async throws(AuthError) in try await service.signUp(request) }
        }
        guard let state else {
            if let error, error.code == .termsNotAgreed { terms?.refused(error.termsPage) }
            return
        }
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
