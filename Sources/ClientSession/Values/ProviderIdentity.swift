// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a provider's native kit hands to the app after its own sign-in.
public struct ProviderIdentity: Sendable {
    /// `google`, `apple`, or the name of a provider as the identity service knows it.
    public var provider: String
    /// Who it is, signed by the provider.
    public var idToken: Secret<String>
    /// The nonce as the app chose it; the token carries it, or its SHA-256 in hexadecimal.
    public var nonce: Secret<String>?
    /// For services that ask the provider with it.
    public var accessToken: Secret<String>?
    /// The name of the user, which Apple tells at the first sign-in only (F-2).
    public var name: String?

    /// What a kit gave.
    public init(
        provider: String, idToken: Secret<String>, nonce: Secret<String>? = nil, accessToken: Secret<String>? = nil,
        name: String? = nil
    ) {
        self.provider = provider
        self.idToken = idToken
        self.nonce = nonce
        self.accessToken = accessToken
        self.name = name
    }
}
