// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import ClientSession

/// What comes too late changes nothing.
struct GenerationTests {
    @Test("R13.1 G-13.3 A sign-out during a refresh wins: the late tokens are given back, and never stored")
    func signOutDuringRefresh() {
        var bench = MachineBench.refreshing()
        let begun = bench.generation
        bench.play(.signOutRequested(SignOutOptions()))
        #expect(bench.revoked == ["access-0"])
        bench.play(.refreshSucceeded(begun, MachineBench.grant(1, nil)))
        #expect(bench.state == "signedOut(userSignedOut)")
        #expect(bench.written.isEmpty)
        #expect(bench.revoked == ["access-1"])
    }

    @Test("R13.1 A late refresh of one user never stores anything over the next one's session")
    func signInDuringRefresh() {
        var bench = MachineBench.refreshing()
        let begun = bench.generation
        bench.play(.signInBegan(2))
        bench.play(.signInSucceeded(2, MachineBench.grant(20, "grace"), family: "g"))
        #expect(bench.written.map(\.user.subject) == ["grace"])
        // Whoever waited for Ada's token does not get Grace's.
        #expect(bench.resumed.count == 1)
        guard case .failure(let error) = bench.resumed.first else {
            Issue.record("a token of the next user")
            return
        }
        #expect(error.code == .superseded)
        bench.play(.written(bench.machine.writing ?? 0))
        bench.play(.refreshSucceeded(begun, MachineBench.grant(1)))
        #expect(bench.written.isEmpty)
        #expect(bench.machine.phase.session?.user.subject == "grace")
        bench.play(.refreshFailed(begun, AuthError(.tokensRevoked)))
        #expect(bench.state == "signedIn")
    }

    @Test(
        "R13.1 F6 A refresh's answer that comes after the session was confirmed without it is kept: its token is the last"
    )
    func lateAnswer() {
        var bench = MachineBench.refreshing()
        let begun = bench.generation
        bench.play(.refreshFailed(begun, AuthError(.network, reason: "no answer in time")))
        bench.play(.confirmed(begun, SessionUser(subject: "ada")))
        #expect(bench.state == "signedIn")
        bench.play(.refreshSucceeded(begun, MachineBench.grant(1, "grace")))
        #expect(bench.written.isEmpty)
        bench.play(.refreshSucceeded(begun, MachineBench.grant(1, nil)))
        #expect(bench.written.map { $0.tokens.refreshToken?.reveal() } == ["refresh-1"])
        #expect(bench.written.map(\.revision) == [2])
        bench.play(.written(bench.writeCall))
        #expect(bench.machine.phase.session?.tokens.refreshToken?.reveal() == "refresh-1")
    }

    @Test("R13.1 The sign-in that began last counts: the earlier one ends then, and what it brought is given back")
    func twoSignIns() {
        var bench = MachineBench.signedOut()
        bench.play(.signInBegan(1))
        bench.play(.signInBegan(2))
        #expect(bench.finished == [.superseded])
        bench.play(.signInSucceeded(2, MachineBench.grant(2, "grace"), family: "g"))
        bench.play(.written(bench.machine.writing ?? 0))
        bench.play(.signInSucceeded(1, MachineBench.grant(1, "ada"), family: "f"))
        #expect(bench.finished.isEmpty)
        #expect(bench.revoked == ["access-1"])
        #expect(bench.machine.phase.session?.user.subject == "grace")
    }

    @Test("R13.1 H-5 A sign-in that comes after the user signed out signs nobody in")
    func signOutDuringSignIn() {
        var bench = MachineBench.signedOut()
        bench.play(.signInBegan(1))
        bench.play(.signOutRequested(SignOutOptions()))
        #expect(bench.finished == [.superseded])
        bench.play(.signInSucceeded(1, MachineBench.grant(1), family: "f"))
        #expect(bench.finished.isEmpty)
        #expect(bench.revoked == ["access-1"])
        #expect(bench.state == "signedOut(userSignedOut)")
    }

    @Test("R13.1 What the store held before a sign-out is not restored after it, and is given back to the service")
    func signOutDuringRestore() {
        var bench = MachineBench.restoring()
        let call = bench.readCall
        bench.play(.signOutRequested(SignOutOptions()))
        let kept = bench.kept()
        bench.play(.storeRead(call, .session(kept, bench.standing())))
        #expect(bench.state == "signedOut(userSignedOut)")
        bench.play(.erased(found: kept))
        #expect(bench.revoked == ["access-0"])
    }

