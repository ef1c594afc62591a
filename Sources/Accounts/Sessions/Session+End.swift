// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension Session {
    /// When the session ends if nobody uses it again. Limits that the operator has tightened since it began count.
    func end(_ settings: DirectorySettings.Sessions) -> Instant? {
        var ends = [notAfter].compactMap(\.self)
        if settings.timebox > 0 { ends.append(createdAt + .seconds(settings.timebox)) }
        if settings.inactivityTimeout > 0 { ends.append(lastActiveAt + .seconds(settings.inactivityTimeout)) }
        return ends.min()
    }

    /// Whether its time is over. One rule for refresh tokens and access tokens.
    func hasEnded(_ call: CallContext) -> Bool {
        end(call.settings.sessions).map { $0 <= call.now } ?? false
    }
}
