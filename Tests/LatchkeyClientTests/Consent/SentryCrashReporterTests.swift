// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import Testing

@Suite("SentryCrashReporter") struct SentryCrashReporterTests {
    private let transport = CountingTransport()

    private func reporter(
        isAllowed: Bool = true, beforeSend: @escaping @Sendable (CrashEvent) -> CrashEvent? = { $0 }
    ) throws -> SentryCrashReporter {
        SentryCrashReporter(
            dsn: try SentryDSN("https://abc@o1.sentry.test/base/42"), transport: transport, clock: ManualClock(),
            random: SystemRandomSource(), redaction: Redaction(key: Secret([1]), sessionID: "session"),
            release: "app@1.2",
            isAllowed: { isAllowed }, beforeSend: beforeSend)
    }

    @Test("R13.7 G-15.6 An event is an envelope as Sentry reads it: three lines, the second with the third's length")
    func envelope() async throws {
        try reporter().report(CrashEvent("network", "no way", tags: ["action": "sign_in"], extra: ["attempts": 2]))
        try await transport.untilSent(1)
        let request = transport.requests[0]
        #expect(request.url == "https://o1.sentry.test/base/api/42/envelope/" && request.method == "POST")
        #expect(request.headers.contains(HTTPHeader("Content-Type", "application/x-sentry-envelope")))
        #expect(request.headers.first { $0.name == "X-Sentry-Auth" }?.value.contains("sentry_key=abc") == true)
        let lines = request.body.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 3)
        let (header, item, event) = (
            try JSONObject(parsing: lines[0]), try JSONObject(parsing: lines[1]), try JSONObject(parsing: lines[2])
        )
        #expect(item["type"] == "event" && item["length"] == .integer(Int64(lines[2].count)))
        #expect(header["event_id"] == event["event_id"] && header["event_id"]?.stringValue?.utf8.count == 32)
        #expect(header["sent_at"]?.stringValue?.hasPrefix("2026-") == true)
        #expect(
            event["release"] == "app@1.2" && event["extra"] == ["attempts": 2] && event["tags"] == ["action": "sign_in"]
        )
        #expect(event["exception"] == ["values": [["type": "network", "value": "no way"]]])
    }

    @Test(
        "G-11.5 G-11.7 R13.7 Without consent to reports an event is dropped; what the app's own look adds is redacted after it"
    )
    func beforeSend() async throws {
        try reporter(isAllowed: false).report(CrashEvent("a", "b"))
        try reporter(beforeSend: { _ in nil }).report(CrashEvent("a", "b"))
        try reporter(beforeSend: { event in
            var event = event
            event.extra = ["password": "hunter2!", "note": "ann@a.test from 192.0.2.77"]
            return event
        }).report(CrashEvent("invalid_credentials", "for ann@a.test"))
        try await transport.untilSent(1)
        let text = String(decoding: transport.requests[0].body, as: UTF8.self)
        #expect(transport.requests.count == 1 && text.contains("invalid_credentials"))
        for secret in ["hunter2", "ann@a.test", "192.0.2.77"] { #expect(!text.contains(secret)) }
        #expect(text.contains("[REDACTED]") && text.contains("192.0.2.0"))
    }

    @Test(
        "R13.7 A DSN that does not say where its events go in one way only is refused",
        arguments: [
            "", "https://sentry.test/1", "https://@sentry.test/1", "https://a@sentry.test", "https://a@sentry.test/",
            "https://a@b@sentry.test/1", "http://a@sentry.test/1", "ftp://a@sentry.test/1",
            "https://a@sentry.test/1?x=1",
            "https://a@sentry.test//1", "https://a@sentry.test/1\n", "https://a b@sentry.test/1", "https://a@/1",
        ])
    func names(_ dsn: String) {
        #expect(throws: AuthError(.invalidRequest)) { try SentryDSN(dsn) }
    }

    @Test("A DSN of a server of one's own, with a port and the secret that old ones had")
    func own() throws {
        let dsn = try SentryDSN("http://pub:sec@127.0.0.1:9000/3")
        #expect(dsn.publicKey == "pub" && dsn.envelopeURL == "http://127.0.0.1:9000/api/3/envelope/")
    }
}
