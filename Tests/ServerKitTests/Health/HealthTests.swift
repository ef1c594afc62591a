// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import TestSupport
import Testing

@testable import ServerKit

@Suite("Health")
struct HealthTests {
    private struct Down: Error {
        var text = "connect to 10.0.0.5 with password hunter2"
    }

    /// A lock alone can't be captured.
    private final class Counter: Sendable {
        private let value = Mutex(0)

        var count: Int { value.withLock { $0 } }

        @discardableResult func next() -> Int {
            value.withLock { count in
                count += 1
                return count
            }
        }
    }

    private let readiness = Readiness()

    private func response(
        _ path: String, _ checks: [HealthCheck] = [], method: HTTPRequest.Method = .get
    ) async throws -> TestResponse {
        let bench = ServerBench()
        HealthRoutes(readiness: readiness, checks: checks).add(to: bench.router, routes: bench.routes)
        return try await bench.response(method, path)
    }

    @Test("the process lives in every state, whatever it depends on")
    func live() async throws {
        for state in [Readiness.State.starting, .ready, .degraded("full disk"), .draining] {
            readiness.become(state)
            let response = try await response("/health/live", [HealthCheck("database") { throw Down() }])
            #expect(response.status == .ok)
            #expect(response.object == ["status": "ok"])
        }
    }

    @Test("it is not ready before it says so")
    func starting() async throws {
        let response = try await response("/health/ready")
        #expect(response.status == .serviceUnavailable)
        #expect(response.object == ["status": "starting"])
    }

    @Test("it is ready when it says so and every check passes")
    func ready() async throws {
        readiness.become(.ready)
        let response = try await response("/health/ready", [HealthCheck("database") {}])
        #expect(response.status == .ok)
        #expect(response.object == ["status": "ok"])
    }

    @Test("a failing check is named, and its error is not told")
    func failing() async throws {
        readiness.become(.ready)
        let checks = [HealthCheck("mail") {}, HealthCheck("database") { throw Down() }]
        let response = try await response("/health/ready", checks)
        #expect(response.status == .serviceUnavailable)
        #expect(response.object == ["status": "degraded", "failing": ["database"]])
    }

    @Test("a degraded server says why, and can become ready again")
    func degraded() async throws {
        readiness.become(.degraded("read-only"))
        #expect(try await response("/health/ready").object == ["status": "degraded", "reason": "read-only"])
        readiness.become(.ready)
        #expect(try await response("/health/ready").status == .ok)
    }

    @Test("a server that drains is not ready, and never again")
    func draining() async throws {
        readiness.become(.draining)
        readiness.become(.ready)
        #expect(readiness.state == .draining)
        let response = try await response("/health/ready")
        #expect(response.status == .serviceUnavailable)
        #expect(response.object == ["status": "draining"])
    }

    @Test("HEAD is answered with the same status and no content")
    func head() async throws {
        let notReady = try await response("/health/ready", method: .head)
        #expect(notReady.status == .serviceUnavailable)
        #expect(notReady.text.isEmpty)
        #expect(try await response("/health/live", method: .head).status == .ok)
    }

    @Test("another method is told which ones there are")
    func otherMethod() async throws {
        let response = try await response("/health/live", method: .post)
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == "GET, HEAD")
    }

    @Test("a check that hangs fails after its time, and is not started again while it hangs")
    func hanging() async throws {
        let starts = Counter()
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let check = HealthCheck("database", timeout: .milliseconds(1)) {
            starts.next()
            for await _ in gate { return }
        }
        for _ in 0..<5 { #expect(await !check.passes()) }
        // The first attempt may not have been given its turn yet.
        try await eventually("the check has begun") { starts.count > 0 }
        for _ in 0..<5 { #expect(await !check.passes()) }
        #expect(starts.count == 1)
        opener.finish()
    }

    @Test("a check that recovers passes again")
    func recovers() async {
        let failures = Counter()
        let check = HealthCheck("database", timeout: .minutes(1)) {
            if failures.next() == 1 { throw Down() }
        }
        #expect(await !check.passes())
        #expect(await check.passes())
    }

    @Test("R8.16 however often it is probed, a check runs once in its interval, and its answer stands, good or bad")
    func rate() async {
        let runs = Counter()
        let time = Mutex(Instant(seconds: 1_000))
        let check = HealthCheck(
            "storage", timeout: .minutes(1), atMostEvery: .seconds(5), clock: { time.withLock { $0 } }
        ) {
            if runs.next() == 2 { throw Down() }
        }
        for _ in 0..<50 { #expect(await check.passes()) }
        #expect(runs.count == 1)
        time.withLock { $0 = Instant(seconds: 1_005) }
        for _ in 0..<50 { #expect(await !check.passes()) }
        #expect(runs.count == 2)
        time.withLock { $0 = Instant(seconds: 1_009) }
        #expect(await !check.passes())
        time.withLock { $0 = Instant(seconds: 1_010) }
        #expect(await check.passes())
        #expect(runs.count == 3)
    }

    @Test("R8.16 R8.18 a clock that is set back makes no answer last longer")
    func clockSetBack() async {
        let runs = Counter()
        let time = Mutex(Instant(seconds: 1_000_000))
        let check = HealthCheck(
            "storage", timeout: .minutes(1), atMostEvery: .seconds(5), clock: { time.withLock { $0 } }
        ) {
            if runs.next() == 1 { throw Down() }
        }
        #expect(await !check.passes())
        time.withLock { $0 = Instant(seconds: 1_000) }
        #expect(await check.passes())
    }

    @Test("a server that can't serve yet says that it lives, and everybody else when to come back")
    func notYet() async throws {
        for (path, method, status) in [
            ("/health/live", HTTPRequest.Method.get, HTTPResponse.Status.ok), ("/health/live", .head, .ok),
            ("/alive", .get, .ok), ("/health/ready", .get, .serviceUnavailable),
            ("/alive", .post, .serviceUnavailable),
            ("/anything", .post, .serviceUnavailable), ("/", .get, .serviceUnavailable),
        ] {
            // A connection for each, as the answers ask for.
            let application = StartingEndpoint.application(
                host: "127.0.0.1", port: 0, live: ["/alive"], logger: Logger(label: "test"), onRunning: { _ in })
            try await application.test(.live) { client in
                let response = try await client.execute(uri: path, method: method)
                #expect(response.status == status, "\(method) \(path)")
                #expect(response.headers[.retryAfter] == (status == .ok ? nil : "5"), "\(method) \(path)")
                #expect(response.headers[.connection] == "close", "\(method) \(path)")
            }
        }
    }
}
