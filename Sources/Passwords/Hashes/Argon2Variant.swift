// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Argon2 of a kind that this library verifies and does not make: Argon2d, Argon2i, version 1.0, or with associated
/// data (RFC 9106, section 3.1). Only imported hashes are of this kind.
///
/// In text as the PHC string format has it: `$argon2i$v=19$m=4096,t=3,p=1,data=…$salt$hash`.
struct Argon2Variant: Sendable, Hashable {
    private static let versions: [String: UInt32] = ["v=16": 16, "v=19": 19]
    private static let kinds: [String: Argon2.Kind] = ["argon2d": .argon2d, "argon2i": .argon2i, "argon2id": .argon2id]

    let name: String
    let argon2: Argon2
    let tag: [UInt8]

    var parameters: Argon2Parameters { argon2.parameters }

    /// - Parameter parts: the text's parts, its name first.
    init?(_ parts: ArraySlice<String>) {
        var parts = Array(parts)
        // The first version's texts did not name it; Argon2id is younger than it.
        if parts.count == 4, parts[0] != "argon2id" { parts.insert("v=16", at: 1) }
        guard parts.count == 5, let kind = Self.kinds[parts[0]], let version = Self.versions[parts[1]] else {
            return nil
        }
        let fields = parts[2].split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count == 3 || fields.count == 4 && fields[3].hasPrefix("data="),
            let cost = PasswordHash.numbers(fields.prefix(3).map { String($0) }[...], ["m", "t", "p"]),
            let memory = UInt32(exactly: cost[0]), let iterations = UInt32(exactly: cost[1]),
            let parallelism = UInt32(exactly: cost[2]),
            let data = Base64.decodeUnpadded(fields.count == 4 ? String(fields[3].dropFirst(5)) : ""),
            data.count <= 32, let salt = Base64.decodeUnpadded(parts[3]), (8...64).contains(salt.count),
            let tag = Base64.decodeUnpadded(parts[4]), (16...64).contains(tag.count)
        else { return nil }
        let parameters = Argon2Parameters(memoryKiB: memory, iterations: iterations, parallelism: parallelism)
        guard parameters.isBearable else { return nil }
        name = parts[0]
        argon2 = Argon2(
            kind: kind, version: version, parameters: parameters, salt: salt, associatedData: data, length: tag.count)
        self.tag = tag
    }

    /// `nil` when it could not be computed, for want of memory above all.
    func matches(_ password: [UInt8], in memory: Argon2Memory) -> Bool? {
        memory.tag(of: password, argon2).map { constantTimeEqual($0, tag) }
    }
}
