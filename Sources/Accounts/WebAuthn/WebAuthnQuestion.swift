// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What an authenticator is asked, and the challenge that its answer is for.
public struct WebAuthnQuestion: Sendable {
    public var challenge: FactorChallenge
    /// Whether a credential is to be made, and not only used.
    public var isRegistration: Bool
    /// `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON` (Web Authentication Level 3,
    /// sections 5.1.8 and 5.1.9): for the browser's `parseCreationOptionsFromJSON()` or
    /// `parseRequestOptionsFromJSON()`.
    public var options: JSONObject
}
