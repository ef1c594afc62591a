// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A message that a flow puts into the outbox.
struct SentMessage: Sendable {
    /// What it is for. One recipient's are counted apart by it: whoever has had as many of one kind as they may holds
    /// the last of them, which does what another would, and what anybody can have sent to an address, a sign-up's say,
    /// keeps nobody from a recovery or from the code of their second factor.
    enum Kind: Sendable, Hashable {
        case proof(OneTimeToken.Purpose)
        case factorCode
        /// The code by which a second factor is set up: anybody may begin that with an address or a number that is
        /// another's.
        case factorSetup

        var name: String {
            switch self {
            case .proof(let purpose): purpose.rawValue
            case .factorCode: "factor_code"
            case .factorSetup: "factor_setup"
            }
        }

        fileprivate var isWishOfAccount: Bool {
            switch self {
            // An account that has proved nothing may have another's address, and wish for a third.
            case .factorSetup, .proof(.emailChangeCurrent), .proof(.emailChangeNew), .proof(.phoneChange): true
            case .factorCode, .proof: false
            }
        }
    }

    var kind: Kind
    var recipient: Recipient
    /// Whether the recipient had proved before that messages reach them there.
    var isProven: Bool
    /// Whose it is; `nil` for a sign-up's, which is counted by no account.
    let account: UserID?
    /// Whether the account was named by neither of what messages reach it at, which may then be another's.
    var isByName = false

    /// Whether it goes to whatever address or number an account likes to give, its own or another's. What one account
    /// was sent is then of no use to the next, and is counted by the account.
    var isWishOfAccount: Bool { isByName || kind.isWishOfAccount }
}
