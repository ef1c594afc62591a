// SPDX-License-Identifier: Apache-2.0

import LatchkeyClient

/// Times of the same thing, in microseconds.
struct Times: Sendable {
    private var all: [Double] = []

    mutating func add(_ duration: Duration) { all.append(duration / .microseconds(1)) }
    mutating func add(_ others: Times) { all += others.all }
    var count: Int { all.count }
    var sum: Double { all.reduce(0, +) }

    var report: JSONObject {
        let sorted = all.sorted()
        func percentile(_ share: Double) -> JSONValue {
            .number(sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))])
        }
        return [
            "least": percentile(0), "p50": percentile(0.5), "p99": percentile(0.99), "p999": percentile(0.999),
            "most": percentile(1), "count": .integer(Int64(sorted.count)),
        ]
    }

    /// Each round's time for one of `batch` calls.
    static func rounds(_ rounds: Int, of batch: Int, _ work: () async throws -> Void) async rethrows -> Times {
        var times = Times()
        for round in -rounds / 10..<rounds {
            let start = ContinuousClock.now
            for _ in 0..<batch { try await work() }
            if round >= 0 { times.add((ContinuousClock.now - start) / batch) }
        }
        return times
    }
}
