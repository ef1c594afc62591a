// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counters, gauges and histograms, and their text form for Prometheus (exposition format 0.0.4).
///
/// A metric keeps at most ``maximumSeries`` combinations of labels; what comes after goes into one named `other`, so
/// that no client can make the server remember without end.
public final class MetricsRegistry: Sendable {
    public typealias Labels = [(name: String, value: String)]

    static let maximumSeries = 1000
    static let buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private enum Value {
        case counter(Double)
        case gauge(Double)
        case histogram(counts: [Int], sum: Double, count: Int)
    }

    private let series = Mutex<[String: [String: Value]]>([:])

    public init() {}

    public func add(_ name: String, by amount: Double = 1, labels: Labels = []) {
        change(name, labels) { value in
            if case .counter(let total) = value { .counter(total + amount) } else { .counter(amount) }
        }
    }

    public func set(_ name: String, to amount: Double, labels: Labels = []) {
        change(name, labels) { _ in .gauge(amount) }
    }

    public func observe(_ name: String, seconds: Double, labels: Labels = []) {
        change(name, labels) { value in
            var counts = [Int](repeating: 0, count: Self.buckets.count)
            var sum = 0.0
            var count = 0
            if case .histogram(let known, let knownSum, let knownCount) = value {
                (counts, sum, count) = (known, knownSum, knownCount)
            }
            if let bucket = Self.buckets.firstIndex(where: { seconds <= $0 }) { counts[bucket] += 1 }
            return .histogram(counts: counts, sum: sum + seconds, count: count + 1)
        }
    }

    private func change(_ name: String, _ labels: Labels, _ update: (Value?) -> Value) {
        let key = Self.text(labels)
        series.withLock { series in
            var values = series.removeValue(forKey: name) ?? [:]
            let key = values[key] == nil && values.count >= Self.maximumSeries ? "series=\"other\"" : key
            values[key] = update(values[key])
            series[name] = values
        }
    }

    /// Every metric, in order of its name.
    public func text() -> String {
        let snapshot = series.withLock { $0 }
        var lines: [String] = []
        for (name, values) in snapshot.sorted(by: { $0.key < $1.key }) {
            for (index, (labels, value)) in values.sorted(by: { $0.key < $1.key }).enumerated() {
                if index == 0 { lines.append("# TYPE latchkey_\(name) \(Self.type(of: value))") }
                Self.write(value, "latchkey_" + name, labels, to: &lines)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func type(of value: Value) -> String {
        switch value {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }

    private static func write(_ value: Value, _ name: String, _ labels: String, to lines: inout [String]) {
        func braced(_ more: String = "") -> String {
            let all = [labels, more].filter { !$0.isEmpty }.joined(separator: ",")
            return all.isEmpty ? "" : "{" + all + "}"
        }
        switch value {
        case .counter(let amount), .gauge(let amount): lines.append("\(name)\(braced()) \(amount)")
        case .histogram(let counts, let sum, let count):
            var running = 0
            for (bound, number) in zip(buckets, counts) {
                running += number
                lines.append("\(name)_bucket\(braced("le=\"\(bound)\"")) \(running)")
            }
            lines.append("\(name)_bucket\(braced("le=\"+Inf\"")) \(count)")
            lines.append("\(name)_sum\(braced()) \(sum)")
            lines.append("\(name)_count\(braced()) \(count)")
        }
    }

    private static func text(_ labels: Labels) -> String {
        labels.map { label in
            let value = label.value.map { character in
                switch character {
                case "\\": "\\\\"
                case "\"": "\\\""
                case "\n": "\\n"
                default: String(character)
                }
            }.joined()
            return "\(label.name)=\"\(value)\""
        }.joined(separator: ",")
    }
}
