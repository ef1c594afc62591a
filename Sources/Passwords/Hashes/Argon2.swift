// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CArgon2

/// Argon2id, version 1.3 (RFC 9106), by the reference library.
enum Argon2 {
    static let saltLength = 16
    static let tagLength = 32

    /// `nil` when the library refuses, for want of memory above all.
    static func tag(
        of password: [UInt8], salt: [UInt8], _ parameters: Argon2Parameters, length: Int = tagLength
    ) -> [UInt8]? {
        var tag = [UInt8](repeating: 0, count: length)
        let result = tag.withUnsafeMutableBytes { output in
            argon2id_hash_raw(
                parameters.iterations, parameters.memoryKiB, parameters.parallelism, password, password.count, salt,
                salt.count, output.baseAddress, output.count)
        }
        return result == ARGON2_OK.rawValue ? tag : nil
    }
}
