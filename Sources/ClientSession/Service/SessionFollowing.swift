// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A backend that keeps something in memory for whoever is signed in, such as credentials of another service: it is
/// told whose session counts, whether that came by a sign-in here, from the store, or from another process.
public protocol SessionFollowing: IdentityBackend {
    /// From now on that session counts, or none. Called before anybody hears of it, once for each session and not for
    /// each set of its tokens.
    func sessionBecame(_ tokens: TokenSet?) async
}
