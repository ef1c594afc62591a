// SPDX-License-Identifier: Apache-2.0

extension Array where Element: Sendable {
    /// As `map`, where there may be thousands: others' requests come between.
    public func mapGivingWay<Value: Sendable>(_ transform: (Element) -> Value) async -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        for element in self {
            values.append(transform(element))
            if values.count.isMultiple(of: 100) { await Task.yield() }
        }
        return values
    }
}
