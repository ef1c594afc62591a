// SPDX-License-Identifier: Apache-2.0

import JOSE

extension SigningKey {
    /// The same key; the signatures of an RSA key are made by libcrypto.
    ///
    /// - Throws: ``RSAError/invalidKey`` when libcrypto does not take the key.
    public func signingWithLibCrypto() throws(RSAError) -> SigningKey {
        guard let der = rsaPrivateKey else { return self }
        return signing(with: try RSAPrivateKey(der: der))
    }
}
