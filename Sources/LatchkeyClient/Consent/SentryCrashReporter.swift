// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Sends what went wrong to Sentry, or to what speaks its protocol (Sentry's developer documentation, Envelopes and
/// Event Payloads). One envelope an event.
public final class SentryCrashReporter: CrashReporter {
    private struct Item: Sendable {
        var id: String
        var body: [UInt8]
    }

    private let queue: TelemetryQueue<Item>
    private let clock: any ClientClock
    private let random: any RandomSource
    private let redaction: Redaction
    private let release: String?
    private let environment: String
    private let isAllowed: @Sendable () -> Bool
    private let beforeSend: @Sendable (CrashEvent) -> CrashEvent?

    /// - Parameters:
    ///   - isAllowed: whether the user agrees to reports of crashes, asked for each event (G-11.7).
    ///   - beforeSend: the app's own look at an event: what it returns is redacted and sent, `nil` drops it.
    public init(
        dsn: SentryDSN, transport: any HTTPTransport, clock: any ClientClock, random: any RandomSource,
        redaction: Redaction, release: String? = nil, environment: String = "production", capacity: Int = 30,
        isAllowed: @escaping @Sendable () -> Bool,
        beforeSend: @escaping @Sendable (CrashEvent) -> CrashEvent? = { $0 }
    ) {
        self.clock = clock
        self.random = random
        self.redaction = redaction
        self.release = release
        self.environment = environment
        self.isAllowed = isAllowed
        self.beforeSend = beforeSend
        var limits = TelemetryQueue<Item>.Limits()
        (limits.capacity, limits.batch, limits.interval) = (capacity, 1, .zero)
        queue = TelemetryQueue(limits: limits, transport: transport, clock: clock, random: random) { items, _ in
            let item = items.first ?? Item(id: "", body: [])
            let header: JSONObject = ["event_id": .string(item.id), "sent_at": .string(clock.now.rfc3339)]
            let kind: JSONObject = [
                "type": "event", "content_type": "application/json", "length": .integer(Int64(item.body.count)),
            ]
            let newline = [UInt8(ascii: "\n")]
            return HTTPRequest(
                "POST", dsn.envelopeURL,
                headers: [
                    HTTPHeader("Content-Type", "application/x-sentry-envelope"),
                    HTTPHeader(
                        "X-Sentry-Auth",
                        "Sentry sentry_version=7, sentry_client=latchkey/1.0, sentry_key=\(dsn.publicKey)"),
                ], body: header.serialized() + newline + kind.serialized() + newline + item.body + newline)
        }
    }

    public func report(_ event: CrashEvent) {
        // Asked and redacted now: what waits in the queue is what may be sent.
        guard isAllowed(), let event = beforeSend(event) else { return }
        let id = Hex.encode(random.bytes(16))
        var tags = JSONObject()
        for (name, value) in event.tags.sorted(by: { $0.key < $1.key }) { tags[name] = .string(value) }
        var body: JSONObject = [
            "event_id": .string(id), "timestamp": .integer(clock.now.seconds), "platform": "other",
            "level": .string(event.level.rawValue), "environment": .string(environment),
            "exception": [
                "values": [
                    [
                        "type": .string(redaction.redacting(event.type)),
                        "value": .string(redaction.redacting(event.value)),
                    ]
                ]
            ],
            "tags": .object(redaction.redacting(tags)), "extra": .object(redaction.redacting(event.extra)),
        ]
        if let release { body["release"] = .string(release) }
        let bytes = body.serialized()
        // Sentry takes an event of 1 MiB at most; what explains an error is far shorter.
        guard bytes.count <= 200_000 else { return }
        queue.add(Item(id: id, body: bytes))
    }

    public func shutdown() { queue.shutdown() }
}
