// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// A proof key of one authorization (RFC 7636): who has the code without the verifier has nothing.
public struct ProofKey: Sendable {
    /// 43 characters of base64url (section 4.1).
    public let verifier: Secret<String>

    /// A fresh one, of 256 bits.
    public init(random: any RandomSource) {
        verifier = Secret(Base64URL.encode(random.bytes(32)))
    }

    /// One that was kept.
    public init(verifier: Secret<String>) {
        self.verifier = verifier
    }

    /// By the method `S256` (section 4.2), the only one used.
    public var challenge: String {
        Base64URL.encode(Array(SHA256.hash(data: Array(verifier.reveal().utf8))))
    }
}
