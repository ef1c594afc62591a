// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension RefreshToken {
    /// Reads the text that a call presents. `nil` unless its Directory made it for its dialect.
    public init?(_ text: String, in call: CallContext) {
        self.init(text, under: call.directory.tokenKey, for: call.dialect)
    }
}
