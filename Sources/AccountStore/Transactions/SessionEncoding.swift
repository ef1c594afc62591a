// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// How the small lists of a session are kept in one column each.
enum SessionEncoding {
    /// `password 1764000000000000`, one a line.
    static func text(_ methods: [AuthenticationMethod]) -> String {
        methods.map { "\($0.name.rawValue) \($0.at.microseconds)" }.joined(separator: "\n")
    }

    static func methods(_ text: String) throws -> [AuthenticationMethod] {
        try text.split(separator: "\n").map { line in
            let parts = line.split(separator: " ")
            guard parts.count == 2, let microseconds = Int64(parts[1]) else { throw StoredRowError(column: 8) }
            return AuthenticationMethod(
                AuthenticationMethod.Name(rawValue: String(parts[0])), at: Instant(microseconds: microseconds))
        }
    }

    private static let nonceLength = 16
    private static let hashLength = 32
    private static let stepLength = nonceLength + hashLength + 8

    /// Nonce (16), parent's hash (32) and time (8, big-endian) of each step, the oldest first.
    static func bytes(_ steps: [RefreshTokenFamily.Step]) -> [UInt8] {
        steps.flatMap { step in
            let time = UInt64(bitPattern: step.at.microseconds)
            return step.nonce + step.parentHash + (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * $0)) }
        }
    }

    static func steps(_ bytes: [UInt8]) throws -> [RefreshTokenFamily.Step] {
        guard bytes.count % stepLength == 0 else { throw StoredRowError(column: 17) }
        return stride(from: 0, to: bytes.count, by: stepLength).map { start in
            let nonce = bytes[start..<(start + nonceLength)]
            let hash = bytes[(start + nonceLength)..<(start + nonceLength + hashLength)]
            let time = bytes[(start + nonceLength + hashLength)..<(start + stepLength)]
            return RefreshTokenFamily.Step(
                nonce: Array(nonce), parentHash: Array(hash),
                at: Instant(microseconds: Int64(bitPattern: time.reduce(0) { $0 << 8 | UInt64($1) })))
        }
    }
}
