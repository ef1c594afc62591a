// SPDX-License-Identifier: Apache-2.0

/// An email address that can name an account: an RFC 5321 mailbox with a dot-atom local part and a DNS domain.
///
/// Two spellings that a mail system could deliver to two people must never become one account, and two that it
/// delivers to one person should. So the address is kept in lower case, and what mail systems disagree on is refused:
/// quoted local parts, comments, address literals, and anything outside ASCII (look-alike letters fold differently
/// from one Unicode library to the next). Plus-tags and dots are kept: only the mailbox's owner knows what they mean.
public struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
    /// Lower case, at most 254 octets (RFC 5321, section 4.5.3.1.3, less the angle brackets).
    public let rawValue: String

    /// Throws ``AuthErrorCode/invalidEmail`` when `text` is not such an address. Blanks around it are ignored.
    public init(_ text: String) throws(AuthError) {
        if Self.isPlain(text) {
            rawValue = text
            return
        }
        // A slice: taken off an array, each blank at its front would move all that follow it.
        var bytes = Array(text.utf8)[...]
        while bytes.last == 32 { bytes.removeLast() }
        while bytes.first == 32 { bytes.removeFirst() }
        guard bytes.count <= 254, let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { throw Self.invalid }
        let local = bytes[..<at]
        let domain = bytes[(at + 1)...]
        guard Self.isDotAtom(local), Self.isDomain(domain) else { throw Self.invalid }
        for index in bytes.indices where (65...90).contains(bytes[index]) { bytes[index] |= 0x20 }
        rawValue = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the text is such an address as it is kept: those that the store gives back are, and are read with each
    /// request.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.count <= 254, let at = bytes.lastIndex(of: UInt8(ascii: "@")) else { return false }
            return !bytes.contains { (65...90).contains($0) } && isDotAtom(bytes[..<at])
                && isDomain(bytes[(at + 1)...])
        } ?? false
    }

    private static var invalid: AuthError { AuthError(.invalidEmail, field: "email") }

    /// The address.
    public var description: String { rawValue }
    /// What stands before the `@`.
    public var localPart: Substring { rawValue.prefix { $0 != "@" } }
    /// What stands behind it.
    public var domain: Substring { rawValue.drop { $0 != "@" }.dropFirst() }

    private static func isDotAtom(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
        guard !bytes.isEmpty, bytes.count <= 64, bytes.first != 46, bytes.last != 46 else { return false }
        var previous: UInt8 = 0
        for byte in bytes {
            let isAtom =
                switch byte {
                case 48...57, 65...90, 97...122, 46: true
                default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
                }
            guard isAtom, !(byte == 46 && previous == 46) else { return false }
            previous = byte
        }
        return true
    }

    private static func isDomain(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count <= 253 else { return false }
        // Label by label in one pass: addresses are read with each request.
        var (labels, length, hasOnlyDigits, previous) = (1, 0, true, UInt8(46))
        for byte in bytes {
            switch byte {
            case 46:
                guard length > 0, previous != 45 else { return false }
                labels += 1
                (length, hasOnlyDigits) = (0, true)
            case 45:
                guard length > 0 else { return false }
                length += 1
                hasOnlyDigits = false
            case 48...57: length += 1
            case 65...90, 97...122:
                length += 1
                hasOnlyDigits = false
            default: return false
            }
            guard length <= 63 else { return false }
            previous = byte
        }
        return labels >= 2 && length > 0 && previous != 45 && !hasOnlyDigits
    }
}
