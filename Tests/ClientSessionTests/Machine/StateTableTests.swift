// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientTestSupport
import Foundation
import Testing

@testable import ClientSession

struct StateTableTests {
    /// One of each state, in the order in which they are explained.
    static let states: [(name: String, bench: MachineBench)] = [
        ("restoring", .restoring()), ("storeLocked", .storeLocked()), ("signedOut", .signedOut()),
        ("awaiting", .awaiting()), ("storing", .storing()), ("signedIn", .signedIn()), ("refreshing", .refreshing()),
        ("offline(full)", .offline(for: .days(1))), ("offline(readOnly)", .offline(for: .days(8))),
        ("blocked", .offline(for: .days(31))),
    ]

    /// Each kind of event, as it would come to a machine that stands there.
    static func events(for bench: MachineBench) -> [(name: String, after: TimeSpan, event: SessionEvent)] {
        let machine = bench.machine
        let generation = machine.generation
        let read = machine.reading ?? 0
        let written = machine.writing ?? 0
        let other = MachineBench.grant(9)
        let token = machine.phase.session?.tokens.accessToken ?? Secret("none")
        let due = machine.due(at: bench.moment).map { max($0 - bench.moment.uptime, .zero) } ?? .zero
        var begun = bench
        begun.play(.signInBegan(7))
        return [
            ("start", .zero, .start),
            ("the store holds a session", .zero, .storeRead(read, .session(bench.kept(), bench.standing()))),
            (
                "the store holds a session over its time", .zero,
                .storeRead(
                    read,
                    .session(bench.kept(), bench.standing().seen(bench.moment.now + .days(45)).seen(bench.moment.now)))
            ),
            ("the store holds nothing", .zero, .storeRead(read, .nothing)),
            (
                "the store holds a step that is awaited", .zero,
                .storeRead(read, .step(AwaitedStep(kind: .oneTimePassword, lifetime: .minutes(3))))
            ),
            ("the store holds what somebody was leaving", .zero, .storeRead(read, .left)),
            ("the store is corrupted", .zero, .storeRead(read, .corrupted)),
            ("the store is locked", .zero, .storeRead(read, .unreadable(.locked))),
            ("the store was unlocked", .zero, .storeUnlocked),
            ("another process wrote", .zero, .storeChanged),
            ("the store holds an ended session", .zero, .storeHoldsEnded(family: "gone")),
            ("written", .zero, .written(written)),
            ("not written", .zero, .writeFailed(written, .full)),
            ("not written over what came later", .zero, .outdated(written)),
            ("erased", .zero, .erased(found: nil)),
            ("not erased", .zero, .eraseFailed(family: "gone", .locked)),
            (
                "a companion was slow", .zero,
                .unheard(Unheard(options: SignOutOptions(), subject: "gone", companions: [0]))
            ),
            ("a companion came to its end", .zero, .heard(of: "gone")),
            ("a sign-in began", .zero, .signInBegan(8)),
            ("a sign-in that was outrun succeeded", .zero, .signInSucceeded(6, other, family: "late")),
            ("the step was given up", .zero, .stepAbandoned),
            ("a token is wanted", .zero, .tokenWanted(50)),
            ("a token is wanted hours later", .hours(2), .tokenWanted(50)),
            ("the token was refused", .zero, .tokenRefused(token, 50)),
            (
                "an older token was refused", .zero,
                .tokenRefused(Secret("older"), 50, TokenStamp(family: "f", generation: 0, revision: 0))
            ),
            (
                "another session's token was refused", .zero,
                .tokenRefused(token, 50, TokenStamp(family: "gone", generation: 0, revision: 1))
            ),
            ("a waiting caller left", .zero, .waiterLeft(100)),
            ("refreshed", .zero, .refreshSucceeded(generation, MachineBench.grant(1, nil))),
            ("refreshed too late", .zero, .refreshSucceeded(generation - 1, MachineBench.grant(1, nil))),
            ("no refresh: no network", .zero, .refreshFailed(generation, AuthError(.network))),
            ("no refresh: a fault of the service", .zero, .refreshFailed(generation, AuthError(.unavailable))),
            ("no refresh: expired", .zero, .refreshFailed(generation, AuthError(.sessionExpired))),
            ("no refresh: revoked", .zero, .refreshFailed(generation, AuthError(.tokensRevoked))),
            (
                "another process had refreshed", .zero,
                .refreshFoundOther(generation, bench.kept(5, revision: 9), nil)
            ),
            (
                "another user signed in elsewhere", .zero,
                .refreshFoundOther(generation, bench.kept(5, "grace", family: "g"), bench.standing("grace"))
            ),
            ("another process had signed out", .zero, .refreshFoundNothing(generation)),
            ("confirmed", .zero, .confirmed(generation, SessionUser(subject: "ada"))),
            ("not confirmed: no network", .zero, .confirmationFailed(generation, AuthError(.network))),
            ("not confirmed: refused", .zero, .confirmationFailed(generation, AuthError(.tokenInvalid))),
            ("an operation gave new tokens", .zero, .sessionReplaced(family: "f", MachineBench.grant(2))),
            ("a second factor raised the session", .zero, .sessionReplaced(family: "f", MachineBench.grant(3))),
            ("another session was raised", .zero, .sessionReplaced(family: "gone", MachineBench.grant(3))),
            ("the network went", .zero, .networkChanged(isReachable: false)),
            ("the network came", .zero, .networkChanged(isReachable: true)),
            ("a timer rang", due, .clockTick),
            ("the user signed out", .zero, .signOutRequested(SignOutOptions())),
            ("ended elsewhere", .zero, .ended(family: "f", .sessionRevoked)),
            ("the user deleted the account", .zero, .ended(family: "f", .accountDeleted)),
        ]
    }

