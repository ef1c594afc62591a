// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import Logging
import NIOCore

/// What is said to those for whose passwords there is no place: once the answer to a client is made, it is only sent.
///
/// Which requests are refused is for ``HashingPlaces`` alone to say, so that nobody learns anything of an account by
/// it. Here is decided in which words, and whether a client goes on although it was asked to wait.
public final class EarlyRefusals: Sendable {
    /// How many refusals are borne with: one for each time that a client is asked to wait, and some for several users
    /// of one address.
    static let patience = RateLimitRule(name: "refusals", count: 5, period: .seconds(10))
    /// What each refused client is asked to wait.
    static let wait = TimeSpan.seconds(2)
    struct Answer: Sendable {
        var head: HTTPResponse
        var body: ByteBuffer
        /// How long it is kept back; `nil` for one that is sent at once.
        var delay: TimeSpan?
        var closes = false
        /// Whether the client sends its body only once it is asked for.
        var isAwaited = false
    }

    private struct Form: Hashable {
        var renderer: ObjectIdentifier
        var isImpatient: Bool
        /// As octets: to compare marks as text costs the square of their number.
        var values: [[UInt8]?]
    }

    /// Of a few dialects, languages and versions; more are made anew for each, which costs time and no memory.
    private static let mostForms = 128

    let places: HashingPlaces
    let routes: HashingRoutes
    private let callers: CallerOrigin
    private let isConnectionClients: Bool
    private let refused: RateLimiter
    private let crossOrigin: CrossOrigin
    private let security: SecurityHeaders
    private let clock: @Sendable () -> Instant
    private let metrics: MetricsRegistry
    private let logger: Logger
    private let counted = (
        busy: MetricsRegistry.Place("password_refusals_total", labels: [("answer", "busy")]),
        late: MetricsRegistry.Place("password_refusals_total", labels: [("answer", "late")])
    )
    private let forms = Mutex<[Form: Answer]>([:])
    private let tally = Mutex(RefusalTally())
    private let late = Mutex(LateAnswers())
    private let dates = Mutex(HTTPDate())

    /// - Parameters:
    ///   - places: how many such requests may be under way.
    ///   - routes: of all dialects.
    ///   - callers: whom a request is counted for.
    ///   - isConnectionClients: whether a connection is its client's own, and not a proxy's, which needs it for others.
    public init(
        places: HashingPlaces, routes: [HashingRoute], callers: CallerOrigin, isConnectionClients: Bool,
        crossOrigin: CrossOrigin, security: SecurityHeaders, clock: @escaping @Sendable () -> Instant,
        metrics: MetricsRegistry, logger: Logger
    ) {
        self.places = places
        self.routes = HashingRoutes(routes)
        self.callers = callers
        self.isConnectionClients = isConnectionClients
        self.crossOrigin = crossOrigin
        self.security = security
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
        refused = RateLimiter(capacity: 16_384)
    }

    /// Counts a refusal, and says in which words.
    ///
    /// - Parameter peer: the other end of the connection.
    func answer(to request: HTTPRequest, by route: HashingRoute, peer: ClientAddress) -> Answer {
        let now = clock()
        let (client, origin) = callers.of(request.headerFields, peer: peer, logger: logger)
        var isImpatient = false
        if let origin, case .denied = refused.take(Self.patience, key: origin, now: now) { isImpatient = true }
        note(isImpatient, client, at: now)

        var answer = form(of: request.headerFields, isImpatient, route.renderer)
        crossOrigin.answer(request.headerFields, path: request.pathAlone, in: &answer.head.headerFields)
        answer.head.headerFields.append(HTTPField(name: .date, value: dates.withLock { $0.text(now) }))
        if isImpatient { answer.delay = late.withLock { $0.delay(at: now) } }
        answer.isAwaited = request.headerFields.contains(.expect)
        // Whoever means to end the connection, or asked first whether to send the body, is not kept.
        answer.closes =
            isImpatient && isConnectionClients || answer.isAwaited
            || request.isLast
        return answer
    }

    private func note(_ isImpatient: Bool, _ client: ClientAddress, at now: Instant) {
        metrics.add(at: isImpatient ? counted.late : counted.busy)
        guard let report = tally.withLock({ $0.add(isImpatient: isImpatient, at: now) }) else { return }
        logger.notice(
            "password attempts refused: as many are under way as may be",
            metadata: [
                "refusal": "passwords", "refused": .stringConvertible(report.refused),
                "impatient": .stringConvertible(report.impatient), "client": .string(client.truncated ?? "unknown"),
            ])
    }

    private func form(
        of headers: HTTPFields, _ isImpatient: Bool, _ renderer: any RefusalRenderer
    ) -> Answer {
        let key = Form(
            renderer: ObjectIdentifier(type(of: renderer)), isImpatient: isImpatient,
            values: renderer.fields.map { headers.value($0).map { Array($0.utf8) } })
        if let known = forms.withLock({ $0[key] }) { return known }
        let error =
            isImpatient
            ? AuthError(.rateLimited, retryAfter: Self.wait)
            : AuthError(.overloaded, reason: "too many password attempts are under way", retryAfter: Self.wait)
        var refusal = renderer.refusal(error, to: headers)
        security.add(to: &refusal.headers)
        refusal.headers[.contentLength] = String(refusal.body.count)
        let answer = Answer(
            head: HTTPResponse(status: refusal.status, headerFields: refusal.headers),
            body: ByteBuffer(bytes: refusal.body))
        forms.withLock { forms in
            if forms.count < Self.mostForms { forms[key] = answer }
        }
        return answer
    }
}

/// Sums up refusals, of which there may be thousands a second, for a line every ten seconds: a pure machine.
struct RefusalTally: Sendable {
    struct Report: Equatable {
        var refused = 0
        /// Of them, those to clients that did not wait.
        var impatient = 0
    }

    static let interval = TimeSpan.seconds(10)

    private var report = Report()
    private var toldAt: Instant?

    /// What to tell now: of the first refusal at once.
    mutating func add(isImpatient: Bool, at now: Instant) -> Report? {
        report.refused += 1
        if isImpatient { report.impatient += 1 }
        if let toldAt, now - toldAt < Self.interval, now >= toldAt { return nil }
        defer { report = Report() }
        toldAt = now
        return report
    }
}
