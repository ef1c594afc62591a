// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import ClientSession

struct StoreFaultTests {
    @Test("R13.1 F8 A store that can't be read signs nobody out, deletes nothing, and is read again after unlocking")
    func locked() {
        for error in [SecureStoreError.locked, .unavailable(reason: "permissions")] {
            var bench = MachineBench.restoring()
            bench.play(.tokenWanted(1))
            bench.play(.storeRead(bench.machine.reading ?? 0, .unreadable(error)))
            #expect(bench.state == "storeLocked")
            #expect(bench.names == ["notify", "resume with `store_unavailable`"])
            #expect(bench.due != nil)
            bench.play(.storeUnlocked)
            bench.play(.storeRead(bench.readCall, .session(bench.kept(), bench.standing())))
            #expect(bench.state == "signedIn")
        }
    }

    @Test("R13.1 Y-E3 F7 What was corrupted is signed out with a reason of its own")
    func corrupted() {
        var bench = MachineBench.restoring()
        bench.play(.storeRead(bench.readCall, .corrupted))
        #expect(bench.state == "signedOut(storeCorrupted)")
    }

    @Test("R13.1 A session that can't be written lives in memory, is written again, and somebody is told")
    func unwritten() {
        var bench = MachineBench.storing()
        bench.play(.writeFailed(bench.writeCall, .full))
        #expect(bench.state == "signedIn")
        #expect(bench.names.prefix(3) == ["claimLocalData", "notify", "report"])
        #expect(bench.finished == [nil])
        for _ in 0..<3 {
            bench.moment.uptime = bench.due ?? .zero
            bench.play(.clockTick)
            #expect(bench.written.map(\.tokens).map { $0.accessToken.reveal() } == ["access-0"])
            bench.play(.writeFailed(bench.writeCall, .full))
            #expect(bench.names == ["report"])
        }
        // Another process's empty store is no sign-out of what never came into it.
        bench.play(.storeChanged)
        bench.play(.storeRead(bench.readCall, .nothing))
        #expect(bench.state == "signedIn")
        bench.play(.storeUnlocked)
        bench.play(.written(bench.writeCall))
        #expect(bench.due == bench.machine.phase.session?.life.renewal)
    }

    @Test("R13.1 A store that never answers holds up nobody for longer than ten seconds")
    func silent() {
        var bench = MachineBench.storing()
        bench.play(.tokenWanted(1))
        #expect(bench.names.isEmpty)
        bench.moment.uptime = bench.due ?? .zero
        bench.play(.clockTick)
        #expect(bench.state == "signedIn")
        #expect(bench.moment.uptime == .seconds(1010))
        #expect(bench.names.contains("resume with a token"))
    }

    @Test("R13.1 F8 A store that does not answer is locked for who waits, and its late answer counts")
    func silentReading() {
        var bench = MachineBench.restoring()
        let call = bench.readCall
        bench.play(.tokenWanted(1))
        #expect(bench.due == bench.moment.uptime + .seconds(10))
        bench.pass(.seconds(10))
        bench.play(.clockTick)
        #expect(bench.state == "storeLocked")
        #expect(bench.names == ["notify", "resume with `store_unavailable`"])
        // Nobody asks once more what is being asked, and nobody else waits.
        #expect(bench.due == nil)
        bench.play(.tokenWanted(2))
        #expect(bench.names == ["resume with `store_unavailable`"])
        bench.play(.storeRead(call, .session(bench.kept(), bench.standing())))
        #expect(bench.state == "signedIn")
    }

    @Test("R13.1 G-5.6 A session that can't be erased is erased later; not if somebody has signed in since")
    func unerased() {
        var bench = MachineBench.signedIn()
        bench.play(.signOutRequested(SignOutOptions()))
        bench.play(.eraseFailed(family: "f", .locked))
        #expect(bench.names == ["report"])
        bench.moment.uptime = bench.due ?? .zero
        bench.play(.clockTick)
        #expect(bench.names == ["erase", "guardStore"])
        bench.play(.erased(found: nil))
        #expect(bench.names == ["endLeaving"])
        #expect(bench.due == nil)
        bench.play(.signInBegan(2))
        bench.play(.signInSucceeded(2, MachineBench.grant(2), family: "g"))
        bench.play(.eraseFailed(family: nil, .locked))
        #expect(bench.names.isEmpty)
    }

