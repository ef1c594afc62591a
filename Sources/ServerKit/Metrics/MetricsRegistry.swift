// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Counters, gauges and histograms, and their text form for Prometheus (exposition format 0.0.4).
///
/// A metric keeps at most ``maximumSeries`` combinations of labels; what comes after goes into one named `other`, so
/// that no client can make the server remember without end. A metric stays of the kind it was first used as.
public final class MetricsRegistry: Sendable {
    public typealias Labels = [(name: String, value: String)]

    static let maximumSeries = 1000
    static let maximumMetrics = 500
    static let buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
    private static let overflow = "series=\"other\""

    private let metrics = Mutex<[String: [String: MetricSeries]]>([:])

    public init() {}

    /// A metric and a combination of its labels, in the words of the page: what is counted with each request is put in
    /// words once.
    struct Place: Sendable {
        fileprivate let name: String
        fileprivate let labels: String

        init(_ name: String, labels: Labels = []) {
            self.name = MetricsRegistry.name(name)
            self.labels = MetricsRegistry.text(labels)
        }
    }

    /// Adds to a counter. A counter never falls: an amount that isn't positive is left out.
    public func add(_ name: String, by amount: Double = 1, labels: Labels = []) {
        add(amount, at: Place(name, labels: labels))
    }

    /// As ``add(_:by:labels:)``.
    func add(_ amount: Double = 1, at place: Place) {
        guard amount > 0, amount.isFinite else { return }
        change(place, from: .counter(0)) { series in
            if case .counter(let total) = series { series = .counter(total + amount) }
        }
    }

    public func set(_ name: String, to amount: Double, labels: Labels = []) {
        change(Place(name, labels: labels), from: .gauge(0)) { series in
            if case .gauge = series { series = .gauge(amount) }
        }
    }

    /// Moves a gauge up or down.
    func move(_ name: String, by amount: Double, labels: Labels) {
        change(Place(name, labels: labels), from: .gauge(0)) { series in
            if case .gauge(let value) = series { series = .gauge(value + amount) }
        }
    }

    /// Counts a duration in a histogram. One that is not a number would spoil its sum for good, and is left out.
    public func observe(_ name: String, seconds: Double, labels: Labels = []) {
        observe(seconds, at: Place(name, labels: labels))
    }

    /// As ``observe(_:seconds:labels:)``.
    func observe(_ seconds: Double, at place: Place) {
        guard seconds.isFinite else { return }
        change(place, from: .histogram(.init())) { series in
            guard case .histogram(var histogram) = series else { return }
            // Its buckets are not to be shared while they are counted in.
            series = .gauge(0)
            histogram.observe(seconds)
            series = .histogram(histogram)
        }
    }

    private func change(_ place: Place, from first: MetricSeries, _ update: (inout MetricSeries) -> Void) {
        metrics.withLock { metrics in
            guard let key = Self.key(place.labels, of: first.type, in: metrics[place.name], among: metrics.count) else {
                return
            }
            update(&metrics[place.name, default: [:]][key, default: first])
        }
    }

    /// Under which labels a change is counted, and `nil` where it is not. Apart from the change, so that no second
    /// reference makes the change copy the whole metric.
    private static func key(
        _ labels: String, of type: String, in known: [String: MetricSeries]?, among metrics: Int
    ) -> String? {
        guard let known else { return metrics < maximumMetrics ? labels : nil }
        // Another kind under the same name would make the whole page unreadable.
        if let sample = known.values.first, sample.type != type { return nil }
        return known[labels] == nil && known.count >= maximumSeries ? overflow : labels
    }

    /// Every metric, in order of its name.
    public func text() -> String {
        let snapshot = metrics.withLock { $0 }
        var lines: [String] = []
        for (name, series) in snapshot.sorted(by: { $0.key < $1.key }) {
            for (index, (labels, value)) in series.sorted(by: { $0.key < $1.key }).enumerated() {
                if index == 0 { lines.append("# TYPE \(name) \(value.type)") }
                value.write(name, labels, to: &lines)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// In the letters that the format allows, with the program's name before it.
    private static func name(_ text: String) -> String { "latchkey_" + identifier(text) }

    private static func identifier(_ text: String) -> String {
        // Ours are; this is asked with each request.
        if text.utf8.allSatisfy(isAllowed) { return text }
        return String(decoding: text.utf8.map { isAllowed($0) ? $0 : 95 }, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
    }

    /// A name of a label does not begin with a digit.
    private static func labelName(_ text: String) -> String {
        let name = identifier(text)
        return name.utf8.first.map { (48...57).contains($0) } ?? true ? "_" + name : name
    }

    /// In order of their names, and each name once: the same labels in another order are the same series.
    private static func text(_ labels: Labels) -> String {
        var distinct: [(name: String, value: String)] = []
        distinct.reserveCapacity(labels.count)
        for label in labels {
            let name = labelName(label.name)
            // A few at most: looked through sooner than hashed.
            if let place = distinct.firstIndex(where: { $0.name == name }) {
                distinct[place].value = label.value
            } else {
                distinct.append((name, label.value))
            }
        }
        if !zip(distinct, distinct.dropFirst()).allSatisfy({ $0.name < $1.name }) {
            distinct.sort { $0.name < $1.name }
        }
        var text = ""
        text.reserveCapacity(128)
        for label in distinct {
            if !text.isEmpty { text += "," }
            text += label.name
            text += "=\""
            text += escaped(label.value)
            text += "\""
        }
        return text
    }

    private static func escaped(_ value: String) -> String {
        let isPlain = value.utf8.allSatisfy {
            $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\n")
        }
        if isPlain { return value }
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
