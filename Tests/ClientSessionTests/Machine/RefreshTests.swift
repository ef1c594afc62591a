// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import ClientSession

struct RefreshTests {
    @Test("R13.1 F10 Back in the network, a service that can't say who the user is confirms the session by a refresh")
    func unconfirmable() {
        var bench = MachineBench.offline()
        bench.play(.networkChanged(isReachable: true))
        #expect(bench.names == ["confirm"])
        bench.play(.confirmationFailed(bench.generation, AuthError(.unsupported)))
        #expect(bench.names == ["beginRefresh"])
        bench.play(.refreshSucceeded(bench.generation, MachineBench.grant(1, nil)))
        bench.play(.written(bench.writeCall))
        #expect(bench.state == "signedIn")
    }

    @Test("R13.1 Y-E5 F4 A thousand callers of an expired token begin one refresh and are released together")
    func oneRefresh() {
        var bench = MachineBench.signedIn()
        bench.pass(.hours(2))
        var begun = 0
        for waiter in 0..<1000 {
            bench.play(.tokenWanted(waiter))
            begun += bench.names.count { $0 == "beginRefresh" }
        }
        #expect(begun == 1)
        bench.play(.refreshSucceeded(bench.generation, MachineBench.grant(1, nil)))
        #expect(bench.resumed.isEmpty)
        bench.play(.written(bench.writeCall))
        let released = bench.actions.compactMap { if case .resume(let waiters, .token) = $0 { waiters } else { nil } }
        #expect(released == [Array(0..<1000)])
    }

    @Test("R13.1 A caller who is cancelled waits no more, and cancels nobody else")
    func cancelled() {
        var bench = MachineBench.signedIn()
        bench.pass(.hours(2))
        for waiter in 0..<3 { bench.play(.tokenWanted(waiter)) }
        bench.play(.waiterLeft(0))
        #expect(bench.names.isEmpty)
        #expect(bench.machine.phase.waiters == [1, 2])
        #expect(bench.state == "refreshing")
    }

    @Test(
        "R13.1 C-11 Y-US2 Y-E4 Each definite refusal of a refresh has a reason of its own",
        arguments: [
            (AuthErrorCode.sessionExpired, SignOutReason.sessionExpired), (.tokenExpired, .sessionExpired),
            (.tokensRevoked, .sessionRevoked), (.refreshTokenReused, .sessionRevoked),
            (.refreshTokenNotFound, .sessionRevoked), (.sessionNotFound, .sessionRevoked),
            (.userBanned, .accountDisabled), (.userNotFound, .accountDeleted),
        ])
    func refusals(code: AuthErrorCode, reason: SignOutReason) {
        var bench = MachineBench.refreshing()
        bench.play(.refreshFailed(bench.generation, AuthError(code)))
        #expect(bench.state == "signedOut(\(reason.rawValue))")
        #expect(bench.names.contains("erase"))
        // What the app keeps for the user stays: only they can say that it goes.
        #expect(!bench.names.contains("clearLocalData"))
    }

    @Test("R13.1 F10 F9 Nothing else ends a session: every other code keeps it")
    func keeps() {
        for code in AuthErrorCode.allKnown + AuthErrorCode.allOfClient where !code.endsSession {
            var bench = MachineBench.refreshing()
            bench.play(.refreshFailed(bench.generation, AuthError(code)))
            #expect(bench.state == "offline(full)", "\(code.rawValue)")
            #expect(bench.machine.phase.session?.user.subject == "ada")
            #expect(bench.due != nil)
        }
    }

    @Test("R13.1 F10 Retry-After is heeded, by callers too, and not for longer than an hour")
    func retryAfter() {
        for (told, waited) in [(TimeSpan.seconds(120), TimeSpan.seconds(120)), (.days(365), .hours(1))] {
            var bench = MachineBench.refreshing()
            bench.play(.refreshFailed(bench.generation, AuthError(.rateLimited, retryAfter: told)))
            #expect(bench.due == bench.moment.uptime + waited)
            bench.pass(waited - .seconds(1))
            bench.play(.tokenWanted(1))
            #expect(bench.names == ["resume with `rate_limited`"])
            bench.pass(.seconds(1))
            bench.play(.clockTick)
            #expect(bench.names.contains("beginRefresh"))
        }
    }

