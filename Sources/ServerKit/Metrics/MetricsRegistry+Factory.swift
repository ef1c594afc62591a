// SPDX-License-Identifier: Apache-2.0

import CoreMetrics

/// Takes the metrics of libraries that speak to swift-metrics, once `MetricsSystem.bootstrap` was given the registry.
extension MetricsRegistry: MetricsFactory {
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Series(self, label, dimensions)
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        Series(self, label, dimensions)
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        Series(self, label, dimensions)
    }

    /// A recorder that aggregates is a histogram; one that does not keeps the last value.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        Series(self, label, dimensions, aggregates: aggregate)
    }

    /// Durations become a histogram in seconds, whatever unit its user would like to see.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Series(self, label, dimensions, aggregates: true)
    }

    // What was counted stays counted: a series that disappears and comes back looks like a restart.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}
}

/// One metric of a library.
private final class Series: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler {
    private let registry: MetricsRegistry
    private let name: String
    private let labels: MetricsRegistry.Labels
    private let aggregates: Bool

    init(_ registry: MetricsRegistry, _ name: String, _ labels: [(String, String)], aggregates: Bool = false) {
        self.registry = registry
        self.name = name
        self.labels = labels.map { (name: $0.0, value: $0.1) }
        self.aggregates = aggregates
    }

    func increment(by amount: Int64) { registry.add(name, by: Double(amount), labels: labels) }
    func increment(by amount: Double) { registry.add(name, by: amount, labels: labels) }
    /// A counter of a running process does not start again.
    func reset() {}

    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { registry.set(name, to: value, labels: labels) }
    func decrement(by amount: Double) { registry.move(name, by: -amount, labels: labels) }

    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) {
        if aggregates { registry.observe(name, seconds: value, labels: labels) } else { set(value) }
    }
    func recordNanoseconds(_ duration: Int64) {
        registry.observe(name, seconds: Double(duration) / 1_000_000_000, labels: labels)
    }
}
