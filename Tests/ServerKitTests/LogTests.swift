// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Dispatch
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Testing

@testable import ServerKit

@Suite("Log lines")
struct LogTests {
    private let capture = LogCapture()
    /// Whatever could end a line, end a string or move a cursor.
    private static let hostile =
        (0..<0x20).map { String(UnicodeScalar(UInt8($0))) }.joined()
        + "\r\n{\"level\":\"info\"}\u{7F}\u{85}\u{9B}31m\u{1B}[2J\u{2028}\u{2029}\u{202E}\u{FEFF}\"\\"

    private func parsed() throws -> [JSONObject] {
        try capture.lines.map { try JSONObject(parsing: $0.utf8) }
    }

    @Test("a line is a JSON object with time, level, message, logger and the metadata")
    func shape() throws {
        capture.json().warning("slow", metadata: ["route": "/x", "count": "\(3)", "list": ["a", ["b": "c"]]])
        #expect(
            try parsed() == [
                [
                    "time": "2023-11-14T22:13:20Z", "level": "warning", "message": "slow", "logger": "test",
                    "route": "/x", "count": "3", "list": ["a", ["b": "c"]],
                ]
            ])
    }

    @Test("V16.4.1 no text, name or label forges a JSON line or leaves its string")
    func jsonInjection() throws {
        var logger = Logger(label: Self.hostile) {
            JSONLogHandler(label: $0, level: .trace, writer: capture.writer())
        }
        logger[metadataKey: Self.hostile] = .string(Self.hostile)
        logger.info("\(Self.hostile)", metadata: ["deep": [Self.hostile: [.string(Self.hostile)]]])
        let lines = try parsed()
        #expect(lines.count == 1)
        #expect(lines.first?["level"] == "info")
        #expect(lines.first?["message"]?.stringValue == Self.hostile)
        #expect(lines.first?[Self.hostile]?.stringValue == Self.hostile)
        #expect(capture.text.utf8.count { $0 == 10 } == 1)
    }

    @Test("V16.4.1 metadata can't take the place of the time, the level, the message or the logger")
    func ownNames() throws {
        let forged: Logger.Metadata = ["time": "1970", "level": "trace", "message": "fine", "logger": "other"]
        capture.json().error("real", metadata: forged)
        let line = try #require(try parsed().first)
        #expect(line["message"] == "real")
        #expect(line["level"] == "error")
        #expect(line["message_"] == "fine")
        #expect(line["time_"] == "1970")
    }

    @Test("V16.4.1 no text or name forges a readable line, or reaches the terminal", arguments: [false, true])
    func readableInjection(isTerminal: Bool) {
        let logger = capture.readable(isTerminal: isTerminal)
        logger.info("\(Self.hostile)", metadata: [Self.hostile: .string(Self.hostile), "a": [.string(Self.hostile)]])
        #expect(capture.lines.count == 1)
        let line = capture.text.dropLast()
        #expect(
            line.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: false
                default: true
                }
            })
        #expect(line.hasPrefix("22:13:20 info "))
    }

    @Test(
        "V16.2.5 metadata named like a secret is not written, in any spelling and at any depth",
        arguments: [
            "password", "new_password", "passwordHash", "token", "access_token", "refreshToken", "Refresh-Token",
            "provider_refresh_token", "id.token", "token_hash", "Authorization", "apikey", "X-Api-Key", "cookie",
            "Set-Cookie", "client_secret", "email", "new_email", "userEmail", "phone", "otp", "totp", "code",
            "code_verifier", "link", "private_key", "credentials", "query", "uri",
        ])
    func redaction(name: String) {
        for logger in [capture.json(), capture.readable()] {
            logger.info("m", metadata: [name: "hunter2"])
            logger.info("m", metadata: ["outer": [name: "hunter2"], "list": [["x": [name: ["hunter2"]]]]])
            var own = logger
            own[metadataKey: name] = .stringConvertible("hunter2")
            own.info("m")
        }
        #expect(capture.lines.count == 6)
        #expect(!capture.text.contains("hunter2"))
        #expect(capture.lines.allSatisfy { $0.contains("[redacted]") })
    }

    @Test("other names stay", arguments: ["route", "status", "client", "code_count", "reason"])
    func kept(name: String) {
        capture.json().info("m", metadata: [name: "visible"])
        #expect(capture.text.contains("visible"))
    }

    @Test(
        "R9.16 a name with a secret's in it is one wherever that stands, whatever stands around it and however it is cased",
        arguments: [
            "apikey", "authorization", "codeverifier", "cookie", "credential", "email", "password", "phone",
            "privatekey", "secret", "token",
        ])
    func words(word: String) {
        for name in [
            word, "a" + word, word + "9", "tok" + word, word.dropLast() + word, word.uppercased() + "é", "ß_" + word,
        ] {
            #expect(LogRedaction.isSecret(name), "\(name)")
            #expect(LogRedaction.isSecret(name.map { "\($0)" }.joined(separator: "-.")), "\(name)")
        }
        #expect(!LogRedaction.isSecret(String(word.dropLast())))
        #expect(!LogRedaction.isSecret(String(word.dropFirst())))
    }

    @Test("R9.16 no letter of another script hides the name of a secret")
    func scripts() {
        // The Kelvin sign is a k in lower case.
        #expect(LogRedaction.isSecret("to\u{212A}en"))
        #expect(LogRedaction.isSecret("token\u{301}"))
        #expect(!LogRedaction.isSecret("tøken"))
        #expect(!LogRedaction.isSecret(""))
        #expect(!LogRedaction.isSecret("_"))
    }

    @Test("of an error beside the message only the type is written")
    func errors() throws {
        struct Leak: Error { var text = "hunter2" }
        capture.json().error("failed", error: Leak())
        #expect(try parsed().first?["error"] == "Leak")
        #expect(!capture.text.contains("hunter2"))
    }

    @Test("what is below the level is not written")
    func level() {
        let logger = capture.json(.warning)
        logger.info("quiet")
        #expect(capture.text.isEmpty)
    }

    @Test("lines of a hundred tasks do not mix")
    func concurrent() async throws {
        let logger = capture.json()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { logger.info("line", metadata: ["n": "\(number)"]) } }
        }
        let numbers = try parsed().compactMap { $0["n"]?.stringValue }
        #expect(Set(numbers).count == 100)
    }
}

