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
    /// By what a dialect calls users: their name, with regard to case where the Directory's names are told apart by it,
    /// or ``User/identifier(in:)`` for one without.
    case called(Match, in: DialectName, caseSensitive: Bool = false)
    /// With or without the leading plus sign.
    case phone(Match)
    /// A text that a dialect keeps in the half that users may write, and where it keeps none under this name, what the
    /// user is called everywhere, if `shared` names that. Compared exactly.
    case attribute(String, of: DialectName, orShared: SharedField?, Match)
    /// By ``User/identifier(in:)``, octet by octet.
    case identifier(Match, in: DialectName)
    /// Not banned.
    case enabled(Bool)
    /// In one of these standings; nobody's where there is none. Of damaged accounts none is known.
    case standing(Set<Standing>)

    /// How far an account has come.
    public enum Standing: Sendable, Hashable, CaseIterable {
        /// Not ``User/isConfirmed``.
        case unconfirmed
        case confirmed
        /// An administrator chose its password, and the user has not replaced it yet.
        case temporaryPassword
        /// ``User/isFederated``, confirmed or not.
        case federated
    }
}
