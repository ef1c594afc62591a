// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import ClientSession

/// Sessions in whose place another has come.
struct ReplacedTests {
    /// Ada is signed in with the tokens 0, and somebody signs in with others.
    private func signingIn(_ grant: SessionGrant) -> MachineBench {
        var bench = MachineBench.signedIn()
        bench.play(.signInBegan(2))
        bench.play(.signInSucceeded(2, grant, family: "g"))
        return bench
    }

    @Test("R13.1 G-13.2 Who signs in anew: the former session is given back once the new one is stored, and not before")
    func anew() {
        var bench = signingIn(MachineBench.grant(7))
        #expect(bench.names == ["cancelRefresh", "write", "guardStore"])
        bench.play(.written(bench.writeCall))
        #expect(bench.revoked == ["access-0"] && bench.cleared.isEmpty && bench.state == "signedIn")
        bench.play(.storeUnlocked)
        #expect(bench.revoked.isEmpty)
    }

    @Test("R13.1 G-13.2 While the store can't take the new session the former holds, for whoever is killed meanwhile")
    func full() {
        var bench = signingIn(MachineBench.grant(7))
        bench.play(.writeFailed(bench.writeCall, .full))
        #expect(bench.revoked.isEmpty && bench.state == "signedIn")
        bench.moment.uptime = bench.due ?? .zero
        bench.play(.clockTick)
        bench.play(.writeFailed(bench.writeCall, .full))
        #expect(bench.revoked.isEmpty)
        bench.play(.storeUnlocked)
        bench.play(.written(bench.writeCall))
        #expect(bench.revoked == ["access-0"])
    }

    @Test("R13.1 G-13.2 Whoever signs out before the store had room leaves neither session at the service")
    func signedOut() {
        var bench = signingIn(MachineBench.grant(7))
        bench.play(.writeFailed(bench.writeCall, .full))
        bench.play(.signOutRequested(SignOutOptions()))
        #expect(bench.revoked == ["access-0", "access-7"])
    }

    @Test("R13.1 RFC 7009, section 2.1: where ending the former would end the new one too, it is let be")
    func related() {
        var grant = MachineBench.grant(7)
        grant.replacesSession = false
        var shared = MachineBench.grant(7)
        shared.tokens.refreshToken = MachineBench.grant(0).tokens.refreshToken
        for grant in [grant, shared] {
            var bench = signingIn(grant)
            bench.play(.written(bench.writeCall))
            #expect(bench.revoked.isEmpty)
            // Nor where nobody here had known of the former.
            bench.machine.note(overwritten: bench.kept(0, family: "unknown"))
            bench.play(.storeChanged)
            #expect(bench.revoked.isEmpty)
        }
    }

    @Test("R13.1 G-13.2 A session that an operation brings in the place of this one follows the same rule")
    func operation() {
        var grant = MachineBench.grant(7, nil)
        grant.replacesSession = true
        for fails in [false, true] {
            var bench = MachineBench.signedIn()
            bench.play(.sessionReplaced(family: "f", grant))
            #expect(bench.revoked.isEmpty)
            if fails {
                bench.play(.writeFailed(bench.writeCall, .full))
                #expect(bench.revoked.isEmpty)
                #expect(bench.machine.phase.session?.tokens.accessToken.reveal() == "access-7")
                bench.play(.storeUnlocked)
            }
            bench.play(.written(bench.writeCall))
            #expect(bench.revoked == ["access-0"])
        }
    }

    @Test("R13.1 F5 Where another process has renewed the former meanwhile, and goes on with it, nobody ends it")
    func goesOn() {
        var grant = MachineBench.grant(7, nil)
        grant.replacesSession = true
        var bench = MachineBench.signedIn()
        bench.play(.sessionReplaced(family: "f", grant))
        bench.play(.outdated(bench.writeCall))
        #expect(bench.revoked.isEmpty && bench.state == "signedIn")
        bench = .signedIn()
        bench.play(.sessionReplaced(family: "f", grant))
        bench.play(.writeFailed(bench.writeCall, .full))
        bench.play(.storeChanged)
        bench.play(.storeRead(bench.readCall, .session(bench.kept(5, revision: 2), bench.standing())))
        #expect(bench.machine.phase.session?.tokens.accessToken.reveal() == "access-5" && bench.revoked.isEmpty)
    }

    @Test("R13.1 F8 G-13.2 What the store held, unseen, when somebody signed in is given back as it is overwritten")
    func unseen() {
        for (backend, ends) in [("scripted", true), ("other", false)] {
            var bench = MachineBench.storeLocked()
            bench.play(.signInBegan(2))
            bench.play(.signInSucceeded(2, MachineBench.grant(7), family: "g"))
            bench.play(.writeFailed(bench.writeCall, .locked))
            bench.play(.storeUnlocked)
            let call = bench.writeCall
            bench.machine.note(overwritten: bench.kept(5, family: "unknown", backend: backend))
            bench.play(.written(call))
            #expect(bench.revoked == (ends ? ["access-5"] : []))
        }
    }

    @Test(
        """
        R13.1 G-13.3 G-13.6 Another user comes: what is the former's stays until the next one's session was written, and         has gone before anybody hears of it
        """)
    func nextUser() {
        var bench = signingIn(MachineBench.grant(20, "grace"))
        #expect(bench.names == ["cancelRefresh", "write", "guardStore"])
        let call = bench.writeCall
        bench.play(.written(call))
        #expect(bench.names.prefix(3) == ["clearLocalData", "claimLocalData", "notify"])
        #expect(bench.cleared == ["ada"] && bench.revoked == ["access-0"])
    }

    @Test("R13.1 G-13.3 Where the store can't take the next user's session, the former's is noted to be over first")
    func nextUserUnwritten() {
        var bench = signingIn(MachineBench.grant(20, "grace"))
        bench.play(.writeFailed(bench.writeCall, .full))
        #expect(bench.names.prefix(4) == ["beginLeaving", "clearLocalData", "claimLocalData", "notify"])
        #expect(bench.cleared == ["ada"] && bench.revoked == ["access-0"])
        let noted = bench.actions.compactMap { if case .beginLeaving(let leaving) = $0 { leaving } else { nil } }
        #expect(noted == [Leaving(family: "f", subject: "ada", keepsLocalData: nil)])
    }

    @Test("R13.1 G-13.3 Of whoever signs out, or is replaced, before the store has answered nothing is left either")
    func betweenTwo() {
        var bench = signingIn(MachineBench.grant(20, "grace"))
        bench.play(.signOutRequested(SignOutOptions()))
        #expect(bench.cleared == ["ada", "grace"] && bench.revoked == ["access-0", "access-20"])
        bench = signingIn(MachineBench.grant(20, "grace"))
        bench.play(.signInBegan(3))
        bench.play(.signInSucceeded(3, MachineBench.grant(30), family: "h"))
        // It is hers again.
        bench.play(.written(bench.writeCall))
        #expect(bench.cleared == ["grace"] && Set(bench.revoked) == ["access-0", "access-20"])
    }
}