    @Test("R13.1 F8 G-5.6 Who signs out while the store can't be read is not signed in by what is read afterwards")
    func unseen() {
        var bench = MachineBench.storeLocked()
        bench.play(.signOutRequested(SignOutOptions()))
        bench.play(.eraseFailed(family: nil, .locked))
        bench.play(.storeChanged)
        bench.play(.storeRead(bench.readCall, .session(bench.kept(), bench.standing())))
        #expect(bench.state == "signedOut(userSignedOut)")
        #expect(bench.names == ["erase"])
    }

    @Test(
        "R13.1 F5 What a sign-in overwrote, without having known of it, does not come back by another process's refresh"
    )
    func overwritten() {
        var bench = MachineBench.signedIn()
        bench.machine.note(overwritten: bench.kept(4, "grace", family: "unknown"))
        bench.play(.storeChanged)
        #expect(bench.revoked == ["access-4"])
        bench.play(
            .storeRead(
                bench.readCall,
                .session(bench.kept(5, "grace", family: "unknown", revision: 2), bench.standing("grace"))))
        #expect(bench.written.map(\.family) == ["f"])
        #expect(bench.machine.phase.session?.user.subject == "ada")
    }

    @Test("R13.1 F5 A session that is written late does not take another process's newer one for an older one")
    func writtenLate() {
        var bench = MachineBench.storing()
        #expect(bench.machine.isSignIn(bench.writeCall))
        bench.play(.writeFailed(bench.writeCall, .locked))
        bench.play(.storeUnlocked)
        #expect(bench.written.map(\.family) == ["f"])
        #expect(!bench.machine.isSignIn(bench.writeCall))
    }

    @Test("R13.1 Nobody is told of new tokens before the store has them")
    func order() {
        var bench = MachineBench.storing()
        #expect(!bench.names.contains("notify"))
        #expect(bench.machine.phase.shownKey.name == "signedOut")
        bench.play(.written(bench.writeCall))
        #expect(bench.names == ["claimLocalData", "notify", "keepStanding", "finish the sign-in", "flushQueue"])
    }

    @Test("R13.1 A session of another backend is not continued by this one, and not deleted")
    func otherBackend() {
        var bench = MachineBench.restoring()
        bench.play(.storeRead(bench.readCall, .session(bench.kept(backend: "other"), nil)))
        #expect(bench.state == "signedOut(neverSignedIn)")
        #expect(bench.names == ["notify"])
    }

    @Test("R13.1 Another process that writes an ended session once more has it removed, or replaced by the present one")
    func ghost() {
        var bench = MachineBench.signedOut()
        bench.play(.storeHoldsEnded(family: "f"))
        #expect(bench.names == ["erase"])
        bench = .signedIn()
        bench.play(.storeHoldsEnded(family: "gone"))
        #expect(bench.written.map(\.family) == ["f"])
    }

    @Test("R13.1 G-7.1 G-7.2 G-7.3 Offline is full, then read-only, then blocked; a token that lives is no way around")
    func offline() {
        let grant = MachineBench.grant(0, lifetime: .days(90))
        var bench = MachineBench.signedIn(grant)
        bench.play(.networkChanged(isReachable: false))
        #expect(bench.state == "offline(full)")
        bench.play(.tokenWanted(1))
        #expect(bench.names == ["resume with a token"])
        bench.pass(.days(8))
        bench.play(.clockTick)
        #expect(bench.state == "offline(readOnly)")
        bench.pass(.days(23))
        bench.play(.clockTick)
        #expect(bench.state == "blocked")
        bench.play(.tokenWanted(1))
        #expect(bench.resumed.count { if case .token = $0 { true } else { false } } == 0)
    }

    @Test("R13.1 G-7.4 The network is back: the session is validated, and what has waited is sent")
    func back() {
        var bench = MachineBench.offline()
        bench.play(.networkChanged(isReachable: true))
        #expect(bench.names == ["confirm"])
        bench.play(.confirmed(bench.generation, SessionUser(subject: "ada")))
        #expect(bench.state == "signedIn")
        #expect(bench.names == ["notify", "keepStanding", "flushQueue"])
    }
}
