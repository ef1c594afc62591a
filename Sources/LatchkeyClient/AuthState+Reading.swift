// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

extension AuthState {
    /// Whether the user may change something now (G-7.2, G-7.3); what the app itself does not queue, it asks this for
    /// first.
    ///
    /// - Throws: `offline_read_only`, `offline_blocked`, or `not_signed_in` for whoever is not, or not known to be yet.
    public func checkWriting() throws(AuthError) {
        switch self {
        case .signedIn, .refreshing, .offline(.full, _): return
        case .offline(.readOnly, _): throw AuthError(.offlineReadOnly)
        case .blocked: throw AuthError(.offlineBlocked)
        case .restoring, .signedOut, .storeLocked, .awaiting: throw AuthError(.notSignedIn)
        }
    }

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
