// SPDX-License-Identifier: Apache-2.0

/// Which project an app signs in to.
public struct SupabaseConfiguration: Sendable {
    /// The project's address with the path of its Auth API: `https://xyz.supabase.co/auth/v1`.
    public var address: String
    /// The publishable (anonymous) key. No secret: it names the project.
    public var publishableKey: String
    /// Where links and browsers lead back to.
    public var redirectURI: String?
    /// Whether a user who has a second factor is asked for it at the sign-in. The service itself leaves that to the
    /// app: its first answer is a whole session, of `aal1`.
    public var asksSecondFactor: Bool

    /// A project, by its Auth API's address and its publishable key.
    public init(
        address: String, publishableKey: String, redirectURI: String? = nil, asksSecondFactor: Bool = true
    ) {
        self.address = address
        self.publishableKey = publishableKey
        self.redirectURI = redirectURI
        self.asksSecondFactor = asksSecondFactor
    }
}
