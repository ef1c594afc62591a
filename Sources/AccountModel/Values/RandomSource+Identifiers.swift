// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension RandomSource {
    /// Random identifiers of things that are made together, in their order: rows that are inserted by it go through an
    /// index from one end to the other, and not to and fro. They have no more in common than any others, or whoever
    /// knows one would know another for real.
    public func identifiers<Tag>(_ count: Int, of _: Tag.Type = Tag.self) -> [Identifier<Tag>] {
        uuids(count).map { Identifier($0) }
    }

    /// Apart, since what is generic sorts several times as slowly.
    private func uuids(_ count: Int) -> [String] {
        let bytes = bytes(16 * count)
        let places = stride(from: 0, to: bytes.count, by: 16)
        return places.map { UUIDText.random(Array(bytes[$0..<($0 + 16)])) }.sorted()
    }

    public func identifier<Tag>(_: Tag.Type = Tag.self) -> Identifier<Tag> { Identifier(uuid()) }
    public func identifier<Tag>(at now: Instant) -> Identifier<Tag> { Identifier(uuid(at: now)) }
}
