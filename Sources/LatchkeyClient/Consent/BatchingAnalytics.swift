// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Sends events to an address of the app's makers, as JSON:
/// `{"batch": …, "sent_at": …, "dropped": 0, "events": [{"name": …, "at": …, "properties": {…}}]}`. Times are seconds
/// since 1970; `batch` is the same when a batch is sent again.
public final class BatchingAnalytics: AnalyticsClient {
    private struct Item: Sendable {
        var id: String
        var at: Instant
        var event: AnalyticsEvent
    }

    private let queue: TelemetryQueue<Item>
    private let clock: any ClientClock
    private let random: any RandomSource
    private let redaction: Redaction

    /// - Parameters:
    ///   - endpoint: `https`.
    ///   - capacity: events that wait at most; of more the oldest are dropped and counted.
    public init(
        endpoint: String, headers: [HTTPHeader] = [], transport: any HTTPTransport, clock: any ClientClock,
        random: any RandomSource, redaction: Redaction, capacity: Int = 500, batch: Int = 50,
        interval: TimeSpan = .seconds(10)
    ) {
        self.clock = clock
        self.random = random
        self.redaction = redaction
        var limits = TelemetryQueue<Item>.Limits()
        (limits.capacity, limits.batch, limits.interval) = (capacity, batch, interval)
        queue = TelemetryQueue(limits: limits, transport: transport, clock: clock, random: random) { items, dropped in
            let body: JSONObject = [
                "batch": .string(items.first?.id ?? ""), "sent_at": .integer(clock.now.seconds),
                "dropped": .integer(Int64(dropped)),
                "events": .array(
                    items.map { item in
                        [
                            "id": .string(item.id), "name": .string(item.event.name), "at": .integer(item.at.seconds),
                            "properties": .object(item.event.properties),
                        ]
                    }),
            ]
            return HTTPRequest(
                "POST", endpoint, headers: [HTTPHeader("Content-Type", "application/json")] + headers,
                body: body.serialized())
        }
    }

    public func log(_ event: AnalyticsEvent) {
        let event = AnalyticsEvent(redaction.redacting(event.name), redaction.redacting(event.properties))
        queue.add(Item(id: random.uuid(), at: clock.now, event: event))
    }

    public func shutdown() { queue.shutdown() }
}
