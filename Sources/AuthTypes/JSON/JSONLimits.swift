// SPDX-License-Identifier: Apache-2.0

/// How much a JSON text may ask of its reader (RFC 8259, section 9, lets a parser set such limits).
public struct JSONLimits: Sendable, Hashable {
    /// Arrays and objects within each other; the outermost counts as one. At most 256, which any thread's stack holds.
    public var depth: Int
    /// Elements of any one array, or members of any one object.
    public var members: Int
    /// Bytes of the whole text.
    public var bytes: Int

    /// 64 levels, 250,000 members, 16 MiB.
    public static let `default` = JSONLimits()

    /// What is not said is as in ``default``. Of a depth beyond 256 no more than that is taken.
    public init(depth: Int = 64, members: Int = 250_000, bytes: Int = 16 << 20) {
        self.depth = min(depth, 256)
        self.members = members
        self.bytes = bytes
    }
}
