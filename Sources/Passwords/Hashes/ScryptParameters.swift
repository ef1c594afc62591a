// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation

/// What one scrypt hash costs (RFC 7914, section 2). Only imported hashes are of this kind.
struct ScryptParameters: Sendable, Hashable {
    /// log2 of the cost N.
    let logN: Int
    /// r.
    let blockSize: Int
    /// p.
    let parallelism: Int

    /// `nil` for a cost beyond what an import may ask for: 256 MiB of memory (128 N r octets), gone over p times, with
    /// at most 512 MiB in all.
    init?(logN: Int, blockSize: Int, parallelism: Int) {
        guard (1...20).contains(logN), (1...32).contains(blockSize), (1...16).contains(parallelism),
            (1 << logN) * blockSize <= 1 << 21, (1 << logN) * blockSize * parallelism <= 1 << 22
        else { return nil }
        self.logN = logN
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// `nil` when the library refuses, for want of memory above all.
    func tag(of password: [UInt8], salt: [UInt8], length: Int) -> [UInt8]? {
        let key = try? KDF.Scrypt.deriveKey(
            from: password, salt: salt, outputByteCount: length, rounds: 1 << logN, blockSize: blockSize,
            parallelism: parallelism)
        return key?.withUnsafeBytes { Array($0) }
    }
}
