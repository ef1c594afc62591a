// SPDX-License-Identifier: Apache-2.0

/// What of a state listeners can tell apart.
struct ShownKey: Sendable, Hashable {
    var name: String
    var detail: String?
    var user: SessionUser?
    var step: Int?
}

extension SessionPhase {
    /// What the app sees of it.
    var shown: AuthState {
        switch self {
        case .restoring: .restoring
        case .storeLocked: .storeLocked
        case .signedOut(let reason): .signedOut(reason)
        case .awaiting(let awaiting): .awaiting(awaiting.step)
        case .storing(let storing): storing.shown
        case .signedIn(let signedIn): .signedIn(signedIn.session.user)
        case .refreshing(let refreshing):
            refreshing.allowance.map { Self.shown($0, refreshing.session.user) } ?? .refreshing(refreshing.session.user)
        case .offline(let offline): Self.shown(offline.allowance, offline.session.user)
        }
    }

    private static func shown(_ allowance: OfflineAllowance, _ user: SessionUser) -> AuthState {
        allowance.access.map { .offline($0, user) } ?? .blocked(user)
    }

    var shownKey: ShownKey {
        switch (self, shown) {
        case (.storing(let storing), _): storing.shownKey
        case (.awaiting(let awaiting), _): ShownKey(name: "awaiting", step: awaiting.number)
        case (_, .restoring): ShownKey(name: "restoring")
        case (_, .storeLocked): ShownKey(name: "storeLocked")
        case (_, .awaiting): ShownKey(name: "awaiting")
        case (_, .signedOut(let reason)): ShownKey(name: "signedOut", detail: reason.rawValue)
        case (_, .signedIn(let user)): ShownKey(name: "signedIn", user: user)
        case (_, .refreshing(let user)): ShownKey(name: "refreshing", user: user)
        case (_, .offline(let access, let user)): ShownKey(name: "offline", detail: access.rawValue, user: user)
        case (_, .blocked(let user)): ShownKey(name: "blocked", user: user)
        }
    }
}
