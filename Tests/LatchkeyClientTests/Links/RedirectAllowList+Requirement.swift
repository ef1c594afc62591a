// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

extension RedirectAllowList {
    /// The places that G-12.6 names for its app.
    static let ofRequirement = (try? RedirectAllowList(["/settings/*", "/plants/*", "/feed/*"])) ?? .none
}
