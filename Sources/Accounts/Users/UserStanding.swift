// SPDX-License-Identifier: Apache-2.0

import AccountModel

/// How the user whose sign-in a flow concludes stands to the one who is stored.
public enum UserStanding: Sendable {
    /// The same: a session writes when they signed in, and nothing else of them.
    case stored
    /// With what becomes theirs if they are let in, such as the password of their sign-up: a session writes all of
    /// them.
    case judged
    /// Changed by the flow: all of them is written with what follows, once.
    case changed
}

extension User {
    /// What ``StoreReading/judged(_:_:)`` has made of the user who is stored.
    func standing(to stored: User?) -> UserStanding {
        let isSame =
            passwordHash == stored?.passwordHash && passwordChangedAt == stored?.passwordChangedAt
            && srpVerifier == stored?.srpVerifier
        return isSame ? .stored : .judged
    }
}
