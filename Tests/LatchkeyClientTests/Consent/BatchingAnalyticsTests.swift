// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import Testing

@testable import LatchkeyClient

@Suite("BatchingAnalytics") struct BatchingAnalyticsTests {
    private let clock = ManualClock()
    private let transport = CountingTransport()

    private func client(capacity: Int = 500, batch: Int = 50) -> BatchingAnalytics {
        BatchingAnalytics(
            endpoint: "https://events.test/v1", headers: [HTTPHeader("X-Key", "k")], transport: transport, clock: clock,
            random: SystemRandomSource(), redaction: Redaction(key: Secret([1]), sessionID: "s"), capacity: capacity,
            batch: batch)
    }

    private func body(_ index: Int) throws -> JSONObject { try JSONObject(parsing: transport.requests[index].body) }
    private func names(_ index: Int) throws -> [String] {
        try body(index)["events"]?.arrayValue?.compactMap { $0.objectValue?["name"]?.stringValue } ?? []
    }

    @Test("R13.7 Events go in batches after a while, in their order, redacted")
    func batches() async throws {
        let client = client(batch: 2)
        for name in ["a", "b", "c"] { client.log(AnalyticsEvent(name, ["email": "ann@a.test", "count": 3])) }
        try await clock.untilSleeping()
        clock.advance(by: .seconds(10))
        try await transport.untilSent(1)
        try await clock.untilSleeping()
        clock.advance(by: .seconds(10))
        try await transport.untilSent(2)
        #expect(try names(0) == ["a", "b"] && names(1) == ["c"])
        #expect(transport.requests[0].headers.contains(HTTPHeader("X-Key", "k")))
        let text = String(decoding: transport.requests[0].body, as: UTF8.self)
        #expect(!text.contains("ann@a.test") && text.contains(#""count":3"#) && text.contains(#""dropped":0"#))
    }

    @Test("R13.7 F34 A queue that is full drops its oldest, and says how many")
    func bounded() async throws {
        let client = client(capacity: 3)
        for name in ["a", "b", "c", "d", "e"] { client.log(AnalyticsEvent(name)) }
        try await clock.untilSleeping()
        clock.advance(by: .seconds(10))
        try await transport.untilSent(1)
        #expect(try names(0) == ["c", "d", "e"] && body(0)["dropped"] == 2)
    }

    @Test("R13.7 What was not taken is sent again, later each time, as the same batch; what was refused is not")
    func again() async throws {
        transport.answer(.success(503), .failure(.offline), .success(200), .success(400), .success(200))
        let client = client()
        client.log(AnalyticsEvent("a"))
        for sent in 1...3 {
            try await clock.untilSleeping()
            clock.advance(by: sent == 1 ? .seconds(10) : .minutes(5))
            try await transport.untilSent(sent)
        }
        #expect(try body(0)["batch"] == body(2)["batch"] && names(2) == ["a"])
        try await clock.untilSleeping()
        client.log(AnalyticsEvent("b"))
        clock.advance(by: .seconds(10))
        try await transport.untilSent(4)
        try await clock.untilSleeping()
        client.log(AnalyticsEvent("c"))
        clock.advance(by: .seconds(10))
        try await transport.untilSent(5)
        #expect(try names(3) == ["b"] && names(4) == ["c"])
    }

    @Test("Waits grow to a limit, are never less than half of it, and never negative")
    func backoff() {
        let backoff = TelemetryBackoff()
        for (failures, whole) in [(1, 1), (2, 2), (5, 16), (9, 256), (10, 300), (1_000_000, 300)] as [(Int, Int64)] {
            for chance in [0, 1, UInt64.max, UInt64.max / 2] {
                let wait = backoff.wait(after: failures, chance: chance)
                #expect(wait >= .milliseconds(whole * 500) && wait <= .seconds(whole), "\(failures)")
            }
        }
        #expect(backoff.wait(after: 0, chance: 0) >= .milliseconds(500))
    }
}
