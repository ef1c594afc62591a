// SPDX-License-Identifier: Apache-2.0

import Observation

/// The state of an ``AuthenticationService`` for screens: changes on the main actor, and is observed there (G-14.1).
@MainActor
@Observable
public final class SessionModel {
    /// Where the app stands now.
    public private(set) var state: AuthState
    @ObservationIgnored private let service: any AuthenticationService

    /// Begins with the state that the service has.
    public init(service: any AuthenticationService) {
        self.service = service
        state = service.state
    }

    /// Who is signed in, as far as the device knows.
    public var user: SessionUser? {
        switch state {
        case .signedIn(let user), .refreshing(let user), .offline(_, let user), .blocked(let user): user
        case .restoring, .signedOut, .storeLocked, .awaiting: nil
        }
    }

    /// Follows the service until the task that calls it is cancelled, as that of a view is when it goes.
    public func follow() async {
        for await state in service.states() { self.state = state }
    }
}
