// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// HMAC secrets that are public knowledge: defaults of products, samples of tutorials, leaked ones. Whoever knows the
/// secret can sign any token, so a server that finds its own here should refuse to start.
public enum KnownSecrets {
    /// Whether `secret` is one of them, compared as bytes.
    public static func contains(_ secret: Secret<[UInt8]>) -> Bool { contains(secret.reveal()) }

    static func contains(_ secret: [UInt8]) -> Bool {
        let wanted = prefix(secret)
        var low = 0
        var high = digestPrefixes.count
        while low < high {
            let middle = (low + high) / 2
            if digestPrefixes[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < digestPrefixes.count && digestPrefixes[low] == wanted
    }

    /// The first eight bytes of the SHA-256. One in 10^16 other secrets is refused by mistake.
    private static func prefix(_ secret: [UInt8]) -> UInt64 {
        SHA256.hash(data: secret).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
