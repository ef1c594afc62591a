// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// The banner for a user whose address is not confirmed: they are in, and are reminded (G-4.3, G-4.5). It goes away by
/// itself once the address is confirmed (G-4.6).
@Observable @MainActor
public final class VerificationBannerModel: Screen {
    /// The banner. `nil` for none.
    public private(set) var message: UserMessage?
    private var email: String?
    /// Whom the banner is for.
    @ObservationIgnored private var subject: String?

    @ObservationIgnored private let service: any AuthenticationService

    /// Begins with the state that the service has.
    public init(service: any AuthenticationService, support: String? = nil) {
        self.service = service
        super.init(support: support)
        see(service.state)
    }

    /// Whether there is a banner.
    public var isShown: Bool { message != nil }
    /// Whether the button may be pressed.
    public var canResend: Bool { email != nil && !isInProgress }

    /// Follows the session as long as the task lives.
    public func follow() async {
        for await state in service.states() { see(state) }
    }

    /// Has another mail sent.
    public func resend() async {
        guard let email, canResend else { return }
        let service = service
        let sent = await perform { () async throws(AuthError) in try await service.resendConfirmation(to: email) }
        if sent { notice = UserMessage(.confirmationSent, ["destination": email]) }
    }

    func see(_ state: AuthState) {
        let user = state.knownUser
        // Where a mail went is the former user's own.
        if !Subject.isSame(user?.subject, subject) { empty() }
        subject = user?.subject
        // Where the service does not say, nobody is bothered.
        guard let user, user.emailVerified == false, !user.isAnonymous else {
            (message, email, notice) = (nil, nil, nil)
            return
        }
        email = user.email
        message = email.map { UserMessage(.verifyBanner, ["email": $0]) } ?? UserMessage(.verifyBannerPlain)
    }
}
