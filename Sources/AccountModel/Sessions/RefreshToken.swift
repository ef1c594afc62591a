// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// A refresh token: opaque to the client, and only its hash is kept.
///
/// Its bytes are the version (1), the session (16), the generation (4), the secret (24, of which the server stores the
/// SHA-256), and a tag (12): an HMAC under the Directory's token key over all before it. The tag proves that this
/// server made the token, so that nobody can end a stranger's session by presenting an invented "old" token of it; and
/// it names the dialect, so that the token of one is none in another.
public struct RefreshToken: Sendable {
    public let session: SessionID
    public let generation: UInt32
    let secret: [UInt8]

    package static let secretLength = 24
    private static let version: UInt8 = 1
    private static let tagLength = 12
    private static let length = 1 + 16 + 4 + secretLength + tagLength

    init(session: SessionID, generation: UInt32, secret: [UInt8]) {
        self.session = session
        self.generation = generation
        self.secret = secret
    }

    /// SHA-256 of the secret, bound to its place: what the store keeps.
    var hash: [UInt8] {
        var hasher = SHA256()
        hasher.update(data: Self.header(session, generation) ?? [])
        hasher.update(data: secret)
        return Array(hasher.finalize())
    }

    /// The text given to the client: BASE64URL of the bytes, 76 characters.
    ///
    /// - Parameter dialect: whose clients it is for.
    public func encoded(under tokenKey: Secret<[UInt8]>, for dialect: DialectName? = nil) -> String {
        let body = (Self.header(session, generation) ?? []) + secret
        return Base64URL.encode(body + Self.tag(of: body, dialect, under: tokenKey))
    }

    /// As ``encoded(under:for:)``, by the Directory's key.
    package func encoded(in directory: Directory, for dialect: DialectName? = nil) -> String {
        let body = (Self.header(session, generation) ?? []) + secret
        let code = directory.authenticationCode(of: Self.tagged(body, dialect))
        return Base64URL.encode(body + code.prefix(Self.tagLength))
    }

    /// Reads a client's text. `nil` unless this Directory made it for this dialect, byte for byte.
    public init?(_ text: String, under tokenKey: Secret<[UInt8]>, for dialect: DialectName? = nil) {
        self.init(text) { Self.tag(of: $0, dialect, under: tokenKey) }
    }

    /// As ``init(_:under:for:)``, by the Directory's key.
    package init?(_ text: String, in directory: Directory, for dialect: DialectName? = nil) {
        self.init(text) {
            Array(directory.authenticationCode(of: Self.tagged($0, dialect)).prefix(Self.tagLength))
        }
    }

    /// - Parameter tag: that a body must have.
    private init?(_ text: String, tag: ([UInt8]) -> [UInt8]) {
        guard text.utf8.count == (Self.length * 4 + 2) / 3, let bytes = Base64URL.decode(text),
            bytes.count == Self.length, bytes[0] == Self.version
        else { return nil }
        let body = Array(bytes[..<(Self.length - Self.tagLength)])
        guard constantTimeEqual(tag(body), Array(bytes[(Self.length - Self.tagLength)...])) else { return nil }
        session = SessionID(UUIDText.encode(body[1..<17]))
        generation = body[17..<21].reduce(0) { $0 << 8 | UInt32($1) }
        secret = Array(body[21...])
    }

    /// The 21 bytes before the secret; `nil` for a session whose identifier is no UUID, which this server makes none
    /// of.
    private static func header(_ session: SessionID, _ generation: UInt32) -> [UInt8]? {
        guard let identifier = UUIDText.decode(session.rawValue) else { return nil }
        return [version] + identifier + (0..<4).map { UInt8(truncatingIfNeeded: generation >> (24 - 8 * $0)) }
    }

    private static func tag(of body: [UInt8], _ dialect: DialectName?, under tokenKey: Secret<[UInt8]>) -> [UInt8] {
        let key = SymmetricKey(data: tokenKey.reveal())
        return Array(HMAC<SHA256>.authenticationCode(for: tagged(body, dialect), using: key).prefix(tagLength))
    }

    /// What the tag is of. The body has one length, so that no dialect's name runs into it.
    private static func tagged(_ body: [UInt8], _ dialect: DialectName?) -> [UInt8] {
        Array("refresh".utf8) + Array((dialect?.rawValue ?? "").utf8) + body
    }
}

extension RefreshToken: CustomStringConvertible, CustomReflectable {
    public var description: String { "[redacted]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
