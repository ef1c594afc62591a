// SPDX-License-Identifier: Apache-2.0

/// Which project an app signs in to.
public struct SupabaseConfiguration: Sendable {
    /// The project's address with the path of its Auth API: `https://xyz.supabase.co/auth/v1`.
    public var address: String
    /// The publishable (anonymous) key. No secret: it names the project.
    public var publishableKey: String
    /// Where links and browsers lead back to.
    public var redirectURI: String?

    public init(address: String, publishableKey: String, redirectURI: String? = nil) {
        self.address = address
        self.publishableKey = publishableKey
        self.redirectURI = redirectURI
    }
}
