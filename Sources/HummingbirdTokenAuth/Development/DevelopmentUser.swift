// SPDX-License-Identifier: Apache-2.0

/// A made-up user of ``DevelopmentMode``.
public struct DevelopmentUser: Sendable, Hashable {
    /// The subject, and what stands in the `Authorization` header to be this user: `Bearer alice`.
    public var name: String
    /// As the groups of a token.
    public var groups: Set<String>
    /// As the scopes of a token.
    public var scopes: Set<String>
    /// As the authenticator assurance level of a token: 1 to 3.
    public var assuranceLevel: Int

    /// A user who proves nothing: see ``DevelopmentMode``.
    public init(
        _ name: String, groups: Set<String> = [], scopes: Set<String> = [], assuranceLevel: Int = 1
    ) {
        self.name = name
        self.groups = groups
        self.scopes = scopes
        self.assuranceLevel = assuranceLevel
    }
}
