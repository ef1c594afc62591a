// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import CArgon2

/// Argon2 of a kind that this library verifies and does not make: Argon2d, Argon2i, version 1.0, or with associated data
/// (RFC 9106, section 3.1). Only imported hashes are of this kind.
///
/// In text as the PHC string format has it: `$argon2i$v=19$m=4096,t=3,p=1,data=…$salt$hash`.
struct Argon2Variant: Sendable, Hashable {
    private static let versions: [String: UInt32] = ["v=16": 16, "v=19": 19]
    private static let types = ["argon2d": Argon2_d, "argon2i": Argon2_i, "argon2id": Argon2_id]

    let name: String
    let version: UInt32
    let parameters: Argon2Parameters
    let associatedData: [UInt8]
    let salt: [UInt8]
    let tag: [UInt8]

    /// - Parameter parts: the text's parts, its name first.
    init?(_ parts: ArraySlice<String>) {
        var parts = Array(parts)
        // The first version's texts did not name it; Argon2id is younger than it.
        if parts.count == 4, parts[0] != "argon2id" { parts.insert("v=16", at: 1) }
        guard parts.count == 5, Self.types[parts[0]] != nil, let version = Self.versions[parts[1]] else {
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
        self.version = version
        self.parameters = parameters
        associatedData = data
        self.salt = salt
        self.tag = tag
    }

    /// `nil` when the library refuses, for want of memory above all.
    func matches(_ password: [UInt8]) -> Bool? {
        guard let type = Self.types[name] else { return nil }
        var (password, salt, data) = (password, salt, associatedData)
        var computed = [UInt8](repeating: 0, count: tag.count)
        let result = computed.withUnsafeMutableBufferPointer { output in
            password.withUnsafeMutableBufferPointer { password in
                salt.withUnsafeMutableBufferPointer { salt in
                    data.withUnsafeMutableBufferPointer { data in
                        var context = argon2_context()
                        (context.out, context.outlen) = (output.baseAddress, UInt32(output.count))
                        (context.pwd, context.pwdlen) = (password.baseAddress, UInt32(password.count))
                        (context.salt, context.saltlen) = (salt.baseAddress, UInt32(salt.count))
                        (context.ad, context.adlen) = (data.baseAddress, UInt32(data.count))
                        (context.t_cost, context.m_cost) = (parameters.iterations, parameters.memoryKiB)
                        (context.lanes, context.threads) = (parameters.parallelism, parameters.parallelism)
                        context.version = version
                        return argon2_ctx(&context, type)
                    }
                }
            }
        }
        guard result == ARGON2_OK.rawValue else { return nil }
        return constantTimeEqual(computed, tag)
    }
}
