// SPDX-License-Identifier: Apache-2.0

/// A table that keeps what was used lately and forgets the rest, in constant time: what is asked for moves into the
/// younger of two halves, and when that is full the older one goes.
package struct RecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]
    private let half: Int

    /// - Parameter most: entries at once; at least half of it are kept, the ones used last.
    package init(most: Int) {
        half = max(1, most / 2)
    }

    package var count: Int { young.count + old.count }
    package var values: [Value] { Array(young.values) + old.values }

    /// Reads or changes the entry of a key, which is used by it.
    ///
    /// - Parameter fresh: the entry of a key that has none.
    package mutating func use<Result>(
        _ key: Key, default fresh: @autoclosure () -> Value, _ body: (inout Value) -> Result
    ) -> Result {
        if young[key] == nil {
            let former = old.removeValue(forKey: key)
            if young.count >= half { (old, young) = (young, [:]) }
            young[key] = former ?? fresh()
        }
        return body(&young[key, default: fresh()])
    }

    /// The entry of a key, which is used by it; `nil` where there is none, and none is made.
    package mutating func value(of key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old[key] else { return nil }
        return use(key, default: value) { $0 }
    }
}
