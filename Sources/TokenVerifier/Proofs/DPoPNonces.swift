// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// Nonces that a server wants in proofs (RFC 9449, sections 8 and 9), so that none can be made ahead of time. Nothing
/// is kept of one: it is a MAC of the minute that it was given out in, and good for that one and the four after it.
public struct DPoPNonces: Sendable {
    private static let interval: Int64 = 60
    private static let kept: Int64 = 4

    private let key: SymmetricKey

    /// - Parameter key: known to every process of the server, and to nobody else; 32 octets or more.
    public init(key: Secret<[UInt8]>) {
        self.key = SymmetricKey(data: key.reveal())
    }

    /// What the next proof is to have: 22 characters.
    public func current(at now: Instant) -> String { nonce(of: now.seconds / Self.interval) }

    /// Whether the nonce was given out not more than five minutes ago. One of the next minute is of a process whose
    /// clock is ahead.
    public func accepts(_ nonce: String, at now: Instant) -> Bool {
        let minute = now.seconds / Self.interval
        return (minute - Self.kept...minute + 1).contains {
            constantTimeEqual(Array(self.nonce(of: $0).utf8), Array(nonce.utf8))
        }
    }

    private func nonce(of minute: Int64) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array("dpop nonce\u{0}\(minute)".utf8), using: key)
        return Base64URL.encode(Array(code.prefix(16)))
    }
}
