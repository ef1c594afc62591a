// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// Where the next page starts, as the client carries it: opaque, and good for one user, one Directory and one filter.
///
/// Its bytes are the version (1), the instant (8), a tag (16) and the activity's identifier. The tag is an HMAC under
/// the Directory's token key over all of it and what it is bound to, so a client can neither make a position up nor use
/// its cursor on another's list.
struct ActivityCursor: Sendable {
    private static let version: UInt8 = 1
    private static let tagLength = 16
    private static let header = 1 + 8
    /// Of the text: an identifier of 64 bytes still fits.
    private static let maximumLength = 160

    let position: ActivityPosition

    init(_ position: ActivityPosition) {
        self.position = position
    }

    func encoded(user: UserID, filter: ActivityFilter, directory: Directory) -> String {
        let time = Self.bytes(position.at.microseconds)
        let identifier = Array(position.id.rawValue.utf8)
        let tag = Self.tag(time, identifier, user, filter, directory)
        return Base64URL.encode([Self.version] + time + tag + identifier)
    }

    /// - Throws: `AuthErrorCode.invalidRequest` with the field `cursor` unless it was made for exactly this list.
    init(_ text: String, user: UserID, filter: ActivityFilter, directory: Directory) throws(AuthError) {
        let invalid = AuthError(.invalidRequest, reason: "not a cursor of this list", field: "cursor")
        guard text.utf8.count <= Self.maximumLength, let bytes = Base64URL.decode(text),
            bytes.count > Self.header + Self.tagLength, bytes.first == Self.version,
            Base64URL.encode(bytes) == text
        else { throw invalid }
        let time = Array(bytes[1..<Self.header])
        let tag = Array(bytes[Self.header..<(Self.header + Self.tagLength)])
        let identifier = Array(bytes[(Self.header + Self.tagLength)...])
        guard constantTimeEqual(tag, Self.tag(time, identifier, user, filter, directory)) else { throw invalid }
        let microseconds = time.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        position = ActivityPosition(
            at: Instant(microseconds: Int64(bitPattern: microseconds)),
            id: ActivityID(String(decoding: identifier, as: UTF8.self)))
    }

    private static func tag(
        _ time: [UInt8], _ identifier: [UInt8], _ user: UserID, _ filter: ActivityFilter, _ directory: Directory
    ) -> [UInt8] {
        // Each part is preceded by its length, so that no two lists spell the same bytes.
        let parts: [[UInt8]?] = [
            Array(directory.id.rawValue.utf8), Array(user.rawValue.utf8), filter.type.map { Array($0.utf8) },
            filter.from.map { bytes($0.microseconds) }, filter.until.map { bytes($0.microseconds) }, time, identifier,
        ]
        var message = Array("activities".utf8)
        for part in parts {
            message += bytes(part.map { Int64($0.count) } ?? -1)
            message += part ?? []
        }
        let key = SymmetricKey(data: directory.tokenKey.reveal())
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: key).prefix(tagLength))
    }

    private static func bytes(_ value: Int64) -> [UInt8] {
        let value = UInt64(bitPattern: value)
        return (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
    }
}
