// SPDX-License-Identifier: Apache-2.0

import CoreMetrics
import Testing

@testable import ServerKit

/// Lines as the Prometheus text exposition format 0.0.4 has them.
@Suite("Metrics")
struct MetricsTests {
    private let metrics = MetricsRegistry()

    private var lines: [Substring] { metrics.text().split(separator: "\n") }

    @Test("a counter adds up, a gauge keeps its last value, each behind its type")
    func simple() {
        metrics.add("logins")
        metrics.add("logins", by: 2.5)
        metrics.set("queue", to: 7)
        metrics.set("queue", to: 3)
        metrics.move("queue", by: -1, labels: [])
        #expect(
            metrics.text() == """
                # TYPE latchkey_logins counter
                latchkey_logins 3.5
                # TYPE latchkey_queue gauge
                latchkey_queue 2.0

                """)
    }

    @Test("the type is said once a metric, before the first of its series")
    func typeOnce() {
        for user in ["b", "a", "c"] { metrics.add("logins", labels: [("kind", user)]) }
        metrics.observe("wait", seconds: 1, labels: [("kind", "a")])
        metrics.observe("wait", seconds: 1, labels: [("kind", "b")])
        let types = lines.filter { $0.hasPrefix("# TYPE") }
        #expect(types == ["# TYPE latchkey_logins counter", "# TYPE latchkey_wait histogram"])
        #expect(lines.first == types.first)
        #expect(lines.firstIndex(of: "# TYPE latchkey_wait histogram") == 4)
    }

    @Test("what was put in words once is counted where it is counted by its words")
    func places() {
        let place = MetricsRegistry.Place("log ins", labels: [("b", "x\"y"), ("a", "1")])
        metrics.add("log ins", labels: [("a", "1"), ("b", "x\"y")])
        metrics.add(2, at: place)
        for nothing in [0, -1, .nan, .infinity] { metrics.add(nothing, at: place) }
        #expect(lines.contains("latchkey_log_ins{a=\"1\",b=\"x\\\"y\"} 3.0"))

        let wait = MetricsRegistry.Place("wait", labels: [("kind", "a")])
        metrics.observe("wait", seconds: 1, labels: [("kind", "a")])
        metrics.observe(2, at: wait)
        metrics.observe(.nan, at: wait)
        #expect(lines.contains("latchkey_wait_count{kind=\"a\"} 2"))
    }

    @Test("buckets are cumulative, a bound belongs to its bucket, and the last one counts all")
    func buckets() {
        for seconds in [0.0005, 0.001, 0.3, 0.3, 60] { metrics.observe("wait", seconds: seconds) }
        let counts = lines.filter { $0.contains("_bucket") }
            .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(counts == counts.sorted())
        #expect(counts.count == MetricsRegistry.buckets.count + 1)
        #expect(lines.contains("latchkey_wait_bucket{le=\"0.001\"} 2"))
        #expect(lines.contains("latchkey_wait_bucket{le=\"0.25\"} 2"))
        #expect(lines.contains("latchkey_wait_bucket{le=\"0.5\"} 4"))
        #expect(lines.contains("latchkey_wait_bucket{le=\"10.0\"} 4"))
        #expect(lines.contains("latchkey_wait_bucket{le=\"+Inf\"} 5"))
        #expect(lines.contains("latchkey_wait_count 5"))
        #expect(lines.contains { $0.hasPrefix("latchkey_wait_sum 60.6") })
        #expect(MetricsRegistry.buckets == MetricsRegistry.buckets.sorted())
    }

    @Test("a label's value keeps every character, and none ends it")
    func escaping() {
        metrics.add("m", labels: [("v", "a\"b\\c\nd\r\u{E9}{},=")])
        #expect(lines.last == "latchkey_m{v=\"a\\\"b\\\\c\\nd\r\u{E9}{},=\"} 1.0")
        metrics.add("n", labels: [("v", "\"} 1\nforged 2")])
        #expect(!lines.contains { $0.hasPrefix("forged") })
    }

    @Test("names are put into the letters that the format allows")
    func names() {
        metrics.add("http.requests-total é", labels: [("a-b", "1"), ("0x", "2"), ("", "3"), ("\n", "4")])
        #expect(lines.last == "latchkey_http_requests_total___{_=\"4\",_0x=\"2\",a_b=\"1\"} 1.0")
    }

    @Test("the same labels in another order are the same series")
    func order() {
        metrics.add("m", labels: [("a", "1"), ("b", "2")])
        metrics.add("m", labels: [("b", "2"), ("a", "1")])
        #expect(lines == ["# TYPE latchkey_m counter", "latchkey_m{a=\"1\",b=\"2\"} 2.0"])
    }

    @Test("a counter never falls and a sum is never spoiled")
    func notNumbers() {
        for amount in [Double(-1), 0, .nan, .infinity, -.infinity] { metrics.add("m", by: amount) }
        metrics.add("m", by: 1)
        for seconds in [Double.nan, .infinity, -.infinity] { metrics.observe("wait", seconds: seconds) }
        metrics.observe("wait", seconds: 2)
        #expect(lines.contains("latchkey_m 1.0"))
        #expect(lines.contains("latchkey_wait_sum 2.0"))
        #expect(lines.contains("latchkey_wait_count 1"))
    }

    @Test("a gauge says what is not finite in the format's words")
    func infinite() {
        metrics.set("a", to: .infinity)
        metrics.set("b", to: -.infinity)
        metrics.set("c", to: .nan)
        #expect(lines.filter { !$0.hasPrefix("#") } == ["latchkey_a +Inf", "latchkey_b -Inf", "latchkey_c NaN"])
    }

    @Test("a metric stays of the kind it was first used as")
    func kinds() {
        metrics.add("m")
        metrics.set("m", to: 9)
        metrics.observe("m", seconds: 9, labels: [("a", "b")])
        #expect(metrics.text() == "# TYPE latchkey_m counter\nlatchkey_m 1.0\n")
    }

    @Test("R91 a hundred thousand values of a label, and as many names, are counted in bounded memory")
    func bounded() {
        for number in 0..<100_000 { metrics.add("m", labels: [("path", "/\(number)")]) }
        #expect(lines.count == 1 + MetricsRegistry.maximumSeries + 1)
        #expect(lines.contains("latchkey_m{series=\"other\"} 99000.0"))
        for number in 0..<2000 { metrics.add("name\(number)") }
        #expect(lines.count { $0.hasPrefix("# TYPE") } == MetricsRegistry.maximumMetrics)
    }

    @Test("a hundred tasks count every one of their steps")
    func concurrent() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    for _ in 0..<100 {
                        metrics.add("m")
                        metrics.observe("wait", seconds: 0.5)
                    }
                }
            }
        }
        #expect(lines.contains("latchkey_m 10000.0"))
        #expect(lines.contains("latchkey_wait_count 10000"))
    }

    @Test("metrics of libraries become series of the same registry, durations in seconds")
    func factory() {
        metrics.makeCounter(label: "c", dimensions: [("k", "v")]).increment(by: Int64(2))
        metrics.makeTimer(label: "t", dimensions: []).recordNanoseconds(1_500_000_000)
        metrics.makeRecorder(label: "r", dimensions: [], aggregate: false).record(4.0)
        #expect(lines.contains("latchkey_c{k=\"v\"} 2.0"))
        #expect(lines.contains("latchkey_t_sum 1.5"))
        #expect(lines.contains("latchkey_r 4.0"))
    }
}
