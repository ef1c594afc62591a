// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import TestSupport
import Testing

@Suite("ConsentGate") struct ConsentGateTests {
    private let store = MemoryStore()
    private let clock = ManualClock()
    private let transport = CountingTransport()
    private let made = Guarded<[String]>([])

    private func gate(_ transport: CountingTransport? = nil, on store: (any SecureStore)? = nil) throws -> ConsentGate {
        let (transport, clock, made) = (transport ?? self.transport, self.clock, self.made)
        let redaction = Redaction(key: Secret([1]), sessionID: "s")
        let dsn = try SentryDSN("https://key@sentry.test/7")
        return ConsentGate(store: store ?? self.store) { _ in
            made.withLock { $0.append("analytics") }
            return BatchingAnalytics(
                endpoint: "https://events.test/", transport: transport, clock: clock, random: SystemRandomSource(),
                redaction: redaction)
        } crashes: { _ in
            made.withLock { $0.append("crashes") }
            return SentryCrashReporter(
                dsn: dsn, transport: transport, clock: clock, random: SystemRandomSource(), redaction: redaction,
                isAllowed: { true })
        }
    }

    /// Lets time pass until so many requests are sent: what is logged is taken up in a task of its own.
    private func untilSent(_ count: Int) async throws {
        try await eventually("\(count) requests are sent") {
            if transport.requests.count >= count { return true }
            clock.advance(by: .seconds(10))
            return false
        }
    }

    private func everything(_ gate: ConsentGate) {
        gate.log(AnalyticsEvent("opened"))
        gate.logAuth(AnalyticsEvent("auth.sign_in"))
        gate.report(AuthError(.internalFailure, reason: "x"), during: "sign_in")
        gate.report(RedactedLink("myapp://auth?code=1"), .invalidRedirect)
    }

    @Test(
        "R13.7 G-11 G-11.1 G-11.2 Without consent nothing is made that could send, and not one octet leaves however much happens"
    )
    func nothing() async throws {
        let gate = try gate()
        await gate.load()
        let service = ScriptedService()
        let following = Task { await AuthEvents.follow(service, into: gate) }
        for _ in 0..<20 {
            everything(gate)
            service.become(.signedIn(.ann))
            service.become(.signedOut(.userSignedOut))
            clock.advance(by: .hours(1))
            await Task.yield()
        }
        following.cancel()
        await following.value
        try await gate.set(PrivacyConsent(telemetry: true, personalizedData: true))
        everything(gate)
        #expect(transport.octets == 0 && made.value.isEmpty && clock.sleeping == 0)
    }

    @Test(
        "G-11.1 G-11.2 G-11.3 G-11.5 With analytics alone events go, and those of signing in only with telemetry; crashes only with theirs"
    )
    func each() async throws {
        let gate = try gate()
        try await gate.set(PrivacyConsent(analytics: true))
        everything(gate)
        try await clock.untilSleeping()
        clock.advance(by: .seconds(10))
        try await transport.untilSent(1)
        var text = String(decoding: transport.requests[0].body, as: UTF8.self)
        #expect(text.contains(#""name":"opened""#) && !text.contains("auth.sign_in") && made.value == ["analytics"])

        try await gate.set(PrivacyConsent(analytics: true, telemetry: true))
        everything(gate)
        clock.advance(by: .seconds(10))
        try await untilSent(2)
        text = String(decoding: transport.requests[1].body, as: UTF8.self)
        #expect(text.contains("auth.sign_in") && made.value == ["analytics"])

        let crashes = CountingTransport()
        let other = try self.gate(crashes, on: MemoryStore())
        try await other.set(PrivacyConsent(crashReporting: true))
        everything(other)
        try await crashes.untilSent(2)
        #expect(crashes.requests.allSatisfy { $0.url == "https://sentry.test/api/7/envelope/" })
        #expect(made.value == ["analytics", "crashes"])
    }

    @Test("G-11.4 R13.7 What is withdrawn stops at once, and what waited to be sent is forgotten")
    func withdrawn() async throws {
        let gate = try gate()
        try await gate.set(PrivacyConsent(analytics: true, crashReporting: true, telemetry: true))
        gate.log(AnalyticsEvent("opened"))
        try await clock.untilSleeping()
        try await gate.set(.none)
        everything(gate)
        for _ in 0..<20 {
            clock.advance(by: .hours(1))
            await Task.yield()
        }
        #expect(transport.octets == 0 && clock.sleeping == 0)
    }

