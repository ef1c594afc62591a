// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import TestSupport
import Testing

@MainActor @Suite("Screens of an account") struct AccountScreensTests {
    private let service = ScriptedService()
    private let followed = Guarded<[String]>([])

    private func follow(_ user: SessionUser) { followed.withLock { $0.append(user.subject) } }

    @Test("R13.8 G-1.4 A sign-up names every broken rule as it is typed, and waits until there is none")
    func signUp() async {
        let model = SignUpModel(service: service, followedBy: follow)
        model.identifier = "ann@a.test"
        #expect(model.passwordProblems.isEmpty && !model.canSubmit)
        model.password.text = "abc"
        #expect(model.passwordProblems.map(\.key) == [.passwordMinimumLength, .passwordUppercase, .passwordNumber])
        model.password.repeated = "Passw0rD"
        model.password.text = "Passw0rd"
        #expect(model.passwordProblems.map(\.key) == [.passwordsDiffer] && !model.canSubmit)
        model.password.repeated = "Passw0rd"
        let step = AwaitedStep(kind: .confirmation, identifier: "ann@a.test", destination: "a***@a***")
        service.on("signUp", .state(.awaiting(step)))
        await model.submit()
        #expect(model.awaited?.kind == .confirmation && model.password.text.isEmpty && model.password.repeated == "")
        #expect(model.notice?.text(in: .en) == "We have sent a message to a***@a***.")
        service.on("signUp", .failure(AuthError(.weakPassword, violations: [.common])))
        model.password.text = "Passw0rd"
        model.password.repeated = "Passw0rd"
        await model.submit()
        #expect(model.error?.details.map(\.key) == [.passwordCommon] && followed.value.isEmpty)
    }

    @Test("R13.8 C-13 A sign-up that is abandoned leaves no password")
    func abandoned() {
        let model = SignUpModel(service: service, followedBy: follow)
        model.password.text = "Passw0rd"
        model.leave()
        #expect(model.password.text.isEmpty)
    }

    @Test("R13.8 C-1 A code confirms; where no session comes with it the password is asked for, since nobody kept it")
    func confirm() async {
        let model = ConfirmModel(identifier: "ann@a.test", service: service, followedBy: follow)
        #expect(!model.canSubmit)
        service.on("confirmSignUp", .error(.oneTimeTokenInvalid))
        model.code = "1"
        await model.submit()
        #expect(model.error?.suggestions == [.requestNewOne] && !model.isConfirmed && model.code.isEmpty)
        await model.resend()
        #expect(model.notice?.key == .confirmationSentAgain && model.error == nil)
        service.on("confirmSignUp", .state(.signedOut(.neverSignedIn)))
        model.code = "2"
        await model.submit()
        #expect(model.isConfirmed && model.notice?.key == .confirmedSignIn && followed.value.isEmpty)
        service.on("confirmSignUp", .state(.signedIn(.ann)))
        model.code = "3"
        await model.submit()
        #expect(model.notice?.key == .emailVerified && followed.value == ["ann"])
    }

    @Test("G-3 R13.8 A recovery says the same whether there is an account or not, and other errors as they are")
    func request() async {
        var notices: [String?] = []
        for outcome in [nil, AuthErrorCode.userNotFound] {
            let service = ScriptedService()
            if let outcome { service.on("beginRecovery", .error(outcome)) }
            let model = ResetRequestModel(service: service)
            model.identifier = "ann@a.test"
            await model.submit()
            #expect(model.isSent && model.error == nil)
            notices.append(model.notice?.text(in: .de))
        }
        #expect(notices[0] == notices[1] && notices[0] != nil)
        service.on("beginRecovery", .error(.mailRateLimited))
        let model = ResetRequestModel(service: service)
        model.identifier = "ann@a.test"
        await model.submit()
        #expect(!model.isSent && model.error?.code == .mailRateLimited)
    }

    @Test("G-3 A new password goes by the link's session, by its hash, or by a code, and is forgotten")
    func reset() async {
        for proof in [ResetConfirmModel.Proof.session, .link(Secret("h")), .code(identifier: "ann@a.test")] {
            let model = ResetConfirmModel(proof: proof, service: service)
            model.password.text = "Passw0rd"
            if model.asksForCode {
                #expect(!model.canSubmit)
                model.code = "123456"
            }
            await model.submit()
            #expect(model.isDone && model.password.text.isEmpty && model.notice?.key == .passwordChanged)
        }
        #expect(service.calls == ["changePassword", "finishRecovery", "finishRecovery ann@a.test"])
    }

    @Test(
        "G-4.3 G-4.5 G-4.6 Whoever is in without a confirmed address is reminded, can have the mail again, until it is")
    func banner() async throws {
        service.become(.signedIn(.unverified))
        let model = VerificationBannerModel(service: service)
        #expect(model.message?.text(in: .en) == "Please confirm your email address ann@a.test." && model.canResend)
        await model.resend()
        #expect(service.calls == ["resendConfirmation ann@a.test"] && model.notice?.key == .confirmationSent)
        let following = Task { await model.follow() }
        service.become(.signedIn(.ann))
        try await eventually("the banner is gone") { !model.isShown }
        #expect(!model.canResend && model.notice == nil)
        following.cancel()
        service.become(.signedIn(SessionUser(subject: "x", email: "x@x.test")))
        #expect(!VerificationBannerModel(service: service).isShown)
    }

