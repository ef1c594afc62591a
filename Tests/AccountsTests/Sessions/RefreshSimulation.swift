// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

@testable import Accounts

/// A server, an app with several tabs, the network between them, and perhaps a thief: everything that happens follows
/// from the seed.
///
/// The app obeys the protocol: it keeps an answer before it uses it, and only while the token it asked with is still
/// the one it has; it asks again after at least 1.5 s; the network delivers a call within 8 s or never.
struct RefreshSimulation {
    struct Options {
        var hasThief = false
        /// Whether the server's clock is set back now and then; else it may jump ahead by any amount.
        var setsClockBack = true
        var reuseInterval = TimeSpan.seconds(10)
        var wakes = 10
    }

    /// How often each thing happened, so that a simulation in which nothing happens does not pass for a proof.
    struct Counts {
        var rotated = 0
        var parent = 0
        var raced = 0
        var replays = 0
        var crashes = 0
        var lost = 0
    }

    private enum Event {
        case wake
        case arrival(text: String, epoch: Int?)
        case answer(to: String, text: String, epoch: Int)
        case replay(text: String)
    }

    private struct Appointment {
        var at: Int64
        var sequence: Int
        var event: Event
        var order: (Int64, Int) { (at, sequence) }
    }

    private static let key = Secret([UInt8](repeating: 42, count: 32))
    private static let start = Instant(seconds: 1_800_000_000)

    private let random: SeededRandom
    private let options: Options
    private let rules: RefreshTokenFamily.Rules

    // The server.
    private var family: RefreshTokenFamily
    private var isRevoked = false
    private var offset = TimeSpan.zero
    private var expected: RefreshExpectation
    // The app.
    private var stored: String
    private var epoch = 0
    private var wakesLeft: Int
    // The world: milliseconds since the start.
    private var time: Int64 = 0
    private var sequence = 0
    private var queue: [Appointment] = []

    private(set) var counts = Counts()
    private(set) var violations: [String] = []
    private(set) var trace: [String] = []

    init(seed: UInt64, options: Options) {
        random = SeededRandom(seed: seed)
        self.options = options
        rules = RefreshTokenFamily.Rules(rotates: true, reuseInterval: options.reuseInterval)
        wakesLeft = options.wakes
        let opened = RefreshTokenFamily.open(for: SessionID(random.uuid()), secret: random.bytes(24))
        family = opened.family
        stored = opened.live.encoded(under: Self.key)
        expected = RefreshExpectation(live: stored, rules: rules)
    }

    mutating func run() {
        post(.wake, in: 0)
        while let next = queue.indices.min(by: { queue[$0].order < queue[$1].order }) {
            let (at, event) = (queue[next].at, queue.remove(at: next).event)
            time = at
            handle(event)
        }
        settle()
    }

    private mutating func post(_ event: Event, in delay: Int64) {
        sequence += 1
        queue.append(Appointment(at: time + delay, sequence: sequence, event: event))
    }

    private mutating func handle(_ event: Event) {
        switch event {
        case .wake: wake()
        case .arrival(let text, let epoch): arrive(text, epoch)
        case .answer(let asked, let text, let epoch):
            // An app that crashed meanwhile never sees the answer; one that moved on does not go back.
            if epoch == self.epoch, stored == asked { stored = text }
        case .replay(let text): arrive(text, nil)
        }
    }

    /// One to four tabs ask at once with the token they all see.
    private mutating func wake() {
        jumpClock()
        if random.happens(10) { epoch += 1 }
        for _ in 0..<random.number(in: 1...4) { send() }
        if options.hasThief, random.happens(15) {
            // Stolen now, used soon or late.
            post(.replay(text: stored), in: random.happens(50) ? random.number(in: 0...15_000) : pause())
        }
        wakesLeft -= 1
        if wakesLeft > 0 { post(.wake, in: random.happens(50) ? random.number(in: 1500...5000) : pause()) }
    }

    private func pause() -> Int64 { random.number(in: 5000...7_200_000) }

    private mutating func send() {
        let copies = random.happens(15) ? 2 : 1
        for _ in 0..<copies {
            if random.happens(15) {
                counts.lost += 1
            } else {
                post(.arrival(text: stored, epoch: epoch), in: random.number(in: 0...8000))
            }
        }
    }

    private mutating func jumpClock() {
        if options.setsClockBack {
            // Back as far as one likes, ahead by less than the interval leaves over the network's delay.
            let jump = random.happens(10) ? -random.number(in: 0...3_600_000) : random.number(in: 0...200)
            offset = TimeSpan(microseconds: offset.microseconds + jump * 1000)
        } else if random.happens(10) {
            offset = TimeSpan(microseconds: offset.microseconds + random.number(in: 0...86_400_000) * 1000)
        }
    }

    private var now: Instant { Self.start + .milliseconds(time) + offset }

    /// A call reaches the server, which may crash on either side of its commit, or find that it must run again.
    private mutating func arrive(_ text: String, _ epoch: Int?) {
        guard let token = RefreshToken(text, under: Self.key) else {
            violations.append("\(time): a token that was issued can't be read")
            return
        }
        guard !isRevoked else { return }
        if random.happens(8) {
            var discarded = family
            _ = discarded.present(token, nonce: random.bytes(16), at: now, rules: rules)
            counts.crashes += 1
            if random.happens(50) { return }
        }
        let verdict = family.present(token, nonce: random.bytes(16), at: now, rules: rules)
        let answer = verdict.token?.encoded(under: Self.key)
        count(verdict)
        trace.append("\(time) \(token.generation)>\(answer ?? "replay")")
        let isExact = !options.setsClockBack
        if let complaint = expected.judge(text, token.generation, answer, verdict, at: now, exactly: isExact) {
            violations.append("\(time): \(complaint)")
        }
        guard let answer else {
            isRevoked = true
            if epoch != nil, !options.hasThief { violations.append("\(time): the app was signed out") }
            return
        }
        guard let epoch else {
            // The thief, who was given a token too.
            if random.happens(50) { post(.replay(text: answer), in: pause()) }
            return
        }
        if random.happens(5) {
            counts.crashes += 1
        } else if random.happens(15) {
            counts.lost += 1
        } else {
            post(.answer(to: text, text: answer, epoch: epoch), in: random.number(in: 0...30_000))
        }
    }

    private mutating func count(_ verdict: RefreshTokenFamily.Verdict) {
        switch verdict {
        case .rotated: counts.rotated += 1
        case .repeated(_, .parentOfLive): counts.parent += 1
        case .repeated(_, .reuseInterval): counts.raced += 1
        case .kept: violations.append("\(time): a token was kept")
        case .replayed, .superseded: counts.replays += 1
        }
    }

    /// When all is quiet, days later, what the app has must still open the session.
    private mutating func settle() {
        guard !isRevoked else { return }
        violations += expected.liveTokens(of: family, at: now).map { "at the end: \($0)" }
        guard !options.hasThief else { return }
        time += 30 * 86_400_000
        let token = RefreshToken(stored, under: Self.key)
        guard let token, family.present(token, nonce: random.bytes(16), at: now, rules: rules).token != nil else {
            violations.append("at the end: the app's token is not taken")
            return
        }
    }
}
