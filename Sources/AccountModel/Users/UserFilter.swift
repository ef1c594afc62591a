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
    /// A text that a dialect keeps in the half that users may write, and where it keeps none under this name, what the
    /// user is called everywhere, if `shared` names that. Compared exactly.
    case attribute(String, of: DialectName, orShared: SharedField?, Match)
    /// By our own identifier, or by one that was brought along.
    case id(UserID)
    /// Not banned.
    case enabled(Bool)
    /// ``User/isConfirmed``.
    case confirmed(Bool)
}