    @Test("R13.8 A profile stays while it is asked for anew, and is never another user's")
    func profile() async throws {
        service.become(.signedIn(.ann))
        let model = ProfileModel(service: service)
        service.on("refreshUser", .error(.network))
        await model.refresh()
        #expect(model.user == .ann && model.error?.code == .network)
        let following = Task { await model.follow() }
        service.become(.signedIn(.bob))
        try await eventually("the profile is the new user's") { model.user == .bob }
        #expect(model.error == nil)
        service.become(.signedOut(.userSignedOut))
        try await eventually("the profile is gone") { model.user == nil }
        following.cancel()
    }

    @Test(
        "G-13.1 G-13.4 G-13.5 G-13.6 Signing out asks first, warns of what stays or is lost, clears the age gate, ends at the sign-in"
    )
    func signOut() async throws {
        service.become(.signedIn(.ann))
        let gate = AgeGate(store: MemoryStore())
        try await gate.pass()
        let model = SignOutModel(service: service, unsynced: { 3 }, clearing: { try? await gate.clear() })
        await model.confirm()
        #expect(service.calls.isEmpty)
        await model.ask()
        #expect(model.isAsking && model.lines.map(\.key) == [.signOutLead, .signOutUnsynced])
        #expect(model.lines[1].text(in: .en) == "3 changes have not been synced yet and will be lost.")
        model.cancel()
        await model.confirm()
        #expect(service.calls.isEmpty && !model.isAsking)
        await model.ask()
        model.keepsLocalData = true
        #expect(model.lines.map(\.key) == [.signOutLead, .signOutKeepWarning])
        await model.confirm()
        guard case .signedOut(.userSignedOut) = service.state else { throw Unexpected(service.state) }
        #expect(service.calls == ["signOut local true"] && !model.isAsking)
        #expect(await !gate.isPassed())
        // Another time it is off again: to keep is chosen each time.
        await model.ask()
        #expect(!model.keepsLocalData)
    }

    @Test(
        "G-10.1 G-10.2 G-10.3 R13.8 An account is deleted after it was explained and the user has shown who they are; a wrong password deletes nothing"
    )
    func delete() async {
        service.become(.signedIn(.ann))
        let cleared = Guarded(0)
        let model = DeleteAccountModel(service: service) { cleared.withLock { $0 += 1 } }
        model.password = "x"
        await model.confirm()
        #expect(service.calls.isEmpty)
        model.ask()
        #expect(model.message?.key == .deleteLead)
        model.understood()
        service.on("reauthenticate", .error(.invalidCredentials))
        model.password = "x"
        await model.confirm()
        #expect(service.calls == ["reauthenticate"] && model.stage == .proving && model.password.isEmpty)
        service.on("reauthenticate", .state(.signedIn(.ann)))
        model.password = "Passw0rd"
        await model.confirm()
        #expect(service.calls.last == "deleteAccount" && model.stage == .deleted && cleared.value == 1)
    }

    @Test(
        "G-10.5 G-13.3 What the app keeps goes once the account is gone, though the dialog was closed meanwhile; never with `others`"
    )
    func clearing() async {
        service.become(.signedIn(.ann))
        let cleared = Guarded(0)
        let model = DeleteAccountModel(service: service) { cleared.withLock { $0 += 1 } }
        model.ask()
        model.understood()
        service.hold()
        let deleting = Task { await model.confirm(with: .anonymous) }
        await service.untilCalled(1)
        model.cancel()
        service.release()
        await deleting.value
        #expect(service.calls.last == "deleteAccount" && cleared.value == 1 && model.stage == .deleted)

        let signOut = SignOutModel(service: service, clearing: { cleared.withLock { $0 += 1 } })
        await signOut.ask()
        await signOut.confirm(scope: .others)
        #expect(cleared.value == 1)
        await signOut.ask()
        await signOut.confirm(scope: .global)
        #expect(cleared.value == 2)
    }

    @Test("G-1.6 G-13.4 After a sign-in comes the age gate, and then the place that a link had led to")
    func places() async throws {
        let (store, clock) = (MemoryStore(), ManualClock())
        let links = DeepLinks(
            router: DeepLinkRouter(schemes: ["myapp"], allowed: .ofRequirement), service: service,
            pending: PendingDeepLink(store: store, clock: clock, allowed: .ofRequirement))
        _ = await links.open("myapp://plants/42")
        service.become(.signedIn(.ann))
        let gate = AgeGate(store: store)
        #expect(await PlaceAfterSignIn.next(gate: gate, links: links) == .ageGate)
        try await gate.pass()
        let place = await PlaceAfterSignIn.next(gate: gate, links: links)
        guard case .app(let path?) = place else { throw Unexpected(place) }
        #expect(path.rawValue == "/plants/42")
        #expect(await PlaceAfterSignIn.next(gate: gate, links: links) == .app(nil))
    }
}
