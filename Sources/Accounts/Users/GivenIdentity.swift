// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An identity of another provider that an operator says is a user's.
public struct GivenIdentity: Sendable {
    /// The provider's.
    public var name: String
    /// The provider's own name for the user.
    public var subject: String
    /// What the provider said of the user.
    public var data: JSONObject

    /// - Throws: ``AuthErrorCode/invalidRequest`` with the field `identities` for a name of no or more than 64 octets
    ///   or one that is no provider's, or a subject of no or more than 512.
    public init(name: String, subject: String, data: JSONObject) throws(AuthError) {
        guard (1...64).contains(name.utf8.count), !LocalIdentities.isLocal(name),
            (1...512).contains(subject.utf8.count)
        else {
            throw AuthError(.invalidRequest, reason: "provider and subject are needed", field: "identities")
        }
        self.name = name
        self.subject = subject
        self.data = data
    }
}
