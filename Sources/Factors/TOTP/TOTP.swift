// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// Time-based one-time passwords (RFC 6238): the codes that an authenticator app shows.
///
/// Says which time step a code is of. That a code is good once (section 5.2) is for whoever remembers the steps that
/// were used.
public struct TOTP: Sendable, Equatable {
    public enum Algorithm: String, Sendable, CaseIterable {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
        case sha512 = "SHA512"
    }

    /// Octets of a secret that is drawn: 160 bits, as long as the hash (RFC 4226, section 4, R6).
    public static let secretLength = 20

    public var algorithm: Algorithm
    /// 6 to 8.
    public var digits: Int
    /// Seconds of a time step.
    public var period: Int64

    /// What every authenticator app knows, unless something else is said.
    public init(algorithm: Algorithm = .sha1, digits: Int = 6, period: Int64 = 30) {
        self.algorithm = algorithm
        self.digits = min(max(digits, 6), 8)
        self.period = max(period, 1)
    }

    /// The number of the time step that `now` is in (section 4.2).
    public func step(at now: Instant) -> Int64 {
        let (quotient, remainder) = now.seconds.quotientAndRemainder(dividingBy: period)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// When the time step ends.
    public func end(of step: Int64) -> Instant {
        let (seconds, overflow) = (step &+ 1).multipliedReportingOverflow(by: period)
        return overflow ? Instant(microseconds: .max) : Instant(seconds: seconds)
    }

    /// The code of a time step (RFC 4226, section 5.3).
    public func code(at step: Int64, of secret: Secret<[UInt8]>) -> String {
        code(at: step, by: authenticator(of: secret))
    }

    private func code(at step: Int64, by mac: ([UInt8]) -> [UInt8]) -> String {
        let counter = UInt64(bitPattern: step)
        let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }
        let mac = mac(message)
        let offset = Int((mac.last ?? 0) & 0x0F)
        let bits = mac[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(UInt32(1)) { value, _ in value * 10 }
        let text = String(bits % modulus)
        return String(repeating: "0", count: digits - text.utf8.count) + text
    }

    /// The time step whose code this is; `nil` for a wrong one. Every step that may be is tried, so that the time taken
    /// does not say which it was.
    ///
    /// - Parameters:
    ///   - text: as typed: ASCII digits, and spaces between them.
    ///   - drift: steps before and after the present one that are taken too, for clocks that are not the same
    ///     (RFC 6238, section 6). At most 10.
    public func step(of text: String, secret: Secret<[UInt8]>, at now: Instant, drift: Int64) -> Int64? {
        guard let typed = typed(text) else { return nil }
        let present = step(at: now)
        let drift = min(max(drift, 0), 10)
        let mac = authenticator(of: secret)
        var matching: Int64?
        for step in (present - drift)...(present + drift)
        where constantTimeEqual(Array(code(at: step, by: mac).utf8), typed) {
            matching = step
        }
        return matching
    }

    private func typed(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 2 * digits else { return nil }
        let typed = text.utf8.filter { $0 != UInt8(ascii: " ") }
        let isCode = typed.count == digits && typed.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isCode ? Array(typed) : nil
    }

    /// What makes the codes of messages under a secret: the key is taken in once for all of them, which is most of the
    /// work.
    private func authenticator(of secret: Secret<[UInt8]>) -> ([UInt8]) -> [UInt8] {
        let key = SymmetricKey(data: secret.reveal())
        func keyed<Hash: HashFunction>(by _: Hash.Type) -> ([UInt8]) -> [UInt8] {
            let begun = HMAC<Hash>(key: key)
            return { message in
                var mac = begun
                mac.update(data: message)
                return Array(mac.finalize())
            }
        }
        return switch algorithm {
        // RFC 6238 asks for no more of its hash than HMAC does, and authenticator apps know no other.
        case .sha1: keyed(by: Insecure.SHA1.self)
        case .sha256: keyed(by: SHA256.self)
        case .sha512: keyed(by: SHA512.self)
        }
    }
}
