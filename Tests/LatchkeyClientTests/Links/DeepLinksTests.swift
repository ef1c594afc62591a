// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import TestSupport
import Testing

@Suite("DeepLinks") struct DeepLinksTests {
    private let service = ScriptedService()
    private let store = MemoryStore()
    private let clock = ManualClock()
    private let reports = Guarded<[String]>([])

    private func links(on store: (any SecureStore)? = nil) -> DeepLinks {
        let pending = PendingDeepLink(store: store ?? self.store, clock: clock, allowed: .ofRequirement)
        let router = DeepLinkRouter(schemes: ["myapp"], allowed: .ofRequirement)
        return DeepLinks(router: router, service: service, pending: pending) { [reports] link, code in
            reports.withLock { $0.append("\(link) \(code.rawValue)") }
        }
    }

    @Test("G-12.1 A link of verification is exchanged, its good news told, and its redirect given")
    func verification() async throws {
        service.on("signIn", .state(.signedIn(.ann)))
        let outcome = await links().open("myapp://verify-email?token_hash=a&type=signup&redirect=/plants/1")
        guard case .confirmed(let message, let path) = outcome else { throw Unexpected(outcome) }
        #expect(
            message.key == .emailVerified && path?.rawValue == "/plants/1" && service.calls == ["signIn link signup"])
    }

    @Test(
        "G-12.2 A link of recovery opens a session and the screen for a password; without one the screen has the proof")
    func recovery() async throws {
        let link = "myapp://reset-password?token_hash=a&type=recovery"
        guard case .chooseNewPassword(nil, _) = await links().open(link) else { throw Unexpected("a session") }
        service.on("signIn", .error(.unsupported))
        guard case .chooseNewPassword(let proof?, _) = await links().open(link) else { throw Unexpected("a proof") }
        #expect(proof.reveal() == "a")
    }

    @Test(
        "G-12.1 G-12.2 A link whose user has a second factor opens no session yet: what is awaited is said, not success",
        arguments: ["verify-email?token_hash=a&type=signup", "reset-password?token_hash=a"])
    func secondFactor(link: String) async throws {
        service.on("signIn", .state(.awaiting(AwaitedStep(kind: .oneTimePassword, identifier: "ann@a.test"))))
        let outcome = await links().open("myapp://\(link)&redirect=/plants/1")
        guard case .awaits(let step, let path) = outcome else { throw Unexpected(outcome) }
        #expect(step.kind == .oneTimePassword && path?.rawValue == "/plants/1")
    }

    @Test("G-12.5 Links are carried out one after the other, in the order in which they came")
    func oneAfterTheOther() async throws {
        service.hold()
        let links = links()
        let first = Task { await links.open("myapp://verify-email?token_hash=a&type=signup") }
        await service.untilCalled(1)
        let second = Task { await links.open("myapp://reset-password?token_hash=b") }
        for _ in 0..<50 { await Task.yield() }
        #expect(service.calls == ["signIn link signup"])
        service.release()
        _ = await (first.value, second.value)
        #expect(service.calls == ["signIn link signup", "signIn link recovery"])
    }

    @Test(
        "G-3.5 G-12.3 G-12.7 A late link says so, and is reported without its token; a redirect elsewhere spends no token"
    )
    func late() async throws {
        service.on("signIn", .error(.oneTimeTokenInvalid))
        let outcome = await links().open("myapp://verify-email?token_hash=sesame&type=signup")
        guard case .failed(let error) = outcome else { throw Unexpected(outcome) }
        #expect(error.message.text(in: .en) == "This link is invalid or has expired. Please request a new one.")
        _ = await links().open("myapp://verify-email?token_hash=sesame&type=signup&redirect=//evil.test")
        #expect(
            reports.value == [
                "myapp://verify-email?token_hash=[REDACTED]&type=signup one_time_token_invalid",
                "myapp://verify-email?token_hash=[REDACTED]&type=signup&redirect=[REDACTED] invalid_redirect",
            ])
        #expect(service.calls.count == 1)
        let reset = await links().open("myapp://reset-password?token_hash=sesame&type=recovery")
        guard case .failed(let late) = reset else { throw Unexpected(reset) }
        #expect(late.suggestions == [.requestNewOne] && late.message == error.message)
    }

    @Test(
        "R13.6 A link does not put a stranger's session in the place of somebody's who is signed in, unless they say so"
    )
    func replacing() async throws {
        service.become(.signedIn(.ann))
        for link in [
            "myapp://verify-email?token_hash=a&type=magiclink", "myapp://verify-email?token_hash=a&type=signup",
            "myapp://reset-password?token_hash=a",
        ] {
            guard case .wouldReplaceSession = await links().open(link) else { throw Unexpected(link) }
        }
        #expect(service.calls.isEmpty)
        _ = await links().open("myapp://verify-email?token_hash=a&type=magiclink", replacingSession: true)
        // Who has yet to confirm opens the link for just that.
        service.become(.signedIn(.unverified))
        _ = await links().open("myapp://verify-email?token_hash=a&type=signup")
        // As themselves, and nobody else: the sender may have made the link of their own account.
        #expect(service.calls == ["signIn link magiclink", "signInAs ann link signup"])
        service.on("signInAs", .error(.reauthenticationInvalid))
        guard case .wouldReplaceSession = await links().open("myapp://verify-email?token_hash=a&type=signup") else {
            throw Unexpected("a stranger's session")
        }
    }

    @Test("G-12.4 A protected place waits for the sign-in, through a restart, and is given once")
    func pending() async throws {
        guard case .signInFirst = await links().open("myapp://plants/42") else { throw Unexpected("a place") }
        service.become(.signedIn(.ann))
        let restarted = links()
        #expect(await restarted.afterSignIn()?.rawValue == "/plants/42")
        #expect(await restarted.afterSignIn() == nil)
        guard case .show(let path) = await restarted.open("myapp://plants/43") else { throw Unexpected("waiting") }
        #expect(path.rawValue == "/plants/43")
    }

    @Test("G-12.4 What waits is not for another user, not for ever, and not for what was changed in the store")
    func notForOthers() async throws {
        service.become(.blocked(.ann))
        _ = await links().open("myapp://plants/42")
        service.become(.signedIn(.bob))
        #expect(await links().afterSignIn() == nil)
        #expect(try await store.read(.pendingDeepLink) == nil)

        service.become(.signedOut(.neverSignedIn))
        _ = await links().open("myapp://plants/42")
        clock.advance(by: .hours(1))
        service.become(.signedIn(.ann))
        #expect(await links().afterSignIn() == nil)

        for kept in [#"{"path":"/admin","at":1785283200}"#, #"{"path":"/plants/1"}"#, "{", ""] {
            try await store.write(Array(kept.utf8), for: .pendingDeepLink)
            #expect(await links().afterSignIn() == nil)
        }
    }

    @Test("G-12.4 Whoever signs out takes along where they wanted to go")
    func signOut() async throws {
        let links = links()
        service.become(.signedIn(.ann))
        _ = await links.afterSignIn()
        let following = Task { await links.follow() }
        try await store.write(Array(#"{"path":"/plants/1","at":1785283200}"#.utf8), for: .pendingDeepLink)
        service.become(.signedOut(.userSignedOut))
        try await eventually("the link is forgotten") { try await store.read(.pendingDeepLink) == nil }
        following.cancel()
    }

    @Test(
        "G-12.4 G-13.3 A pending place that is a companion of the session goes with its user, though nobody follows the links"
    )
    func companion() async throws {
        let pending = PendingDeepLink(store: store, clock: clock, allowed: .ofRequirement)
        let service = SessionService(backend: ScriptedBackend(), store: store, clock: clock, companions: [pending])
        _ = try await service.signIn(with: .anonymous)
        _ = await links().open("myapp://plants/42")
        #expect(try await store.read(.pendingDeepLink) != nil)
        await service.signOut(SignOutOptions())
        #expect(try await store.read(.pendingDeepLink) == nil)
    }

    @Test("G-7.2 G-7.3 Whether something may be changed is said in the codes that have a text")
    func writing() {
        let states: [(AuthState, AuthErrorCode?)] = [
            (.signedIn(.ann), nil), (.refreshing(.ann), nil), (.offline(.full, .ann), nil),
            (.offline(.readOnly, .ann), .offlineReadOnly), (.blocked(.ann), .offlineBlocked),
            (.signedOut(.sessionExpired), .notSignedIn), (.restoring, .notSignedIn),
        ]
        for (state, code) in states {
            do throws(AuthError) {
                try state.checkWriting()
                #expect(code == nil)
            } catch {
                #expect(error.code == code)
            }
        }
    }

    @Test("G-12.4 A store that takes nothing loses no place while the app runs")
    func fullStore() async throws {
        let links = links(on: FullStore())
        _ = await links.open("myapp://plants/42")
        service.become(.signedIn(.ann))
        #expect(await links.afterSignIn()?.rawValue == "/plants/42")
        #expect(await links.afterSignIn() == nil)
    }

    @Test("G-12.5 A link that started the app waits until it is known who is signed in")
    func starting() async throws {
        service.become(.restoring)
        async let outcome = links().open("myapp://plants/42")
        await Task.yield()
        service.become(.signedIn(.ann))
        guard case .show = await outcome else { throw Unexpected("waiting") }
    }
}

struct Unexpected: Error {
    let outcome: String

    init(_ outcome: Any) {
        self.outcome = String(describing: outcome)
    }
}

/// A disk without room.
private struct FullStore: SecureStore {
    func read(_ key: SecureStoreKey) async throws(SecureStoreError) -> [UInt8]? { nil }
    func write(_ value: [UInt8], for key: SecureStoreKey) async throws(SecureStoreError) { throw .full }
    func remove(_ key: SecureStoreKey) async throws(SecureStoreError) {}
    func exclusively<Value: Sendable>(
        _ key: SecureStoreKey, _ body: @Sendable () async throws -> Value
    ) async throws -> Value { try await body() }
}
