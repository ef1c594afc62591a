// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What all dialects show of a user and call by words of their own: the common profile.
///
/// It has one place, the member of the same name in ``User/userMetadata``. Users write it by definition, through any
/// dialect, so it is never worth more than their word.
public enum SharedField: String, Sendable, Hashable, CaseIterable {
    /// What the user is called.
    case name
    /// The address of an image.
    case picture
}

extension User {
    /// `nil` where the user has none, an empty one, or something that is no text.
    public func shared(_ field: SharedField) -> String? { Self.shared(field, in: userMetadata) }

    /// The same, where a user's metadata is all that is at hand.
    public static func shared(_ field: SharedField, in userMetadata: JSONObject) -> String? {
        guard let text = userMetadata[field.rawValue]?.stringValue, !text.isEmpty else { return nil }
        return text
    }
}
