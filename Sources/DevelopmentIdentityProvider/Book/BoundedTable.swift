// SPDX-License-Identifier: Apache-2.0

/// Values by their names. Where it is full, what came first goes.
struct BoundedTable<Value: Sendable>: Sendable {
    private var values: [String: Value] = [:]
    private var order: [String] = []
    private let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    var all: [Value] { order.compactMap { values[$0] } }

    subscript(name: String) -> Value? { values[name] }

    mutating func put(_ value: Value, as name: String) {
        if values.updateValue(value, forKey: name) == nil {
            order.append(name)
            if order.count > capacity { values[order.removeFirst()] = nil }
        }
    }

    @discardableResult
    mutating func take(_ name: String) -> Value? {
        guard let value = values.removeValue(forKey: name) else { return nil }
        order.removeAll { $0 == name }
        return value
    }

    mutating func removeAll(where isGone: (Value) -> Bool) {
        values = values.filter { !isGone($0.value) }
        order.removeAll { values[$0] == nil }
    }
}
