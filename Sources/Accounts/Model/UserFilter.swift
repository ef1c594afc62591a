// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Which users to list: one condition at a time.
public enum UserFilter: Sendable, Hashable {
    public enum Match: Sendable, Hashable {
        case exact(String)
        case prefix(String)
    }

    /// Without regard to case.
    case email(Match)
    /// Without regard to case.
    case username(Match)
    /// With or without the leading plus sign.
    case phone(Match)
    /// A text among the metadata that the user writes. Compared exactly; walks through all users.
    case metadata(key: String, Match)
    case id(UserID)
    /// Not banned.
    case enabled(Bool)
    /// An address or a number was proved, or there is none to prove.
    case confirmed(Bool)
}
