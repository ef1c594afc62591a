// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension OneTimeToken {
    /// Who asks, so that a code typed by them can be told from others' guesses: HMAC of their origin under the
    /// Directory's token key, since an address is not kept.
    static func asker(_ call: CallContext) -> [UInt8] {
        call.directory.authenticationCode(of: Array("asker\u{0}\(call.origin ?? "")".utf8))
    }
}
