// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import Testing

@MainActor @Suite("SecondFactorModel") struct SecondFactorModelTests {
    private let service = ScriptedService()
    private let followed = Guarded<[String]>([])
    private let phone = FactorChoice(id: "f2", kind: .phone, destination: "+*** 34")

    private func model(_ step: AwaitedStep, _ occasion: SecondFactorModel.Occasion) -> SecondFactorModel {
        SecondFactorModel(step, in: occasion, service: service, support: "help@app.test") { [followed] user in
            followed.withLock { $0.append(user.subject) }
        }
    }

    private func step(_ kind: AwaitedStep.Kind, takesBackupCode: Bool = false) -> AwaitedStep {
        AwaitedStep(kind: kind, destination: "+*** 12", choices: [phone], takesBackupCode: takesBackupCode)
    }

    @Test(
        "G-9 C-13 In a sign-in the code is sent once and kept nowhere; a wrong one may be followed by another, then the app"
    )
    func signIn() async {
        let model = model(step(.oneTimePassword), .signIn)
        #expect(model.asksForCode && !model.canSubmit && model.message?.key == .factorOfApp)
        service.on("answer", .error(.factorCodeInvalid))
        model.code = "000000"
        await model.submit()
        #expect(model.code.isEmpty && model.error?.code == .factorCodeInvalid && !model.isDone)
        service.on("answer", .state(.signedIn(.ann)))
        model.code = "123456"
        await model.submit()
        #expect(model.isDone && followed.value == ["ann"] && service.calls == ["answer", "answer"])
        model.code = "123456"
        await model.submit()
        #expect(service.calls.count == 2)
    }

    @Test("G-9 Another factor may be chosen, and what it asks is what is shown")
    func choice() async {
        let model = model(step(.oneTimePassword), .signIn)
        model.usesBackupCode = true
        service.on("answer", .state(.awaiting(step(.code))))
        await model.choose(model.choices[0])
        #expect(model.step.kind == .code && model.message?.text(in: .en).contains("+*** 12") == true)
        #expect(!model.usesBackupCode && !model.isDone && followed.value.isEmpty)
    }

    @Test("G-9 A session that is there is raised by a code, a backup code or a key, and by nothing that was not asked")
    func stepUp() async {
        service.become(.signedIn(.ann))
        let model = model(step(.code, takesBackupCode: true), .stepUp)
        service.asks("raise", step(.oneTimePassword, takesBackupCode: true))
        model.code = "1"
        await model.submit()
        #expect(model.step.kind == .oneTimePassword && !model.isDone)
        model.usesBackupCode = true
        #expect(model.message?.key == .factorEnterBackupCode && model.canUseBackupCode)
        model.code = "aaaa-bbbb"
        await model.submit()
        #expect(model.isDone && followed.value == ["ann"] && service.calls == ["raise code", "raise backup code"])
        let key = self.model(step(.passkey), .stepUp)
        #expect(!key.asksForCode && !key.canSubmit)
        await key.usePasskey()
        #expect(service.calls.last == "raise passkey")
    }

    @Test("G-9 Giving up ends a sign-in, and leaves a session that was to be raised as it is")
    func cancel() async {
        let signIn = model(step(.oneTimePassword), .signIn)
        signIn.code = "123"
        await signIn.cancel()
        #expect(signIn.code.isEmpty && service.calls == ["abandonStep"])
        await model(step(.oneTimePassword), .stepUp).cancel()
        #expect(service.calls == ["abandonStep"])
    }

    @Test("G-9 A factor that the service demands is chosen and set up in the sign-in, with its secret shown")
    func enrolment() async {
        let model = model(AwaitedStep(kind: .enrolment([.authenticator, .phone])), .signIn)
        #expect(model.enrolments == [.authenticator, .phone] && model.message?.key == .factorDemanded)
        let enrolment = FactorEnrolment(kind: .authenticator, secret: Secret("JBSWY3DPEHPK3PXP"))
        service.on("answer", .state(.awaiting(AwaitedStep(kind: .oneTimePassword, enrolment: enrolment))))
        await model.enrol(NewSecondFactor(.authenticator))
        #expect(model.enrolment?.secret?.reveal() == "JBSWY3DPEHPK3PXP" && model.message?.key == .factorSetUpApp)
        #expect(model.asksForCode && model.enrolments.isEmpty)
    }
}

@MainActor @Suite("PasskeysModel") struct PasskeysModelTests {
    private let service = ScriptedService(.signedIn(.ann))

    @Test("G-9 Passkeys are listed, made and taken away; who turns back at the system's sheet is told nothing")
    func passkeys() async {
        let model = PasskeysModel(service: service)
        #expect(model.emptyMessage == nil)
        await model.load()
        #expect(model.passkeys.map(\.name) == ["Laptop"] && model.emptyMessage == nil)
        service.on("addPasskey", .error(.cancelled))
        await model.add()
        #expect(model.error == nil && model.notice == nil)
        service.on("addPasskey", .error(.factorExists))
        await model.add()
        #expect(model.error?.code == .factorExists && model.notice == nil)
        service.on("addPasskey", .state(.signedIn(.ann)))
        await model.add()
        #expect(model.notice?.key == .passkeyAdded)
        await model.remove(model.passkeys[0])
        #expect(service.calls.contains("removePasskey p1") && model.notice?.key == .passkeyRemoved)
    }
}