    @Test("R13.1 F10 Retry-After is heeded whatever is heard meanwhile: who the user is, or that the network is back")
    func heededThroughout() {
        var bench = MachineBench.signedIn()
        bench.pass(.minutes(59))
        bench.play(.clockTick)
        #expect(bench.state == "refreshing")
        bench.play(.refreshFailed(bench.generation, AuthError(.rateLimited, retryAfter: .seconds(30))))
        for event in [
            SessionEvent.confirmed(bench.generation, SessionUser(subject: "ada")), .networkChanged(isReachable: true),
            .clockTick,
        ] {
            bench.pass(.seconds(1))
            bench.play(event)
            #expect(bench.state == "signedIn" && !bench.names.contains("beginRefresh"))
        }
        bench.pass(.minutes(2))
        bench.play(.clockTick)
        bench.play(.refreshFailed(bench.generation, AuthError(.rateLimited, retryAfter: .minutes(10))))
        #expect(bench.state == "offline(full)")
        bench.play(.networkChanged(isReachable: true))
        #expect(bench.state == "offline(full)" && bench.due == bench.moment.uptime + .minutes(10))
        bench.pass(.minutes(10))
        bench.play(.networkChanged(isReachable: true))
        #expect(bench.state == "refreshing")
    }

    @Test("R13.1 F9 Offline, it is tried again later each time, within bounds, and never at the same time as elsewhere")
    func backoff() {
        var before = TimeSpan.zero
        for failures in 1...40 {
            let error = AuthError(.network)
            let moment = Moment(now: Instant(seconds: 0), uptime: .zero, dice: 0)
            let low = Backoff(after: error, failures: failures, at: moment).next
            let high = Backoff(
                after: error, failures: failures, at: Moment(now: moment.now, uptime: .zero, dice: 1024)
            ).next
            #expect(low >= before && low < high)
            #expect(high <= Backoff.longest)
            before = low
        }
        #expect(before == Backoff.longest / 2)
    }

    @Test("R13.1 An early refresh that a fault keeps from succeeding leaves the token at hand in use until its end")
    func early() {
        var bench = MachineBench.signedIn()
        bench.pass(.hours(1) - .seconds(50))
        bench.play(.tokenWanted(1))
        #expect(bench.names == ["notify", "beginRefresh", "resume with a token"])
        bench.play(.refreshFailed(bench.generation, AuthError(.unavailable)))
        #expect(bench.state == "signedIn")
        bench.play(.tokenWanted(2))
        #expect(bench.names == ["resume with a token"])
        bench.pass(.seconds(45))
        bench.play(.clockTick)
        #expect(bench.state == "refreshing")
    }

    @Test("R13.1 A 401 for a token that was replaced meanwhile is tried again at once, without a refresh")
    func refusedOlder() {
        var bench = MachineBench.refreshing()
        bench.play(.refreshSucceeded(bench.generation, MachineBench.grant(1, nil)))
        bench.play(.written(bench.writeCall))
        bench.play(.tokenRefused(Secret("access-0"), 1))
        #expect(bench.names == ["resume with a token"])
    }

    @Test(
        """
        R13.1 G-13.3 A token that was refused in one session is never replaced by another's, known by its stamp or by its \
        text, and neither is one of which nobody knows where it is from
        """)
    func refusedOfAnother() {
        for next in [MachineBench.grant(7, "grace"), MachineBench.grant(7)] {
            var bench = MachineBench.signedIn()
            let stamp = bench.machine.stamp
            bench.play(.signInBegan(7))
            bench.play(.signInSucceeded(7, next, family: "g"))
            for written in [false, true] {
                if written { bench.play(.written(bench.machine.writing ?? 0)) }
                for stamp in [stamp, nil] {
                    bench.play(.tokenRefused(Secret("access-0"), 1, stamp))
                    #expect(bench.names == ["resume with `superseded`"])
                }
            }
            bench.play(.tokenRefused(Secret("of nobody"), 1))
            #expect(bench.names == ["resume with `superseded`"])
        }
    }

