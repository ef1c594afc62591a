// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How a user has an address or a number, as an index tells those apart who have one: unique for each, and in the order
/// in which they are looked for.
enum AddressHolder {
    /// Whose name it is comes first, and is one.
    static let own = ""
    /// Above those who have proved it, and below the others who share it.
    static let endOfProved = "q"

    static func text(_ user: UserID, shares: Bool, isProved: Bool) -> String {
        shares ? (isProved ? "p" : "s") + user.rawValue : own
    }
}