    @Test("R13.1 A changed password brings new tokens, and what a refresh with the former ones says is dropped")
    func replaced() {
        var bench = MachineBench.refreshing()
        let begun = bench.generation
        bench.play(.sessionReplaced(family: "f", MachineBench.grant(7, nil)))
        bench.play(.written(bench.writeCall))
        #expect(bench.resumed.count == 1)
        bench.play(.refreshFailed(begun, AuthError(.tokensRevoked)))
        #expect(bench.state == "signedIn")
        #expect(bench.machine.phase.session?.tokens.accessToken.reveal() == "access-7")
    }

    @Test("R13.1 New tokens of an operation are the session's, although another process has renewed it meanwhile")
    func replacedAfterAdoption() {
        var bench = MachineBench.refreshing()
        bench.play(.refreshFoundOther(bench.generation, bench.kept(5, revision: 2), nil))
        bench.play(.sessionReplaced(family: "f", MachineBench.grant(7, nil)))
        #expect(bench.written.map { $0.tokens.accessToken.reveal() } == ["access-7"])
        bench.play(.sessionReplaced(family: "g", MachineBench.grant(8, nil)))
        #expect(bench.written.isEmpty)
    }

    @Test("R13.1 New tokens whose access token reads as the former one did are new all the same")
    func sameText() {
        var bench = MachineBench.signedIn()
        var grant = MachineBench.grant(0, nil)
        grant.tokens.refreshToken = Secret("another")
        bench.play(.sessionReplaced(family: "f", grant))
        #expect(bench.written.map { $0.tokens.refreshToken?.reveal() } == ["another"])
    }

    @Test("R13.1 An answer to a refresh about another user is no answer")
    func otherSubject() {
        var bench = MachineBench.refreshing()
        bench.play(.refreshSucceeded(bench.generation, MachineBench.grant(1, "grace")))
        #expect(bench.written.isEmpty)
        #expect(bench.state == "offline(full)")
        #expect(bench.machine.phase.session?.user.subject == "ada")
    }

    @Test(
        "R13.1 G-13.3 A user whom another process has replaced or signed out is nobody's here either: their data goes first"
    )
    func otherProcess() {
        var bench = MachineBench.signedIn()
        bench.play(.storeChanged)
        bench.play(.storeRead(bench.readCall, .session(bench.kept(5, "grace", family: "g"), bench.standing("grace"))))
        #expect(bench.cleared == ["ada"])
        let order = ["clearLocalData", "claimLocalData", "notify"]
        #expect(bench.names.filter { order.contains($0) } == order)
        bench.play(.storeChanged)
        bench.play(.storeRead(bench.readCall, .nothing))
        #expect(bench.state == "signedOut(userSignedOut)")
        let names = ["erase", "followLeaving", "notify"]
        #expect(bench.names.filter { names.contains($0) } == names)
    }

    @Test(
        "R13.1 G-10.5 The end of an account clears the device as a sign-out does; every other end keeps what is the user's"
    )
    func deleted() {
        var bench = MachineBench.signedIn()
        bench.play(.ended(family: "f", .accountDeleted))
        #expect(
            bench.names == [
                "cancelRefresh", "beginLeaving", "erase", "guardStore", "clearLocalData", "signOutOfProviders",
                "endLeaving", "notify", "revoke",
            ])
        #expect(bench.cleared == ["ada"])
        for reason in SignOutReason.allCases where ![.accountDeleted, .userSignedOut].contains(reason) {
            var bench = MachineBench.signedIn()
            bench.play(.ended(family: "f", reason))
            #expect(bench.cleared.isEmpty && !bench.names.contains("signOutOfProviders"))
        }
    }

    @Test("R13.1 An operation's answer about another user changes nothing, and its tokens are given back")
    func replacedByAnother() {
        var bench = MachineBench.signedIn()
        bench.play(.sessionReplaced(family: "f", MachineBench.grant(8, "grace")))
        #expect(bench.revoked == ["access-8"] && bench.state == "signedIn")
    }
}
