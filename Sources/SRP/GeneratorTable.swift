// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

/// Powers of the generator, so that raising it takes one multiplication for four bits of the exponent and no squaring:
/// g^(d·16^i) for each digit d and place i, in Montgomery form (Handbook of Applied Cryptography, algorithm 14.109).
///
/// Entries are read in constant time, and products are as ``GroupArithmetic`` makes them. The conversion of an entry
/// skips leading zero bytes, which four entries in a thousand have: so the table is for numbers that are used once, and
/// not for what follows from a password.
struct GeneratorTable: Sendable {
    /// Bytes of an exponent that the table has all places for.
    static let exponentByteCount = 32

    private static let digitCount = 16
    private static let wordCount = SRPGroup.byteCount / 8
    private static let placeCount = exponentByteCount * 2

    /// By place and digit: 384 KiB, made in some milliseconds.
    private let words: [UInt64]

    init(_ montgomery: OpaquePointer, _ scratch: borrowing ScratchSpace) throws(SRPError) {
        var words: [UInt64] = []
        words.reserveCapacity(Self.placeCount * Self.digitCount * Self.wordCount)
        let one = try SecretNumber.read([1])
        let base = try SecretNumber.read([SRPGroup.generator])
        guard BN_to_montgomery(one.pointer, one.pointer, montgomery, scratch.pointer) == 1,
            BN_to_montgomery(base.pointer, base.pointer, montgomery, scratch.pointer) == 1
        else { throw .outOfMemory }
        for _ in 0..<Self.placeCount {
            let power = try SecretNumber()
            guard BN_copy(power.pointer, one.pointer) != nil else { throw .outOfMemory }
            for _ in 0..<Self.digitCount {
                words += try Self.words(of: power)
                try Self.multiply(power, by: base, montgomery, scratch)
            }
            // The sixteenth power is the next place's first.
            guard BN_copy(base.pointer, power.pointer) != nil else { throw .outOfMemory }
        }
        self.words = words
    }

    /// g^exponent.
    ///
    /// - Parameter exponent: big-endian, ``exponentByteCount`` bytes; `nil` for another length.
    func power(
        _ exponent: [UInt8], _ montgomery: OpaquePointer, _ scratch: borrowing ScratchSpace
    ) throws(SRPError) -> SecretNumber? {
        guard exponent.count == Self.exponentByteCount else { return nil }
        let result = try SecretNumber.read([1])
        guard BN_to_montgomery(result.pointer, result.pointer, montgomery, scratch.pointer) == 1 else {
            throw .outOfMemory
        }
        let factor = try SecretNumber()
        var entry = [UInt64](repeating: 0, count: Self.wordCount)
        for (position, byte) in exponent.reversed().enumerated() {
            for (half, digit) in [byte & 0x0F, byte >> 4].enumerated() {
                try read(digit, at: position * 2 + half, into: &entry, factor)
                try Self.multiply(result, by: factor, montgomery, scratch)
            }
        }
        entry.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
        guard BN_from_montgomery(result.pointer, result.pointer, montgomery, scratch.pointer) == 1 else {
            throw .outOfMemory
        }
        return result
    }

    private func read(
        _ digit: UInt8, at place: Int, into entry: inout [UInt64], _ factor: borrowing SecretNumber
    ) throws(SRPError) {
        let start = place * Self.digitCount * Self.wordCount
        let isRead = words.withUnsafeBufferPointer { words in
            entry.withUnsafeMutableBufferPointer { entry -> Bool in
                guard let table = words.baseAddress, let output = entry.baseAddress else { return false }
                latchkey_table_entry(output, table + start, Self.digitCount, Self.wordCount, Int(digit))
                return output.withMemoryRebound(to: UInt8.self, capacity: SRPGroup.byteCount) { bytes in
                    BN_lebin2bn(bytes, Int32(SRPGroup.byteCount), factor.pointer) != nil
                }
            }
        }
        guard isRead else { throw .outOfMemory }
    }

    private static func words(of number: borrowing SecretNumber) throws(SRPError) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: wordCount)
        let written = words.withUnsafeMutableBytes { bytes in
            BN_bn2lebinpad(
                number.pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(bytes.count))
        }
        guard written == Int32(SRPGroup.byteCount) else { throw .outOfMemory }
        return words
    }

    private static func multiply(
        _ number: borrowing SecretNumber, by factor: borrowing SecretNumber, _ montgomery: OpaquePointer,
        _ scratch: borrowing ScratchSpace
    ) throws(SRPError) {
        let done = BN_mod_mul_montgomery(
            number.pointer, number.pointer, factor.pointer, montgomery, scratch.pointer)
        guard done == 1 else { throw .outOfMemory }
    }
}