    @Test("R13.1 C-11 A session without anything that renews it serves to its end, whatever the network does")
    func lastMinute() {
        let grant = SessionGrant(
            tokens: TokenSet(accessToken: Secret("access-0"), lifetime: .hours(1)), user: SessionUser(subject: "ada"),
            serverDate: nil)
        var bench = MachineBench.signedIn(grant)
        bench.pass(.hours(1) - .seconds(50))
        bench.play(.networkChanged(isReachable: true))
        #expect(bench.state == "signedIn")
        bench.play(.networkChanged(isReachable: false))
        bench.play(.networkChanged(isReachable: true))
        #expect(bench.state == "offline(full)" && bench.names.contains("confirm"))
        bench.play(.confirmed(bench.generation, SessionUser(subject: "ada")))
        #expect(bench.state == "signedIn")
        bench.pass(.seconds(45))
        bench.play(.clockTick)
        #expect(bench.state == "signedOut(sessionExpired)")
    }

    @Test("R13.1 A service that refuses every token is not asked for a new one at each request")
    func refusedAlways() {
        var bench = MachineBench.refreshing()
        bench.play(.refreshSucceeded(bench.generation, MachineBench.grant(1, nil)))
        bench.play(.written(bench.writeCall))
        bench.play(.tokenRefused(Secret("access-1"), 1))
        #expect(bench.names == ["resume with `token_invalid`"])
        #expect(bench.state == "signedIn")
        bench.pass(.seconds(31))
        bench.play(.tokenRefused(Secret("access-1"), 1))
        #expect(bench.state == "refreshing")
    }

    @Test("R13.1 Y-E5 A new token that reads as the refused one did, as of one second, is the cure, and once for all")
    func sameText() {
        var bench = MachineBench.refreshing()
        let refused = bench.machine.stamp
        bench.play(.refreshSucceeded(bench.generation, MachineBench.grant(0, nil)))
        bench.play(.written(bench.writeCall))
        #expect(bench.names.contains("resume with a token"))
        // Refused before that, and told later; with and without knowing which one it was.
        for stamp in [refused, nil] {
            bench.play(.tokenRefused(Secret("access-0"), 1, stamp))
            #expect(bench.names == ["resume with a token"])
        }
        // The new one itself: no refresh helps any more.
        bench.play(.tokenRefused(Secret("access-0"), 1, bench.machine.stamp))
        #expect(bench.names == ["resume with `token_invalid`"])
        bench.pass(.seconds(31))
        bench.play(.tokenRefused(Secret("access-0"), 1))
        #expect(bench.names.contains("beginRefresh"))
    }

    @Test("R13.1 F5 Two processes whose tokens are all refused don't renew them in turns")
    func refusedInTurns() {
        var bench = MachineBench.refreshing()
        bench.play(.refreshFoundOther(bench.generation, bench.kept(5, revision: 2), nil))
        bench.play(.tokenRefused(Secret("access-5"), 1))
        #expect(bench.names == ["resume with `token_invalid`"])
    }

    @Test("R13.1 F5 What another process has renewed is taken over, and its sign-out too")
    func otherProcess() {
        var bench = MachineBench.refreshing()
        bench.play(.refreshFoundOther(bench.generation, bench.kept(5, revision: 2), nil))
        #expect(bench.state == "signedIn")
        #expect(bench.names.contains("resume with a token"))
        bench.play(.storeChanged)
        bench.play(.storeRead(bench.readCall, .nothing))
        #expect(bench.state == "signedOut(userSignedOut)")
        #expect(bench.revoked.isEmpty)
    }
}
