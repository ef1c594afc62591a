// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Hashes on threads of its own, so that a flood of sign-ins neither starves the rest of the server nor piles up.
public final class PasswordHashingPool: PasswordHashing {
    private let threads: HashingThreads
    private let parameters: Argon2Parameters
    private let random: any RandomSource
    /// What an attempt without a stored hash is compared with: the current cost, and a tag no password gives.
    private let decoy: PasswordHash

    /// An attempt whose task is cancelled while it waits ends at once, unhashed, with `CancellationError`.
    ///
    /// - Parameters:
    ///   - parameters: the cost of new hashes; ones out of bounds (``Argon2Parameters/isBearable``) make none.
    ///   - threads: hashes computed at once.
    ///   - queueLength: attempts that may wait beyond those.
    ///   - deadline: the longest that one may wait.
    public init(
        parameters: Argon2Parameters = Argon2Parameters(), threads: Int, queueLength: Int = 256,
        deadline: TimeSpan = .seconds(5), random: any RandomSource, clock: @escaping @Sendable () -> Instant
    ) {
        self.parameters = parameters
        self.random = random
        decoy = PasswordHash(
            parameters, salt: random.bytes(Argon2.saltLength), tag: random.bytes(Argon2.tagLength))
        self.threads = HashingThreads(
            HashingQueue(capacity: max(0, queueLength), threads: max(1, threads), deadline: deadline),
            bound: max(Argon2Memory.bound, parameters.memoryKiB), clock: clock)
        self.threads.start()
    }

    deinit {
        threads.stop()
    }

    /// Hashes computed since the start, for metrics.
    public var hashesComputed: Int { threads.computed.value }

    public func verify(_ password: Secret<String>, against stored: PasswordHash?) async throws -> PasswordVerdict {
        let hash = stored ?? decoy
        return try await compare(password, with: hash, isReal: stored != nil, beside: [])
    }

    public func verify(
        _ password: Secret<String>, against stored: PasswordHash?, among held: [PasswordHash]
    ) async throws -> PasswordVerdict {
        let hash = stored ?? decoy
        return try await compare(
            password, with: hash, isReal: stored != nil, beside: Self.others(than: hash, in: [decoy] + held))
    }

    /// One hash of each form but that of `hash`, in the order of forms: together they are the same work for each hash.
    static func others(than hash: PasswordHash, in hashes: [PasswordHash]) -> [PasswordHash] {
        let byForm = Dictionary(hashes.map { ($0.form, $0) }) { first, _ in first }
        return byForm.filter { $0.key != hash.form }.sorted { $0.key < $1.key }.map(\.value)
    }

    private func compare(
        _ password: Secret<String>, with hash: PasswordHash, isReal: Bool, beside others: [PasswordHash]
    ) async throws -> PasswordVerdict {
        let matches = try await threads.run(hashes: 1 + others.count) { memory in
            for other in others { _ = other.matches(password, in: memory) }
            return hash.matches(password, in: memory)
        }
        guard let matches else {
            throw hash.algorithm == nil ? Self.damaged : Self.noMemory
        }
        return matches && isReal ? .match(rehash: hash.needsRehash(to: parameters)) : .mismatch
    }

    public func hash(_ password: Secret<String>) async throws -> PasswordHash {
        // A hash that costs more could be made, but never read again.
        guard parameters.isBearable else {
            throw AuthError(.internalFailure, reason: "the configured cost of a password hash is out of bounds")
        }
        guard let normalized = NormalizedPassword(password) else {
            throw AuthError(.weakPassword, field: "password", violations: [.maximumLength])
        }
        let salt = random.bytes(Argon2.saltLength)
        let tag = try await threads.run { [parameters] memory in
            memory.tag(of: normalized.bytes, Argon2(parameters: parameters, salt: salt))
        }
        guard let tag else { throw Self.noMemory }
        return PasswordHash(parameters, salt: salt, tag: tag)
    }

    private static var damaged: AuthError { AuthError(.internalFailure, reason: "a stored password hash is damaged") }
    private static var noMemory: AuthError { AuthError(.unavailable, reason: "no memory for a password hash") }
}
