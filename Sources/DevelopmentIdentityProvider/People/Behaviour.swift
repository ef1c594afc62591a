// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What becomes of a code that is redeemed.
enum Behaviour: String, Sendable, CaseIterable {
    case normal
    /// The answer comes five seconds later.
    case slow
    /// 503, as of a provider that is down.
    case unavailable
    /// 200, and what is no JSON.
    case garbled

    static let delay = TimeSpan.seconds(5)
}
