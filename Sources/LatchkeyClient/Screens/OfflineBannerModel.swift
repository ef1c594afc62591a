// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Observation

/// What the app says and allows while the service can't be asked (G-7).
@Observable @MainActor
public final class OfflineBannerModel {
    /// The banner. `nil` for none.
    public private(set) var message: UserMessage?
    /// Whether buttons that change something may be pressed (G-7.7).
    public private(set) var allowsChanges = false
    /// Why they may not, for their tooltip.
    public private(set) var tooltip: UserMessage?
    /// Whether anything but the banner may be shown (G-7.3).
    public private(set) var blocksApp = false

    @ObservationIgnored private let service: any AuthenticationService

    /// Begins with the state that the service has.
    public init(service: any AuthenticationService) {
        self.service = service
        see(service.state)
    }

    /// Follows the session as long as the task lives.
    public func follow() async {
        for await state in service.states() { see(state) }
    }

    func see(_ state: AuthState) {
        (message, tooltip, allowsChanges, blocksApp) = (nil, nil, false, false)
        switch state {
        case .signedIn, .refreshing, .offline(.full, _): allowsChanges = true
        case .offline(.readOnly, _):
            message = UserMessage(.offlineReadOnlyBanner)
            tooltip = UserMessage(.offlineTooltip)
        case .blocked:
            message = UserMessage(.offlineBlockedBanner)
            blocksApp = true
        case .restoring, .signedOut, .storeLocked, .awaiting: break
        }
    }
}
