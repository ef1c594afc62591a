// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Passwords

/// Counts, and costs nothing: the "hash" is the password itself in the shape of one. What a test wants to happen while
/// a password is being hashed goes into ``meanwhile(_:)``.
final class CountingPasswords: PasswordHashing {
    private struct State {
        var verified = 0
        var hashed = 0
        var work: [Set<String>] = []
        var failure: AuthError?
        var meanwhile: (@Sendable () async throws -> Void)?
    }

    private let state = Mutex(State())

    /// Comparisons, those with nothing among them.
    var verified: Int { state.withLock { $0.verified } }
    var hashed: Int { state.withLock { $0.hashed } }
    /// Everything that costs a hash.
    var all: Int { state.withLock { $0.verified + $0.hashed } }

    /// The forms of hashes that each comparison would have computed, a made-up one of today's among them.
    var work: [Set<String>] { state.withLock { $0.work } }

    func verify(
        _ password: Secret<String>, against stored: PasswordHash?, among held: [PasswordHash]
    ) async throws -> PasswordVerdict {
        let hashes = try held + [stored, Self.form("")].compactMap(\.self)
        state.withLock { $0.work.append(Set(hashes.map(\.form))) }
        return try await verify(password, against: stored)
    }

    /// Runs `body` once, during the next hash or comparison.
    func meanwhile(_ body: @escaping @Sendable () async throws -> Void) {
        state.withLock { $0.meanwhile = body }
    }

    /// Fails from now on; not any more with `nil`.
    func fail(_ error: AuthError?) {
        state.withLock { $0.failure = error }
    }

    /// - Parameter isOld: a hash of a cost that new ones do not have.
    static func form(_ password: String, isOld: Bool = false, salt: UInt8 = 0) throws -> PasswordHash {
        let tag = Array((password + String(repeating: "\0", count: 32)).utf8.prefix(32))
        return try PasswordHash(
            "$argon2id$v=19$m=8,t=\(isOld ? 1 : 2),p=1$"
                + Base64.encodeUnpadded([UInt8](repeating: salt, count: 8)) + "$" + Base64.encodeUnpadded(tag))
    }

    static func isOld(_ hash: PasswordHash?) -> Bool? { hash.map { $0.encoded.contains("t=1") } }

    /// Whether `hash` is one of `password`.
    static func matches(_ hash: PasswordHash?, _ password: String) throws -> Bool {
        try hash?.encoded.split(separator: "$").last == form(password).encoded.split(separator: "$").last
    }

    func verify(_ password: Secret<String>, against stored: PasswordHash?) async throws -> PasswordVerdict {
        try await count { $0.verified += 1 }
        guard let stored, try Self.matches(stored, password.reveal()) else { return .mismatch }
        return .match(rehash: Self.isOld(stored) ?? false)
    }

    func hash(_ password: Secret<String>) async throws -> PasswordHash {
        try await count { $0.hashed += 1 }
        // Two hashes of one password differ, as they do in earnest.
        return try Self.form(password.reveal(), salt: UInt8(truncatingIfNeeded: all))
    }

    private func count(_ add: (inout State) -> Void) async throws {
        let (failure, meanwhile) = state.withLock { state in
            add(&state)
            defer { state.meanwhile = nil }
            return (state.failure, state.meanwhile)
        }
        try await meanwhile?()
        if let failure { throw failure }
    }
}
