// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A part of what somebody is known by: of their address, or of one text that they say of themselves. Without regard to
/// case.
public struct UserPart: Sendable, Hashable {
    /// Octets: every user is compared with it, and what is compared takes time that grows with both.
    public static let maximumLength = 256

    /// In lower case.
    public let text: String
    /// The name of the text in ``User/userMetadata``.
    public let member: String

    /// - Throws: ``AuthErrorCode/invalidRequest`` for an empty text, and for one of more than ``maximumLength`` octets.
    public init(_ text: String, orIn member: String) throws(AuthError) {
        let text = text.lowercased()
        guard (1...Self.maximumLength).contains(text.utf8.count) else {
            throw AuthError(.invalidRequest, field: "filter")
        }
        self.text = text
        self.member = member
    }

    /// - Parameter metadata: as ``User/userMetadata``; `nil` where it can't be read.
    public func isIn(email: String?, _ metadata: JSONObject?) -> Bool {
        [email, metadata?[member]?.stringValue].contains { $0?.lowercased().utf8.contains(text.utf8) == true }
    }
}
