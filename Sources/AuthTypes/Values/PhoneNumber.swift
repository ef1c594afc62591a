// SPDX-License-Identifier: Apache-2.0

/// A telephone number in the international form of ITU-T E.164: a country code and subscriber number, at most
/// 15 digits, the first of them not zero.
public struct PhoneNumber: Sendable, Hashable, CustomStringConvertible {
    /// The digits alone, without the plus sign.
    public let digits: String

    /// Reads the number with or without its leading `+`; blanks between the digits are ignored.
    /// Throws ``AuthErrorCode/invalidPhone`` otherwise.
    public init(_ text: String) throws(AuthError) {
        var bytes = text.utf8.filter { $0 != 32 }
        if bytes.first == UInt8(ascii: "+") { bytes.removeFirst() }
        guard (7...15).contains(bytes.count), bytes.allSatisfy({ (48...57).contains($0) }), bytes.first != 48 else {
            throw AuthError(.invalidPhone, field: "phone")
        }
        digits = String(decoding: bytes, as: UTF8.self)
    }

    /// With its leading plus sign.
    public var e164: String { "+" + digits }
    /// As ``e164``.
    public var description: String { e164 }
}
