// SPDX-License-Identifier: Apache-2.0

/// How whole numbers enter the hashes of this form of SRP: the fewest big-endian bytes of two's complement, so with a
/// leading zero byte exactly where the top bit is set. It is not the padding to the length of N of RFC 5054.
public enum SignedBytes {
    /// - Parameter magnitude: an unsigned big-endian number of any length; leading zero bytes do not count.
    public static func encode(_ magnitude: some Sequence<UInt8>) -> [UInt8] {
        let digits = magnitude.drop { $0 == 0 }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(SRPGroup.byteCount + 1)
        bytes.append(0)
        bytes.append(contentsOf: digits)
        // The zero byte stays for zero itself, and where the first digit has its top bit set.
        if bytes.count > 1, bytes[1] & 0x80 == 0 { bytes.removeFirst() }
        return bytes
    }
}
