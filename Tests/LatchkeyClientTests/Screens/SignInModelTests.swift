// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import Testing

@MainActor @Suite("SignInModel") struct SignInModelTests {
    private let service = ScriptedService()
    private let clock = ManualClock()
    private let followed = Guarded<[String]>([])

    private func model(_ failures: SignInFailures? = nil) -> SignInModel {
        SignInModel(service: service, failures: failures ?? SignInFailures(clock: clock), support: "help@app.test") {
            [followed] user in followed.withLock { $0.append(user.subject) }
        }
    }

    private func filled(_ model: SignInModel) -> SignInModel {
        model.identifier = "ann@a.test"
        model.password = "Passw0rd!"
        return model
    }

    @Test("R13.8 G-1.6 The button waits for both fields; a success is followed by what the app says, once")
    func success() async {
        service.on("signIn", .state(.signedIn(.ann)))
        let model = model()
        #expect(!model.canSubmit)
        await filled(model).submit()
        #expect(followed.value == ["ann"] && model.error == nil && service.calls == ["signIn password ann@a.test"])
    }

    @Test("R13.8 C-13 The field is empty from the moment the password is sent, whatever becomes of it")
    func noPassword() async {
        service.on("signIn", .error(.network))
        service.hold()
        let model = filled(model())
        let submission = Task { await model.submit() }
        await service.untilCalled(1)
        #expect(model.password.isEmpty && model.isInProgress && !model.canSubmit)
        service.release()
        await submission.value
        #expect(model.password.isEmpty && !model.isInProgress && model.error?.message.key == .network)
        #expect(!String(reflecting: Mirror(reflecting: model).children.map { "\($0.value)" }).contains("Passw0rd!"))
    }

    @Test("R13.8 C-13 What was typed and not sent is forgotten with the screen: passwords, and codes")
    func abandoned() {
        let signIn = filled(model())
        signIn.leave()
        #expect(signIn.password.isEmpty && signIn.identifier == "ann@a.test")
        let reset = ResetConfirmModel(proof: .code(identifier: "ann@a.test"), service: service)
        (reset.code, reset.password.text) = ("123456", "Passw0rd!")
        reset.leave()
        let confirm = ConfirmModel(identifier: "ann@a.test", service: service) { _ in }
        confirm.code = "123456"
        confirm.leave()
        #expect(reset.code.isEmpty && reset.password.text.isEmpty && confirm.code.isEmpty)
    }

    @Test("R13.8 A double tap sends once")
    func doubleTap() async {
        service.hold()
        let model = filled(model())
        let first = Task { await model.submit() }
        await service.untilCalled(1)
        model.password = "Passw0rd!"
        await model.submit()
        service.release()
        await first.value
        #expect(service.calls.count == 1)
    }

    @Test("R13.8 What comes back after the screen was left shows nothing and goes nowhere")
    func left() async {
        for outcome in [ScriptedService.Outcome.error(.network), .state(.signedIn(.ann))] {
            service.on("signIn", outcome)
            service.hold()
            let model = filled(model())
            let count = service.calls.count
            let submission = Task { await model.submit() }
            await service.untilCalled(count + 1)
            model.leave()
            #expect(!model.isInProgress)
            service.release()
            await submission.value
            #expect(model.error == nil && model.awaited == nil && followed.value.isEmpty)
        }
    }

    @Test("G-1.3 G-15.1 Wrong credentials say the same whether there is an account or not; who turns back sees nothing")
    func wrong() async {
        service.on("signIn", .error(.invalidCredentials))
        let model = model()
        await filled(model).submit()
        #expect(model.error?.message.text(in: .en) == "Invalid email or password")
        service.on("signIn", .error(.cancelled))
        await model.signIn(provider: "google")
        #expect(model.error == nil && service.calls.last == "signIn browser google")
    }

    @Test("G-8.2 The fifth failure says for how long, on whichever screen; a success makes the count begin anew")
    func lock() async {
        let failures = SignInFailures(clock: clock)
        service.on("signIn", .error(.invalidCredentials))
        for _ in 0..<4 { await filled(model(failures)).submit() }
        let model = filled(model(failures))
        await model.submit()
        #expect(model.error?.message.text(in: .en) == "Too many failed attempts. Try again in 15 minutes")
        clock.advance(by: .minutes(5))
        await filled(model).submit()
        #expect(model.error?.message.values == ["minutes": "10"])
        service.on("signIn", .state(.signedIn(.ann)))
        await filled(model).submit()
        service.on("signIn", .error(.invalidCredentials))
        await filled(model).submit()
        #expect(model.error?.message.key.rawValue == "auth.error_invalid_credentials")
    }

    @Test("G-10.6 R13.8 The screen says why somebody has to sign in again, and what the service wants next")
    func reasons() async {
        #expect(model().reason == nil)
        service.become(.signedOut(.sessionExpired))
        #expect(model().reason?.text(in: .en) == "Your session has expired. Please sign in again.")
        service.become(.signedOut(.accountDeleted))
        #expect(model().reason?.text(in: .en) == "Your account has been deleted.")
        service.on("signIn", .state(.awaiting(AwaitedStep(kind: .oneTimePassword))))
        let model = filled(model())
        await model.submit()
        #expect(model.awaited?.kind == .oneTimePassword && followed.value.isEmpty)
    }

    @Test("G-3.1 C-13 Who has forgotten their password is led to the screen for it, with the name that they typed")
    func forgotten() async {
        let model = filled(model())
        let reset = model.forgottenPassword()
        #expect(reset.identifier == model.identifier && reset.canSubmit && model.password.isEmpty)
        await reset.submit()
        #expect(service.calls == ["beginRecovery \(model.identifier)"] && reset.isSent)
    }

    @Test("F-10 Y-SC6 Y-E2 Every error of a sign-in is shown with a way on")
    func everyError() async {
        for code in AuthErrorCode.allKnown + [.network, .offlineSignIn, .untrustedServer, .insecureTransport] {
            service.on("signIn", .error(code))
            let model = filled(model())
            await model.submit()
            #expect(model.error?.suggestions.isEmpty == false, "\(code.rawValue)")
        }
    }
}
