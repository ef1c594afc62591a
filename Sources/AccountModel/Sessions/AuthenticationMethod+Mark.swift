// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

extension AuthenticationMethod {
    /// HMAC-SHA256 of an address or a number under the Directory's token key: by it one mailbox is known again, and not
    /// read.
    package static func mark(of address: String, under key: Secret<[UInt8]>) -> String {
        let mac = HMAC<SHA256>.authenticationCode(
            for: Array("answered at\u{0}\(address)".utf8), using: SymmetricKey(data: key.reveal()))
        return Hex.encode(Array(mac.prefix(16)))
    }
}
