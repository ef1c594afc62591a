// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// A secret that a client shows, or computes with.
public struct ClientSecret: Sendable {
    /// A client may have two at once, so that a new one can be brought to all its machines before the old one ends.
    public static let maximum = 2

    public var id: ClientSecretID
    /// SHA-256. A slow hash would add nothing: nobody guesses what has 128 bits or more.
    public var hash: [UInt8]
    /// The secret itself, where request MACs are computed with it; `nil` for one that is only ever shown.
    public var text: Secret<String>?
    public var createdAt: Instant

    /// A secret as the store remembers it.
    public init(id: ClientSecretID, hash: [UInt8], text: Secret<String>?, createdAt: Instant) {
        self.id = id
        self.hash = hash
        self.text = text
        self.createdAt = createdAt
    }

    /// A secret that is kept as it is.
    public init(_ text: Secret<String>, id: ClientSecretID, createdAt: Instant) {
        self.init(id: id, hash: Self.hash(text.reveal()), text: text, createdAt: createdAt)
    }

    func isSame(_ secret: String) -> Bool { constantTimeEqual(Self.hash(secret), hash) }

    private static func hash(_ text: String) -> [UInt8] {
        var (text, hash) = (text, SHA256())
        text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        return hash.finalize().withUnsafeBytes { Array($0) }
    }
}
