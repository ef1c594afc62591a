// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// How the small lists of a session are kept in one column each. What could not be read back is refused, not written.
enum SessionEncoding {
    /// `1764000000000000 password`, `1764000000000000/google oauth`, `1764000000000000#` and a factor's UUID before
    /// ` totp`, or `1764000000000000@` and the mark of an address before ` otp`, one a line: the name goes last, since
    /// it may hold blanks.
    static func text(_ methods: [AuthenticationMethod]) throws -> String {
        try methods.map { method in
            guard !method.name.rawValue.utf8.contains(UInt8(ascii: "\n")) else {
                throw AuthError(.internalFailure, reason: "the name of an authentication method holds a line break")
            }
            if let provider = method.provider, !IdentityProvider.isName(provider) {
                throw AuthError(.internalFailure, reason: "an authentication method of no provider's name")
            }
            if let factor = method.factor, method.provider != nil || !UUIDText.accepts(factor.rawValue) {
                throw AuthError(.internalFailure, reason: "an authentication method of no factor's identifier")
            }
            if let recipient = method.recipient,
                method.provider != nil || method.factor != nil || Hex.decode(recipient) == nil
            {
                throw AuthError(.internalFailure, reason: "an authentication method of no address's mark")
            }
            let source =
                method.provider.map { "/" + $0 } ?? method.factor.map { "#" + $0.rawValue }
                ?? method.recipient.map { "@" + $0 } ?? ""
            return "\(method.at.microseconds)\(source) \(method.name.rawValue)"
        }.joined(separator: "\n")
    }

    static func methods(_ text: String) throws -> [AuthenticationMethod] {
        try text.utf8.split(separator: UInt8(ascii: "\n")).map { line in
            guard let blank = line.firstIndex(of: UInt8(ascii: " ")) else { throw StoredRowError(column: 8) }
            let head = line[..<blank]
            let end = head.firstIndex { "/#@".utf8.contains($0) } ?? head.endIndex
            guard let microseconds = Int64(Substring(head[..<end])) else { throw StoredRowError(column: 8) }
            let source = end == head.endIndex ? nil : String(Substring(head[head.index(after: end)...]))
            let kind = end == head.endIndex ? nil : head[end]
            let name = String(Substring(line[line.index(after: blank)...]))
            return AuthenticationMethod(
                AuthenticationMethod.Name(rawValue: name), at: Instant(microseconds: microseconds),
                provider: kind == UInt8(ascii: "/") ? source : nil,
                factor: kind == UInt8(ascii: "#") ? source.map { FactorID($0) } : nil,
                recipient: kind == UInt8(ascii: "@") ? source : nil)
        }
    }

    private static let nonceLength = 16
    private static let hashLength = 32
    private static let stepLength = nonceLength + hashLength + 8

    /// Nonce (16), parent's hash (32) and time (8, big-endian) of each step, the oldest first.
    static func bytes(_ steps: [RefreshTokenFamily.Step]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(steps.count * stepLength)
        for step in steps {
            guard step.nonce.count == nonceLength, step.parentHash.count == hashLength else {
                throw AuthError(.internalFailure, reason: "a refresh step has a nonce or a hash of the wrong length")
            }
            let time = UInt64(bitPattern: step.at.microseconds)
            bytes += step.nonce
            bytes += step.parentHash
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * $0)) }
        }
        return bytes
    }

    static func steps(_ bytes: [UInt8]) throws -> [RefreshTokenFamily.Step] {
        guard bytes.count.isMultiple(of: stepLength) else { throw StoredRowError(column: 17) }
        return stride(from: 0, to: bytes.count, by: stepLength).map { start in
            let nonce = bytes[start..<(start + nonceLength)]
            let hash = bytes[(start + nonceLength)..<(start + nonceLength + hashLength)]
            let time = bytes[(start + nonceLength + hashLength)..<(start + stepLength)]
            return RefreshTokenFamily.Step(
                nonce: Array(nonce), parentHash: Array(hash),
                at: Instant(microseconds: Int64(bitPattern: time.reduce(0) { $0 << 8 | UInt64($1) })))
        }
    }
}
