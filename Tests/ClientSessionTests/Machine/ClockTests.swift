// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import ClientSession

/// A clock that is wrong, or is set (F11).
struct ClockTests {
    @Test(
        "R13.1 F11 A clock that jumps by years while the app runs begins no refresh and ends no session",
        arguments: [TimeSpan.hours(1), .hours(-1), .days(3650), .days(-3650)])
    func jump(by span: TimeSpan) {
        var bench = MachineBench.signedIn()
        let due = bench.due
        bench.moment.now = bench.moment.now + span
        bench.play(.clockTick)
        #expect(bench.state == "signedIn")
        #expect(bench.due == due)
        bench.play(.tokenWanted(1))
        #expect(bench.names == ["resume with a token"])
    }

    @Test(
        "R13.1 F11 A clock that is always wrong by years is put right by the service's own, over restarts too",
        arguments: [TimeSpan.hours(1), .hours(-1), .days(3650), .days(-3650)])
    func wrong(by span: TimeSpan) {
        var bench = MachineBench()
        let server = bench.moment.now
        bench.moment.now = server + span
        let kept = KeptSession(
            backend: "scripted", family: "f", revision: 1, tokens: MachineBench.grant().tokens,
            user: SessionUser(subject: "ada"), serverDate: server, at: bench.moment)
        bench.pass(.minutes(30))
        bench.play(.start)
        bench.play(.storeRead(bench.readCall, .session(kept, bench.standing())))
        #expect(bench.state == "signedIn")
        #expect(bench.machine.phase.session?.life.end == bench.moment.uptime + .minutes(30))

        var later = MachineBench()
        later.moment = bench.moment
        later.pass(.minutes(40))
        later.play(.start)
        later.play(.storeRead(later.readCall, .session(kept, bench.standing())))
        #expect(later.state == "refreshing")
    }

    @Test(
        "R13.1 F11 A clock that was set between two runs costs one refresh at most, and no timer is behind or far ahead",
        arguments: [TimeSpan.days(3650), .days(-3650)])
    func setBetween(by span: TimeSpan) {
        var bench = MachineBench()
        let kept = bench.kept()
        bench.moment.now = bench.moment.now + span
        bench.play(.start)
        bench.play(.storeRead(bench.readCall, .session(kept, bench.standing())))
        if bench.state == "refreshing" {
            bench.play(.refreshSucceeded(bench.generation, MachineBench.grant(1, nil)))
            bench.play(.written(bench.writeCall))
        }
        #expect(bench.state == "signedIn")
        let left = (bench.due ?? .zero) - bench.moment.uptime
        #expect(left > .minutes(58) && left <= .hours(1))
    }

    @Test(
        "R13.1 F11 Whatever lifetime a service says, timers are ahead, and refreshes seldom",
        arguments: [
            TimeSpan.zero, .seconds(-5), .seconds(1), TimeSpan(microseconds: .min), TimeSpan(microseconds: .max),
        ])
    func lifetimes(_ lifetime: TimeSpan) {
        var bench = MachineBench.signedIn(MachineBench.grant(0, lifetime: lifetime))
        var refreshes = 0
        for _ in 0..<1000 {
            bench.pass(.milliseconds(100))
            bench.play(.clockTick)
            guard bench.state == "refreshing" else { continue }
            refreshes += 1
            bench.play(.refreshSucceeded(bench.generation, MachineBench.grant(1, nil, lifetime: lifetime)))
            bench.play(.written(bench.writeCall))
        }
        #expect(refreshes <= 12)
        for case .schedule(let due) in bench.actions { #expect(due > bench.moment.uptime) }
    }

    @Test("R13.1 Y-FR10 A token is renewed a minute ahead, or a tenth of its life where that is less")
    func margin() {
        #expect(MachineBench.signedIn().due == .seconds(1000 + 3540))
        #expect(MachineBench.signedIn(MachineBench.grant(0, lifetime: .seconds(100))).due == .seconds(1000 + 90))
    }

    @Test("R13.1 A session that nothing renews ends with its token, and no timer rings without end before that")
    func withoutRefreshToken() {
        var grant = MachineBench.grant()
        grant.tokens.refreshToken = nil
        var bench = MachineBench.signedIn(grant)
        var rings = 0
        while bench.state == "signedIn", rings < 100 {
            rings += 1
            bench.moment.uptime = bench.due ?? bench.moment.uptime
            bench.play(.clockTick)
        }
        #expect(bench.state == "signedOut(sessionExpired)")
        #expect(rings == 1)
    }

    @Test(
        """
        R13.1 G-7.3 G-7.6 A session whose time without an answer is over is not opened by a clock that was set back, nor by a \
        service that answers nothing of use; its first answer opens it
        """, arguments: [AuthErrorCode.unavailable, .network, .rateLimited])
    func overTheLimit(code: AuthErrorCode) {
        var bench = MachineBench()
        let kept = bench.kept()
        // Seen 45 days later, and then the clock is set back into the token's hour.
        let standing = bench.standing().seen(bench.moment.now + .days(45))
        bench.pass(.minutes(5))
        bench.play(.start)
        bench.play(.storeRead(bench.readCall, .session(kept, standing)))
        #expect(bench.state == "blocked" && bench.names.contains("confirm"))
        bench.play(.confirmationFailed(bench.generation, AuthError(code)))
        #expect(bench.state == "blocked")
        // Whoever wants a token has the service asked for it.
        bench.play(.tokenWanted(1))
        bench.pass(.hours(1))
        bench.play(.tokenWanted(2))
        #expect(bench.names.contains("beginRefresh") && bench.machine.phase.shownKey.name == "blocked")
        bench.play(.refreshFailed(bench.generation, AuthError(code)))
        #expect(bench.state == "blocked")
        bench.play(.networkChanged(isReachable: true))
        bench.play(.refreshSucceeded(bench.generation, MachineBench.grant(1, nil)))
        bench.play(.written(bench.writeCall))
        #expect(bench.state == "signedIn")
    }

    @Test("R13.1 G-7.4 Every confirmation by the service sends what has waited, after a restart too")
    func flushes() {
        var bench = MachineBench()
        bench.play(.start)
        bench.play(.storeRead(bench.readCall, .session(bench.kept(), bench.standing())))
        bench.play(.confirmed(bench.generation, SessionUser(subject: "ada")))
        #expect(bench.state == "signedIn" && bench.names.contains("flushQueue"))
    }
}
