// SPDX-License-Identifier: Apache-2.0

/// What one Argon2id hash costs (RFC 9106, section 3.1). The default is the first choice of OWASP's password storage
/// advice: 19 MiB, two passes, one lane.
public struct Argon2Parameters: Sendable, Hashable {
    public var memoryKiB: UInt32
    public var iterations: UInt32
    public var parallelism: UInt32

    public init(memoryKiB: UInt32 = 19_456, iterations: UInt32 = 2, parallelism: UInt32 = 1) {
        self.memoryKiB = memoryKiB
        self.iterations = iterations
        self.parallelism = parallelism
    }

    /// Whether a hash may cost this much: at most 256 MiB, 10 passes, 16 lanes, and 1 GiB written in all. An import
    /// must not be able to take the server's memory or time. Neither stored nor new hashes go beyond.
    public var isBearable: Bool {
        (1...10).contains(iterations) && (1...16).contains(parallelism)
            && memoryKiB >= 8 * parallelism && memoryKiB <= 1 << 18 && memoryKiB * iterations <= 1 << 20
    }
}
