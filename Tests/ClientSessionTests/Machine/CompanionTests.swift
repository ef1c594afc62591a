// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import ClientSession

/// Companions that take longer than anybody waits.
struct CompanionTests {
    private let slow = Unheard(options: SignOutOptions(), subject: "ada", companions: [1])

    /// Ada has signed out, and a companion has not come to an end with it.
    private func unheard() -> MachineBench {
        var bench = MachineBench.signedIn()
        bench.play(.signOutRequested(SignOutOptions()))
        bench.play(.unheard(slow))
        return bench
    }

    /// What is told by then.
    private func told(_ bench: inout MachineBench) -> [Unheard] {
        bench.moment.uptime = bench.due ?? bench.moment.uptime
        bench.play(.clockTick)
        return bench.actions.compactMap { if case .tellAgain(let unheard) = $0 { unheard } else { nil } }
    }

    @Test("R13.1 G-13.3 Who was slow is told again, once at a time, until it is done; then the sign-out is at its end")
    func again() {
        var bench = unheard()
        for _ in 0..<3 {
            #expect(bench.due ?? .zero > bench.moment.uptime)
            let first = told(&bench)
            // They are being told.
            #expect(bench.due == nil)
            let second = told(&bench)
            #expect(first == [slow] && second.isEmpty)
            bench.play(.unheard(slow))
        }
        let last = told(&bench)
        #expect(last == [slow])
        bench.play(.heard(of: "ada"))
        #expect(bench.names == ["endLeaving"] && bench.due == nil)
    }

    @Test("R13.1 G-13.3 Who never comes to an end is told eight times, each time later; then the next process tells it")
    func bounded() {
        var bench = unheard()
        var pauses: [TimeSpan] = []
        while let due = bench.due, pauses.count < 100 {
            pauses.append(due - bench.moment.uptime)
            let told = told(&bench)
            #expect(told == [slow])
            bench.play(.unheard(slow))
        }
        #expect(pauses.count == SessionMachine.mostTellings - 1)
        #expect(pauses == pauses.sorted() && (pauses.last ?? .zero) <= Backoff.longest)
        #expect(!bench.names.contains("endLeaving"))
    }

    @Test("R13.1 G-13.3 Of whoever is back nothing is cleared any more; another user's coming stops nothing")
    func back() {
        for subject in ["ada", "grace"] {
            var bench = unheard()
            bench.play(.signInBegan(2))
            bench.play(.signInSucceeded(2, MachineBench.grant(7, subject), family: "g"))
            // What was under way when they came is too late as well.
            if subject == "ada" { bench.play(.unheard(slow)) }
            bench.play(.written(bench.machine.writing ?? 0))
            #expect(bench.machine.isUnheard("ada") == (subject == "grace"))
            bench.pass(.minutes(10))
            bench.play(.clockTick)
            #expect(bench.names.contains("tellAgain") == (subject == "grace"))
            bench.play(.heard(of: "ada"))
            // The note of the sign-out went with the session that came.
            #expect(bench.names.isEmpty)
        }
    }
}
