// SPDX-License-Identifier: Apache-2.0

import Crypto

/// SHA-256 of every byte of a token. Computed here and nowhere else: nobody can hand the cache a name for a token, and
/// two tokens that differ only in their signature have different ones.
package struct TokenDigest: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    package init(of token: some Collection<UInt8>) {
        var hash = SHA256()
        if token.withContiguousStorageIfAvailable({ hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }) == nil {
            Array(token).withUnsafeBytes { hash.update(bufferPointer: $0) }
        }
        words = hash.finalize().withUnsafeBytes { $0.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self) }
    }

    /// For spreading entries over shards.
    var low: UInt64 { words.0 }

    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.words == rhs.words }

    /// One word of a SHA-256 is as good as any hash of all of them; `Hasher` adds the process's own seed.
    package func hash(into hasher: inout Hasher) { hasher.combine(words.1) }
}
