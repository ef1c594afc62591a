// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A backend whose vendor has passkeys, by the authenticator that the app gave it. Signing in by one is
/// ``SignInProof/passkey(identifier:)``.
public protocol PasskeyBackend: IdentityBackend {
    /// Those of the user's.
    func passkeys(_ tokens: TokenSet) async throws(AuthError) -> [Passkey]
    /// Makes one on this device and shows it to the service.
    func addPasskey(_ tokens: TokenSet) async throws(AuthError)
    /// Takes one away, by its ``Passkey/id``. What the device keeps of it stays, and signs nobody in.
    func removePasskey(_ id: String, _ tokens: TokenSet) async throws(AuthError)
}

/// A passkey of the user's, as their service lists it.
public struct Passkey: Sendable, Hashable, Identifiable {
    /// The service's own word for it.
    public var id: String
    /// What it is called.
    public var name: String?
    /// When it was made. `nil` where the service does not say.
    public var createdAt: Instant?
    /// `nil` where the service does not say, or it was not used yet.
    public var lastUsedAt: Instant?

    /// Made by backends.
    public init(id: String, name: String? = nil, createdAt: Instant? = nil, lastUsedAt: Instant? = nil) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}
