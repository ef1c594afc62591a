// SPDX-License-Identifier: Apache-2.0

import CArgon2

/// Argon2 by the system's libargon2, which asks for its memory, fills it on a thread a lane, and wipes it and gives it
/// back.
enum Argon2Library {
    /// `nil` when the library refuses, for want of memory above all.
    static func tag(of password: [UInt8], _ argon2: Argon2) -> [UInt8]? {
        let type =
            switch argon2.kind {
            case .argon2d: Argon2_d
            case .argon2i: Argon2_i
            case .argon2id: Argon2_id
            }
        var (password, salt, data) = (password, argon2.salt, argon2.associatedData)
        var tag = [UInt8](repeating: 0, count: argon2.length)
        let result = tag.withUnsafeMutableBufferPointer { output in
            password.withUnsafeMutableBufferPointer { password in
                salt.withUnsafeMutableBufferPointer { salt in
                    data.withUnsafeMutableBufferPointer { data in
                        let cost = argon2.parameters
                        var context = argon2_context()
                        (context.out, context.outlen) = (output.baseAddress, UInt32(output.count))
                        (context.pwd, context.pwdlen) = (password.baseAddress, UInt32(password.count))
                        (context.salt, context.saltlen) = (salt.baseAddress, UInt32(salt.count))
                        (context.ad, context.adlen) = (data.baseAddress, UInt32(data.count))
                        (context.t_cost, context.m_cost) = (cost.iterations, cost.memoryKiB)
                        (context.lanes, context.threads) = (cost.parallelism, cost.parallelism)
                        context.version = argon2.version
                        return argon2_ctx(&context, type)
                    }
                }
            }
        }
        return result == ARGON2_OK.rawValue ? tag : nil
    }
}
