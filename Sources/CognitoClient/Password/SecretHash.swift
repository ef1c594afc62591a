// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

extension CognitoConfiguration {
    /// `SECRET_HASH`, which a client with a secret shows beside a user's name; `nil` for one without.
    ///
    /// - Parameter username: as it stands in the same call.
    func secretHash(of username: String) -> String? {
        guard let clientSecret else { return nil }
        let key = SymmetricKey(data: Array(clientSecret.reveal().utf8))
        return Base64.encode(Array(HMAC<SHA256>.authenticationCode(for: Array((username + clientID).utf8), using: key)))
    }
}
