// SPDX-License-Identifier: Apache-2.0

/// One metric with one combination of labels.
enum MetricSeries: Sendable {
    case counter(Double)
    case gauge(Double)
    case histogram(Histogram)

    struct Histogram: Sendable {
        var counts = [Int](repeating: 0, count: MetricsRegistry.buckets.count)
        var sum = 0.0
        var count = 0

        mutating func observe(_ value: Double) {
            if let bucket = MetricsRegistry.buckets.firstIndex(where: { value <= $0 }) { counts[bucket] += 1 }
            sum += value
            count += 1
        }
    }

    var type: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }

    /// The lines of the exposition format.
    func write(_ name: String, _ labels: String, to lines: inout [String]) {
        func braced(_ more: String = "") -> String {
            let all = [labels, more].filter { !$0.isEmpty }.joined(separator: ",")
            return all.isEmpty ? "" : "{" + all + "}"
        }
        switch self {
        case .counter(let amount), .gauge(let amount): lines.append("\(name)\(braced()) \(Self.text(amount))")
        case .histogram(let histogram):
            var running = 0
            for (bound, number) in zip(MetricsRegistry.buckets, histogram.counts) {
                running += number
                lines.append("\(name)_bucket\(braced("le=\"\(bound)\"")) \(running)")
            }
            lines.append("\(name)_bucket\(braced("le=\"+Inf\"")) \(histogram.count)")
            lines.append("\(name)_sum\(braced()) \(Self.text(histogram.sum))")
            lines.append("\(name)_count\(braced()) \(histogram.count)")
        }
    }

    /// The format's names for what is not finite.
    private static func text(_ value: Double) -> String {
        value.isNaN ? "NaN" : value.isFinite ? value.description : value > 0 ? "+Inf" : "-Inf"
    }
}
