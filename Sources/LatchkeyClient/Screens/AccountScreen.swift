// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// A screen of what is one user's own. Nothing of it is shown to whoever comes after them, and what was pressed on it
/// is done to nobody else's account.
@Observable @MainActor
public class AccountScreen: Screen {
    /// Whose it is now.
    @ObservationIgnored private(set) var subject: String?
    @ObservationIgnored private let session: (any AuthenticationService)?

    /// - Parameter session: whose user it is about; `nil` where the app makes a screen for each user.
    init(of session: (any AuthenticationService)?, support: String?) {
        self.session = session
        subject = session?.state.knownUser?.subject
        super.init(support: support)
    }

    /// Follows the session as long as the task lives: once another user is there, or nobody, the screen is empty. It is
    /// loaded anew by who shows it.
    public func follow() async {
        guard let session else { return }
        for await state in session.states() { meet(state) }
    }

    /// Empties what was shown of who was here before.
    func forget() {}

    /// Before something is read: it is whoever's is there now.
    func meet() {
        if let session { meet(session.state) }
    }

    private func meet(_ state: AuthState) {
        let now = state.knownUser?.subject
        guard !Subject.isSame(now, subject) else { return }
        subject = now
        empty()
        forget()
    }

    override func run<Outcome: Sendable>(
        lock: (@MainActor (AuthError) -> TimeSpan?)? = nil,
        _ action: @Sendable () async throws(AuthError) -> Outcome
    ) async -> Outcome? {
        let shown = subject
        meet()
        // Pressed on what another user was shown.
        guard shown == nil || Subject.isSame(shown, subject) else { return nil }
        let whose = subject
        let outcome = await super.run(lock: lock, action)
        meet()
        return Subject.isSame(whose, subject) ? outcome : nil
    }
}