@Suite("The log's writer")
struct LogWriterTests {
    /// What came out, call for call; the first call lasts until ``go`` is signalled.
    private final class SlowOutput: Sendable {
        let calls = Mutex<[String]>([])
        let entered = DispatchSemaphore(value: 0)
        let go = DispatchSemaphore(value: 0)

        func write(_ lines: [UInt8]) {
            let isFirst = calls.withLock { calls in
                calls.append(String(decoding: lines, as: UTF8.self))
                return calls.count == 1
            }
            guard isFirst else { return }
            entered.signal()
            go.wait()
        }
    }

    @Test("R9.16 lines that come while others are written are written together, whole and in their order")
    func together() {
        let output = SlowOutput()
        let writer = LogWriter(clock: { Instant(seconds: 0) }, isTerminal: false, output: output.write)
        let ended = DispatchGroup()
        func onThread(_ line: String) {
            ended.enter()
            Thread.detachNewThread {
                writer.write(line.utf8, isUrgent: false)
                ended.leave()
            }
        }
        onThread("first")
        output.entered.wait()
        onThread("1")
        while !writer.hasLinesWaiting { sched_yield() }
        // None of these waits for a thread: their lines have a writer.
        for number in 2..<100 { writer.write("\(number)".utf8, isUrgent: false) }
        output.go.signal()
        ended.wait()
        #expect(output.calls.withLock { $0 } == ["first\n", (1..<100).map { "\($0)\n" }.joined()])
    }

    @Test("R9.16 an urgent line is written when the call returns, and no line twice, whatever else is being written")
    func urgent() {
        let written = Mutex("")
        let writer = LogWriter(clock: { Instant(seconds: 0) }, isTerminal: false) { lines in
            written.withLock { $0 += String(decoding: lines, as: UTF8.self) }
        }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<500 {
                let line = "\(thread)-\(number)"
                writer.write(line.utf8, isUrgent: number % 10 == 0)
                if number % 100 == 0 { #expect(written.withLock { ("\n" + $0).contains("\n\(line)\n") }) }
            }
        }
        writer.write("end".utf8, isUrgent: true)
        let lines = written.withLock { $0.split(separator: "\n") }
        #expect(lines.count == 8 * 500 + 1)
        #expect(Set(lines).count == 8 * 500 + 1)
        #expect(lines.last == "end")
    }
}

@Suite("The time of a log line")
struct LogTimeTests {
    @Test("R9.16 each time is written as RFC 3339, section 5.6, has it, whatever was written before")
    func times() {
        var time = LogTime()
        for microseconds: Int64 in [
            0, 1, 999_999, 1_000_000, 1_000_001, 1_700_000_000_000_000, 1_700_000_000_100_000, 1_700_000_000_123_456,
            1_700_000_000_000_010, 1_700_000_059_999_999, 1_700_000_060_000_000, 1_700_000_000_123_456, -1, -1_000_000,
            -1_000_001, 951_782_400_000_000, 253_402_300_799_999_999,
        ] {
            let instant = Instant(microseconds: microseconds)
            var line: [UInt8] = []
            time.append(instant, to: &line)
            #expect(String(decoding: line, as: UTF8.self) == instant.rfc3339)
            line = []
            time.appendTimeOfDay(instant, to: &line)
            #expect(String(decoding: line, as: UTF8.self) == instant.rfc3339.dropFirst(11).prefix(8))
        }
    }
}

@Suite("The access log")
struct AccessLogTests {
    private static let hostile =
        (0..<0x20).map { String(UnicodeScalar(UInt8($0))) }.joined()
        + "\r\n{\"level\":\"info\"}\u{7F}\u{9B}31m\u{2028}\"\\é"

