// SPDX-License-Identifier: Apache-2.0

import ClientSession

extension AuthState {
    /// Whose session it is, offline and over the limit too.
    var knownUser: SessionUser? {
        switch self {
        case .signedIn(let user), .refreshing(let user), .offline(_, let user), .blocked(let user): user
        case .restoring, .signedOut, .storeLocked, .awaiting: nil
        }
    }

    /// Whether places that need a sign-in may be shown.
    var allowsProtectedPlaces: Bool {
        switch self {
        case .signedIn, .refreshing, .offline: true
        case .restoring, .signedOut, .blocked, .storeLocked, .awaiting: false
        }
    }
}