    @Test("R13.7 G-11.2 What waits of signing in goes with the consent to it, though that to analytics stays")
    func telemetryWithdrawn() async throws {
        let gate = try gate()
        try await gate.set(PrivacyConsent(analytics: true, telemetry: true))
        gate.logAuth(AnalyticsEvent("auth.sign_in"))
        try await clock.untilSleeping()
        try await gate.change { $0.telemetry = false }
        gate.logAuth(AnalyticsEvent("auth.sign_out"))
        gate.log(AnalyticsEvent("opened"))
        try await untilSent(1)
        for _ in 0..<20 {
            clock.advance(by: .hours(1))
            await Task.yield()
        }
        let sent = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(sent.contains("opened") && !sent.contains("auth.sign_"))
    }

    @Test("G-11.8 A decision is kept under privacy-consent.v1 and told; what is not readable as one is none")
    func kept() async throws {
        let gate = try gate()
        var decisions = gate.decisions().makeAsyncIterator()
        #expect(await decisions.next() == PrivacyConsent.none)
        let consent = PrivacyConsent(analytics: true, telemetry: true)
        try await gate.set(consent)
        #expect(await decisions.next() == consent)
        #expect(try await store.read(SecureStoreKey(rawValue: "privacy-consent.v1")) != nil)
        let restarted = try self.gate()
        await restarted.load()
        #expect(restarted.consent == consent && made.value.count == 2)

        for text in [
            "", "{", "[]", #"{"version":2,"analytics":true}"#, #"{"analytics":true}"#, #"{"version":1,"analytics":1}"#,
        ] {
            try await store.write(Array(text.utf8), for: .privacyConsent)
            let other = try self.gate()
            await other.load()
            #expect(other.consent == .none, "\(text)")
        }
    }

    @Test("G-11.8 Who listens for decisions does not wait for those of a gate that is gone")
    func over() async throws {
        var decisions = try gate().decisions().makeAsyncIterator()
        #expect(await decisions.next() == PrivacyConsent.none)
        #expect(await decisions.next() == nil)
    }

    @Test("R13.7 G-11.8 A decision that comes before the kept one was read is not undone by it")
    func loadedLate() async throws {
        let gate = try gate()
        try await gate.set(.none)
        try await store.write(
            Array(#"{"version":1,"analytics":true,"crashReporting":true}"#.utf8), for: .privacyConsent)
        await gate.load()
        #expect(gate.consent == .none && made.value.isEmpty)
    }

    @Test("R13.7 A store that takes nothing: what was withdrawn is off all the same, and what was given is not on")
    func fullStore() async throws {
        let store = StubbornStore()
        let gate = try gate(on: store)
        try await gate.set(PrivacyConsent(analytics: true))
        await store.fill()
        await #expect(throws: SecureStoreError.full) { try await gate.set(PrivacyConsent(crashReporting: true)) }
        #expect(gate.consent == .none)
    }

    @Test("F34 R13.7 Signing in, events and withdrawal wait for no telemetry that never answers")
    func silent() async throws {
        let transport = CountingTransport(isSilent: true)
        let gate = try gate(transport)
        try await gate.set(PrivacyConsent(analytics: true, crashReporting: true, telemetry: true))
        gate.report(AuthError(.internalFailure), during: "sign_in")
        try await transport.untilSent(1)
        let service = ScriptedService()
        service.on("signIn", .state(.signedIn(.ann)))
        let following = Task { await AuthEvents.follow(service, into: gate) }
        for _ in 0..<1000 { everything(gate) }
        let state = try await service.signIn(with: .anonymous)
        guard case .signedIn = state else { throw Unexpected(state) }
        try await gate.set(.none)
        #expect(gate.consent == .none)
        following.cancel()
        transport.giveUp()
    }
}

/// Takes what it is given until it is full.
private actor StubbornStore: SecureStore {
    private var isFull = false

    func fill() { isFull = true }
    func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { nil }
    func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) { if isFull { throw .full } }
    func remove(_ key: SecureStoreKey) async throws(SecureStoreError) {}
    func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value { try await body() }
}