    private static let requests: [RequestLog.Line] = [
        .init(method: "GET", route: "/v1/me", status: 200, client: "203.0.113.0", request: "ab12", microseconds: 91),
        .init(method: "other", route: "none", status: 404, client: "unknown", request: "", microseconds: -1),
        // None of it is a client's text; if it ever is, it stays in its place all the same.
        .init(method: hostile, route: hostile, status: -1, client: hostile, request: hostile, microseconds: .min),
    ]

    @Test("R9.16 a request's line is the one that the handlers write of the same metadata", arguments: requests)
    func sameLine(request: RequestLog.Line) {
        let metadata: Logger.Metadata = [
            "method": .string(request.method), "route": .string(request.route), "status": "\(request.status)",
            "client": .string(request.client), "request": .string(request.request),
            "microseconds": "\(request.microseconds)",
        ]
        for (format, logger) in [
            (RequestLog.Format.json(label: "test"), { $0.json() }), (.readable, { $0.readable() }),
        ] as [(RequestLog.Format, (LogCapture) -> Logger)] {
            let (ours, theirs) = (LogCapture(), LogCapture())
            ours.requests(format).write(request)
            logger(theirs).info("request", metadata: metadata)
            #expect(ours.text == theirs.text)
            #expect(ours.lines.count == 1)
        }
    }

    @Test("R9.16 a request's line is of the level info: it is written from there down, and not made above")
    func level() {
        for level in Logger.Level.allCases {
            let capture = LogCapture()
            let log = capture.requests(level: level)
            var isMade = false
            func line() -> RequestLog.Line {
                isMade = true
                return Self.requests[0]
            }
            log.write(line())
            #expect(capture.text.isEmpty == (level > .info))
            #expect(isMade == (level <= .info))
        }
    }

    @Test("V16.2.5 Y-FR12 neither path, query, headers, body nor client's whole address is in any line, also at trace")
    func secrets() async throws {
        let bench = ServerBench(hops: 1)
        bench.on(.post, "/alpha/v1/verify/{token}") { request, _ in
            _ = try await RequestReading.object(of: request)
            throw AuthError(.oneTimeTokenInvalid)
        }
        let headers: HTTPFields = [
            .authorization: "Bearer s3cret-bearer", .cookie: "session=s3cret-cookie", .contentType: "application/json",
            .forwardedFor: "203.0.113.77", .userAgent: "s3cret-agent", .referer: "https://x.test/?s3cret-referrer",
        ]
        for setup in [TestingSetup.router, .live] {
            try await bench.test(setup) { client in
                for path in ["/alpha/v1/verify/s3cret-path", "/s3cret-unknown", "/alpha//s3cret-odd"] {
                    for method in [HTTPRequest.Method.post, .get] {
                        try await client.execute(
                            uri: path + "?token=s3cret-query&email=ann%40example.com", method: method, headers: headers,
                            body: ByteBuffer(string: #"{"password":"s3cret-body","email":"ann@example.com"}"#))
                    }
                }
            }
        }
        let text = bench.log.text
        #expect(text.contains("\"route\":\"/alpha/v1/verify/{token}\""))
        #expect(!text.contains("s3cret"))
        #expect(!text.contains("example.com"))
        #expect(!text.contains("203.0.113.77"))
        #expect(text.contains("\"client\":\"203.0.113.0\""))
        for line in bench.log.lines { _ = try JSONObject(parsing: line.utf8) }
    }

    @Test("one line a request: method, route, status and request")
    func line() async throws {
        let bench = ServerBench()
        bench.on(.get, "/beta/{id}")
        _ = try await bench.response(.get, "/beta/17?a=b")
        let lines = try bench.log.lines.map { try JSONObject(parsing: $0.utf8) }.filter { $0["message"] == "request" }
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(line["method"] == "GET")
        #expect(line["route"] == "/beta/{id}")
        #expect(line["status"] == "200")
        #expect(line["request"] == "abababababababab")
        #expect(line["client"] == "unknown")
    }

    @Test("R91 a thousand paths and methods of a client's choice make no label of their own")
    func labels() async throws {
        let bench = ServerBench()
        bench.on(.get, "/beta/{id}")
        try await bench.test { client in
            for number in 0..<1000 {
                try await client.execute(uri: "/unknown/\(number)", method: .get)
                try await client.execute(uri: "/beta/\(number)", method: .get)
                if let method = HTTPRequest.Method("M\(number)") {
                    try await client.execute(uri: "/beta/\(number)", method: method)
                }
            }
        }
        let counts = bench.metrics.text().split(separator: "\n").filter { $0.contains("_seconds_count{") }
        #expect(
            Set(counts) == [
                "latchkey_http_request_duration_seconds_count{method=\"GET\",route=\"none\",status=\"4xx\"} 1000",
                "latchkey_http_request_duration_seconds_count{method=\"GET\",route=\"/beta/{id}\",status=\"2xx\"} 1000",
                "latchkey_http_request_duration_seconds_count{method=\"other\",route=\"none\",status=\"4xx\"} 1000",
            ])
    }
}
