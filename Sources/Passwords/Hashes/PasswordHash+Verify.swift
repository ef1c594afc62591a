// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import CryptoExtras
import Foundation

extension PasswordHash {
    /// Computes the password's hash with this one's salt and cost, and compares in constant time.
    func matches(_ password: [UInt8]) -> Bool {
        switch algorithm {
        case .argon2id(let parameters, let salt, let tag):
            guard let computed = Argon2.tag(of: password, salt: salt, parameters, length: tag.count) else {
                return false
            }
            return constantTimeEqual(computed, tag)
        case .bcrypt: return Bcrypt.verify(password, encoded)
        case .scrypt(let logN, let blockSize, let parallelism, let salt, let tag):
            let computed = try? KDF.Scrypt.deriveKey(
                from: password, salt: salt, outputByteCount: tag.count, rounds: 1 << logN, blockSize: blockSize,
                parallelism: parallelism)
            return computed.map { constantTimeEqual($0.withUnsafeBytes { Array($0) }, tag) } ?? false
        }
    }
}
