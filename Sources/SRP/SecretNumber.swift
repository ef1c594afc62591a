// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

/// One number of the C library, overwritten when it goes.
struct SecretNumber: ~Copyable {
    let pointer: OpaquePointer

    init() throws(SRPError) {
        guard let pointer = BN_new() else { throw .outOfMemory }
        BN_set_flags(pointer, BN_FLG_CONSTTIME)
        self.pointer = pointer
    }

    /// - Parameter magnitude: unsigned, big-endian, at most ``SRPGroup/byteCount`` bytes after leading zeros.
    static func read(_ magnitude: [UInt8]) throws(SRPError) -> SecretNumber {
        let digits = magnitude.drop { $0 == 0 }
        guard digits.count <= SRPGroup.byteCount, let length = Int32(exactly: digits.count) else { throw .outOfRange }
        let number = try SecretNumber()
        let read = digits.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, length, number.pointer) }
        guard read != nil else { throw .outOfMemory }
        return number
    }

    deinit { BN_clear_free(pointer) }

    var isZero: Bool { BN_is_zero(pointer) == 1 }

    /// ``SRPGroup/byteCount`` bytes, with leading zeros: how long it takes says nothing about the number.
    func bytes() throws(SRPError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: SRPGroup.byteCount)
        let written = bytes.withUnsafeMutableBufferPointer {
            BN_bn2binpad(pointer, $0.baseAddress, Int32(SRPGroup.byteCount))
        }
        guard written == Int32(SRPGroup.byteCount) else { throw .outOfRange }
        return bytes
    }
}

/// The C library's temporaries of one calculation; it overwrites them when it frees them.
struct ScratchSpace: ~Copyable {
    let pointer: OpaquePointer

    init() throws(SRPError) {
        guard let pointer = BN_CTX_secure_new() else { throw .outOfMemory }
        self.pointer = pointer
    }

    deinit { BN_CTX_free(pointer) }
}