    /// What follows a sign-in that has begun; played after `signInBegan(7)`.
    static func results() -> [(name: String, event: SessionEvent)] {
        [
            ("a sign-in succeeded", .signInSucceeded(7, MachineBench.grant(7), family: "new")),
            ("another user's sign-in succeeded", .signInSucceeded(7, MachineBench.grant(7, "grace"), family: "new")),
            ("a sign-in awaits a step", .stepAwaited(7, AwaitedStep(kind: .oneTimePassword))),
            ("a sign-in failed", .signInFailed(7, AuthError(.invalidCredentials))),
            ("another sign-in began before the answer", .signInBegan(8)),
        ]
    }

    struct Row {
        var event: String
        var next: String
        var actions: [String]
    }

    static func rows(of bench: MachineBench) -> [Row] {
        let simple = events(for: bench).map { name, after, event in
            var bench = bench
            bench.pass(after)
            bench.play(event)
            return Row(event: name, next: bench.state, actions: bench.names)
        }
        let signIns = results().map { name, event in
            var bench = bench
            bench.play(.signInBegan(7))
            bench.play(event)
            return Row(event: name, next: bench.state, actions: bench.names)
        }
        return simple + signIns
    }

    @Test("R13.1 Each sample stands in the state that it is a sample of, and the states are all there are")
    func samples() {
        for (name, bench) in Self.states {
            #expect(bench.state.hasPrefix(name), "\(name)")
        }
        let shown = Self.states.map { $0.bench.machine.phase.shownKey.name }
        #expect(
            Set(shown) == [
                "restoring", "storeLocked", "signedOut", "awaiting", "signedIn", "refreshing", "offline", "blocked",
            ])
    }

    @Test("R13.1 F10 In no state does anything but a definite answer, the user or another process end a session")
    func definite() {
        let ending: Set<String> = [
            "no refresh: expired", "no refresh: revoked", "another process had signed out", "the user signed out",
            "ended elsewhere", "the user deleted the account",
        ]
        for (name, bench) in Self.states where bench.machine.phase.session != nil {
            for row in Self.rows(of: bench) where row.next.hasPrefix("signedOut") {
                #expect(ending.contains(row.event), "\(name): \(row.event)")
            }
        }
    }

    @Test("R13.1 The user's sign-out ends at signedOut from every state, and is told after the store is erased")
    func signOut() {
        for (name, bench) in Self.states {
            var bench = bench
            bench.play(.signOutRequested(SignOutOptions()))
            #expect(bench.state == "signedOut(userSignedOut)", "\(name)")
            let names = bench.names.filter { !$0.hasPrefix("resume") && !$0.hasPrefix("finish") }
            let order = [
                "cancelRefresh", "beginLeaving", "erase", "guardStore", "clearLocalData", "signOutOfProviders",
                "endLeaving", "notify",
            ]
            #expect(Array(names.prefix(8)) == order, "\(name)")
            #expect(names.dropFirst(8).allSatisfy { $0 == "revoke" }, "\(name)")
        }
    }

    @Test("R13.1 G-13.3 G-14 However a session ends, nobody hears of it before it is out of the store")
    func eraseFirst() {
        for (name, bench) in Self.states {
            for (event, after, played) in Self.events(for: bench) {
                var bench = bench
                bench.pass(after)
                bench.play(played)
                guard bench.state.hasPrefix("signedOut"), let erased = bench.names.firstIndex(of: "erase") else {
                    continue
                }
                for told in bench.names.indices
                where bench.names[told] == "notify" || bench.names[told].hasPrefix("resume") {
                    #expect(told > erased, "\(name): \(event)")
                }
            }
        }
    }

    @Test("docs/client/session-states.md is this table. Run with LATCHKEY_WRITE_DOCS=1 to write it anew")
    func document() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/client/session-states.md")
        let expected = Self.document
        if ProcessInfo.processInfo.environment["LATCHKEY_WRITE_DOCS"] != nil {
            try Data(expected.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == expected)
    }
}
