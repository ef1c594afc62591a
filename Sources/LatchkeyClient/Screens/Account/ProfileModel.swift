// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// Who is signed in (Y-US3).
@Observable @MainActor
public final class ProfileModel: Screen {
    /// `nil` where nobody is signed in.
    public private(set) var user: SessionUser?

    @ObservationIgnored private let service: any AuthenticationService

    /// Begins with whom the device knows.
    public init(service: any AuthenticationService, support: String? = nil) {
        self.service = service
        super.init(support: support)
        user = service.state.knownUser
    }

    /// Asks the service anew. What is known stays while it does, and where it fails.
    public func refresh() async {
        let service = service
        if let user = await run({ () async throws(AuthError) in try await service.refreshUser() }) { self.user = user }
    }

    /// Follows the session as long as the task lives: another user's profile is never shown to this one.
    public func follow() async {
        for await state in service.states() {
            let now = state.knownUser
            if !Subject.isSame(now?.subject, user?.subject) { empty() }
            user = now
        }
    }
}
