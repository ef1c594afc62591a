// SPDX-License-Identifier: Apache-2.0

import AccountModel

@testable import Accounts

/// A copy with a change, which a closure may then capture.
protocol Changeable {}

extension Changeable {
    func with<Failure: Error>(_ change: (inout Self) throws(Failure) -> Void) throws(Failure) -> Self {
        var copy = self
        try change(&copy)
        return copy
    }
}

extension CallContext: Changeable {}
extension ClientSettings: Changeable {}
extension UserAttributes: Changeable {}
extension AuthenticatedUser: Changeable {}
