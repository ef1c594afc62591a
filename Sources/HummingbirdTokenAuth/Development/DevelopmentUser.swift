// SPDX-License-Identifier: Apache-2.0

/// A made-up user of ``DevelopmentMode``.
public struct DevelopmentUser: Sendable, Hashable {
    /// The subject, and what stands in the `Authorization` header to be this user: `Bearer alice`.
    public var name: String
    public var groups: Set<String>
    public var scopes: Set<String>
    public var assuranceLevel: Int

    public init(
        _ name: String, groups: Set<String> = [], scopes: Set<String> = [], assuranceLevel: Int = 1
    ) {
        self.name = name
        self.groups = groups
        self.scopes = scopes
        self.assuranceLevel = assuranceLevel
    }
}
