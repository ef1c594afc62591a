// SPDX-License-Identifier: Apache-2.0

import AuthTypes

@testable import ClientSession

/// A second factor that is shown in a session: begun with what the session was then, and answered whenever.
struct SimulatedStepUp {
    let begun: KeptSession
    /// `nil` until the service was asked.
    var answer: Result<SessionGrant, AuthError>?
}
