// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How long an access token may be used, by the clock that nobody sets.
struct TokenLife: Sendable, Hashable {
    /// What a service may say without making this device ask without end (`expires_in: 0`) or never again.
    static let sensible: ClosedRange<TimeSpan> = .seconds(10) ... .days(3650)

    /// The uptime at which it is over.
    let end: TimeSpan
    /// The whole of it, from which the margins come.
    let length: TimeSpan

    /// - Parameters:
    ///   - left: what remains of it at `uptime`.
    ///   - length: as the service said it.
    init(left: TimeSpan, of length: TimeSpan, at uptime: TimeSpan) {
        self.length = length.clamped(Self.sensible)
        end = uptime + min(max(left, .zero), self.length)
    }

    init(of length: TimeSpan, at uptime: TimeSpan) {
        self.init(left: length.clamped(Self.sensible), of: length, at: uptime)
    }

    /// When the next one is asked for: a minute ahead, or a tenth of the life where that is less.
    var renewal: TimeSpan { end - min(.seconds(60), length / 10) }

    /// A token under way may still be on its way when its time is over.
    func isUsable(at uptime: TimeSpan) -> Bool { uptime < lastUse }
    /// Until when it is given to callers.
    var lastUse: TimeSpan { end - min(.seconds(10), length / 20) }
}
