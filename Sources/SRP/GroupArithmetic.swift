// SPDX-License-Identifier: Apache-2.0

import CLibCrypto

/// Arithmetic modulo N whose time does not depend on the numbers: exponents are walked in windows of fixed width with
/// table reads that touch every entry (`BN_mod_exp_mont_consttime`), products and sums are of fixed length.
///
/// The prime, its Montgomery form and the table are written in `init` and only read afterwards: the C library takes
/// them as constants, and whatever it writes to (the result, `ScratchSpace`) belongs to one call. So threads may share
/// it.
final class GroupArithmetic: @unchecked Sendable {
    private static let cached = try? GroupArithmetic()

    private let prime: SecretNumber
    private let montgomery: OpaquePointer
    private let generatorTable: GeneratorTable

    /// The one of the process. It is asked for anew where there was no memory for it at first use.
    static func shared() throws(SRPError) -> GroupArithmetic {
        if let cached { return cached }
        return try GroupArithmetic()
    }

    private init() throws(SRPError) {
        let prime = try SecretNumber.read(SRPGroup.prime)
        let scratch = try ScratchSpace()
        guard let montgomery = BN_MONT_CTX_new() else { throw .outOfMemory }
        guard BN_MONT_CTX_set(montgomery, prime.pointer, scratch.pointer) == 1 else {
            BN_MONT_CTX_free(montgomery)
            throw .outOfMemory
        }
        do throws(SRPError) {
            generatorTable = try GeneratorTable(montgomery, scratch)
        } catch {
            BN_MONT_CTX_free(montgomery)
            throw error
        }
        self.prime = prime
        self.montgomery = montgomery
    }

    deinit { BN_MONT_CTX_free(montgomery) }

    /// A number of 1 ..< N.
    func element(_ magnitude: [UInt8]) throws(SRPError) -> SecretNumber {
        let number = try SecretNumber.read(magnitude)
        guard !number.isZero, BN_ucmp(number.pointer, prime.pointer) < 0 else { throw .outOfRange }
        return number
    }

    /// Whether ``element(_:)`` takes the number.
    func contains(_ magnitude: [UInt8]) -> Bool {
        do {
            _ = try element(magnitude)
            return true
        } catch { return false }
    }

    /// g^exponent, for an exponent that is used once; fastest with ``GeneratorTable/exponentByteCount`` bytes.
    func generatorPower(_ exponent: [UInt8], _ scratch: borrowing ScratchSpace) throws(SRPError) -> SecretNumber {
        if let result = try generatorTable.power(exponent, montgomery, scratch) { return result }
        return try power(SecretNumber.read([SRPGroup.generator]), SecretNumber.read(exponent), scratch)
    }

    /// base^exponent
    func power(
        _ base: borrowing SecretNumber, _ exponent: borrowing SecretNumber, _ scratch: borrowing ScratchSpace
    ) throws(SRPError) -> SecretNumber {
        let result = try SecretNumber()
        let done = BN_mod_exp_mont_consttime(
            result.pointer, base.pointer, exponent.pointer, prime.pointer, scratch.pointer, montgomery)
        guard done == 1 else { throw .outOfMemory }
        return result
    }

    /// left · right
    func product(
        _ left: borrowing SecretNumber, _ right: borrowing SecretNumber, _ scratch: borrowing ScratchSpace
    ) throws(SRPError) -> SecretNumber {
        let result = try SecretNumber()
        // Into Montgomery form one factor only: the multiplication takes the form away again.
        guard BN_to_montgomery(result.pointer, left.pointer, montgomery, scratch.pointer) == 1,
            BN_mod_mul_montgomery(result.pointer, result.pointer, right.pointer, montgomery, scratch.pointer) == 1
        else { throw .outOfMemory }
        return result
    }

    /// left + right
    func sum(_ left: borrowing SecretNumber, _ right: borrowing SecretNumber) throws(SRPError) -> SecretNumber {
        let result = try SecretNumber()
        guard BN_mod_add_quick(result.pointer, left.pointer, right.pointer, prime.pointer) == 1 else {
            throw .outOfMemory
        }
        return result
    }
}
