// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CArgon2Kernel
import Testing

@testable import Passwords

@Suite("Argon2Kernel", .timeLimit(.minutes(10)))
struct Argon2KernelTests {
    /// What this processor can run. Elsewhere `scripts/check-argon2` has the others compiled for it.
    static let kernels = Argon2Memory.Kernel.allCases.filter(\.isHere)

    /// The same numbers for the same seed (SplitMix64).
    struct Numbers: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var word = state
            word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
            word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
            return word ^ word >> 31
        }

        mutating func octets(_ count: ClosedRange<Int>) -> [UInt8] {
            (0..<Int.random(in: count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
        }

        mutating func input() -> Argon2 {
            let lanes = UInt32.random(in: 1...4, using: &self)
            return Argon2(
                kind: [.argon2d, .argon2i, .argon2id].randomElement(using: &self) ?? .argon2id,
                parameters: Argon2Parameters(
                    memoryKiB: 8 * lanes + UInt32.random(in: 0...64, using: &self),
                    iterations: UInt32.random(in: 1...3, using: &self), parallelism: lanes),
                salt: octets(8...64), associatedData: octets(0...32),
                length: Int.random(in: 16...130, using: &self))
        }
    }

    @Test("RFC 9106's vectors of all three kinds come out of every kernel", arguments: kernels)
    func vectors(kernel: Argon2Memory.Kernel) throws {
        let cases = try VectorFiles.cases("argon2-rfc9106.json")
        #expect(cases.count == 3)
        let memory = lk_argon2_memory_create(1024)
        defer { lk_argon2_memory_destroy(memory) }
        for test in cases {
            let (password, salt) = (try test.hex("password"), try test.hex("salt"))
            let (secret, data, expected) = (try test.hex("secret"), try test.hex("data"), try test.hex("tag"))
            var tag = [UInt8](repeating: 0, count: expected.count)
            let result = lk_argon2_hash(
                memory, kernel.rawValue, Int32(try test.integer("kind")), UInt32(try test.integer("passes")),
                UInt32(try test.integer("memory")), UInt32(try test.integer("lanes")), password, password.count, salt,
                salt.count, secret, secret.count, data, data.count, &tag, tag.count)
            #expect(Int(result) == LK_ARGON2_OK && tag == expected)
        }
    }

    @Test("Every kernel computes what libargon2 computes, whatever the parameters", arguments: kernels)
    func sameAsLibrary(kernel: Argon2Memory.Kernel) throws {
        var numbers = Numbers(state: 9106)
        let memory = Argon2Memory(kernel: kernel)
        for _ in 0..<200 {
            let (input, password) = (numbers.input(), numbers.octets(0...80))
            let expected = try #require(Argon2Library.tag(of: password, input))
            #expect(memory.tag(of: password, input) == expected, "\(input)")
        }
    }

    @Test("Segments that need more addresses than a block holds are filled as libargon2 fills them", arguments: kernels)
    func longSegments(kernel: Argon2Memory.Kernel) throws {
        let memory = Argon2Memory(kernel: kernel)
        for kind in [Argon2.Kind.argon2d, .argon2i, .argon2id] {
            for size: UInt32 in [511, 512, 513, 1_027, 2_060] {
                let input = Argon2(
                    kind: kind, parameters: Argon2Parameters(memoryKiB: size, iterations: 2),
                    salt: [UInt8](repeating: 7, count: 16))
                #expect(
                    memory.tag(of: [1, 2, 3], input) == Argon2Library.tag(of: [1, 2, 3], input), "\(kind) \(size)")
            }
        }
    }

    @Test("The memory that is kept holds nothing of a password: it is zeros after every hash", arguments: kernels)
    func wiped(kernel: Argon2Memory.Kernel) throws {
        let memory = Argon2Memory(kernel: kernel)
        #expect(memory.kept.isEmpty)
        for size: UInt32 in [64, 256, 32] {
            let input = Argon2(
                parameters: Argon2Parameters(memoryKiB: size, iterations: 1), salt: [UInt8](repeating: 7, count: 16))
            _ = try #require(memory.tag(of: Array("correct horse".utf8), input))
            let kept = memory.kept
            #expect(kept.count >= Int(size) * 1024 && kept.allSatisfy { $0 == 0 }, "\(size)")
        }
        memory.release()
        #expect(memory.kept.isEmpty)
    }

    @Test("A hash that needs more than may be kept is computed, and nothing more is kept", arguments: kernels)
    func bounded(kernel: Argon2Memory.Kernel) throws {
        let memory = Argon2Memory(bound: 128, kernel: kernel)
        for size: UInt32 in [32, 1_024] {
            let input = Argon2(
                parameters: Argon2Parameters(memoryKiB: size, iterations: 1), salt: [UInt8](repeating: 7, count: 16))
            #expect(memory.tag(of: [1], input) == Argon2Library.tag(of: [1], input))
        }
        #expect(!memory.kept.isEmpty && memory.kept.count <= 128 * 1024)
    }

    @Test("Version 0x10 and a build without vectors are libargon2's, and what Argon2 does not have gives no tag")
    func library() throws {
        let salt = [UInt8](repeating: 7, count: 16)
        let cost = Argon2Parameters(memoryKiB: 32, iterations: 2)
        let old = Argon2(kind: .argon2i, version: 0x10, parameters: cost, salt: salt)
        let now = Argon2(kind: .argon2i, parameters: cost, salt: salt)
        let oldTag = try #require(Argon2Library.tag(of: [1], old))
        let tag = try #require(Argon2Library.tag(of: [1], now))
        #expect(oldTag != tag)
        for kernel in Self.kernels.map(Optional.some) + [nil] {
            let memory = Argon2Memory(kernel: kernel)
            #expect(memory.tag(of: [1], old) == oldTag)
            #expect(memory.tag(of: [1], now) == tag)
            #expect(memory.tag(of: [1], Argon2(parameters: cost, salt: [7])) == nil)
            #expect(memory.tag(of: [1], Argon2(parameters: cost, salt: salt, length: 3)) == nil)
            #expect(
                memory.tag(of: [1], Argon2(parameters: Argon2Parameters(memoryKiB: 7, iterations: 1), salt: salt))
                    == nil)
        }
    }

    @Test("Threads that hash at once, each in its memory, disturb nobody's tag", arguments: kernels)
    func concurrent(kernel: Argon2Memory.Kernel) async throws {
        await withTaskGroup(of: Bool.self) { group in
            for seed in 0..<8 {
                group.addTask {
                    var numbers = Numbers(state: UInt64(seed))
                    let memory = Argon2Memory(kernel: kernel)
                    return (0..<25).allSatisfy { _ in
                        let (input, password) = (numbers.input(), numbers.octets(0...80))
                        return memory.tag(of: password, input) == Argon2Library.tag(of: password, input)
                    }
                }
            }
            for await same in group { #expect(same) }
        }
    }
}
