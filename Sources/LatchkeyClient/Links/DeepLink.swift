// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a link asks of the app.
public enum DeepLink: Sendable {
    /// Shows that an address is the user's (G-12.1). `kind` is `signup`, `email`, `email_change`, `invite` or
    /// `magiclink`.
    case verification(tokenHash: Secret<String>, kind: String, then: AllowedPath?)
    /// Lets the user choose a new password (G-12.2).
    case recovery(tokenHash: Secret<String>, then: AllowedPath?)
    /// The way back from a browser, whole: it is for whoever began the sign-in to read.
    case callback(url: Secret<String>)
    /// A place in the app.
    case path(AllowedPath)
}
