// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension User {
    /// What a page calls somebody who is signed in.
    var label: String { email?.rawValue ?? phone?.e164 ?? username?.rawValue ?? id.rawValue }
}
