// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CoreMetrics
import Passwords

/// Counts what password work is done: the most expensive thing the server does, and the same for every attempt.
struct CountedPasswords: PasswordHashing {
    private let passwords: any PasswordHashing
    private let comparisons: Counter
    private let hashes: Counter

    init(_ passwords: any PasswordHashing, metrics: any MetricsFactory) {
        self.passwords = passwords
        comparisons = Counter(label: "password_comparisons_total", dimensions: [], factory: metrics)
        hashes = Counter(label: "password_hashes_total", dimensions: [], factory: metrics)
    }

    func verify(_ password: Secret<String>, against stored: PasswordHash?) async throws -> PasswordVerdict {
        comparisons.increment()
        return try await passwords.verify(password, against: stored)
    }

    func verify(
        _ password: Secret<String>, against stored: PasswordHash?, among held: [PasswordHash]
    ) async throws -> PasswordVerdict {
        comparisons.increment()
        return try await passwords.verify(password, against: stored, among: held)
    }

    func hash(_ password: Secret<String>) async throws -> PasswordHash {
        hashes.increment()
        return try await passwords.hash(password)
    }
}
