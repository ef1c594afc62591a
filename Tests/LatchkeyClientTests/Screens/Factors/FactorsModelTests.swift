// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import Testing

@MainActor @Suite("FactorsModel") struct FactorsModelTests {
    private let service = ScriptedService(.signedIn(.ann))
    private let app = FactorEnrolment(
        kind: .authenticator, secret: Secret("JBSWY3DPEHPK3PXP"), uri: Secret("otpauth://totp/x"),
        ticket: Secret(["factor": "f1"]))
    private let step = AwaitedStep(kind: .oneTimePassword, ticket: Secret(["factor": "f1"]))

    private func loaded(_ factors: [SecondFactor], codes: Int? = nil) async -> FactorsModel {
        service.has(SecondFactors(factors: factors, backupCodesLeft: codes))
        let model = FactorsModel(service: service)
        await model.load()
        return model
    }

    @Test("G-9 An empty list says so once it is known to be empty, and a failure shows what was there")
    func list() async {
        let model = FactorsModel(service: service)
        #expect(model.message == nil)
        await model.load()
        #expect(model.message?.key == .factorNone && model.backupCodesMessage == nil)
        service.has(SecondFactors(factors: [SecondFactor(id: "f1", kind: .authenticator)], backupCodesLeft: 3))
        await model.load()
        #expect(model.factors.map(\.id) == ["f1"] && model.message == nil)
        #expect(model.backupCodesMessage?.text(in: .en).contains("3") == true)
        service.on("secondFactors", .error(.network))
        await model.load()
        #expect(model.factors.map(\.id) == ["f1"] && model.error?.code == .network)
    }

    @Test(
        "G-9 C-13 One is set up by its first code, a wrong one may be followed by another, and no code stays in the field"
    )
    func enrolment() async {
        let model = await loaded([])
        service.enrols(app)
        await model.add(NewSecondFactor(.authenticator))
        #expect(model.enrolment?.secret?.reveal() == "JBSWY3DPEHPK3PXP" && model.message?.key == .factorSetUpApp)
        #expect(!model.canConfirm)
        service.on("confirm", .error(.factorCodeInvalid))
        model.code = "000000"
        await model.confirm()
        #expect(model.code.isEmpty && model.enrolment != nil && model.error?.code == .factorCodeInvalid)
        service.on("confirm", .state(.signedIn(.ann)))
        service.has(SecondFactors(factors: [SecondFactor(id: "f1", kind: .authenticator)]))
        model.code = "123456"
        await model.confirm()
        #expect(model.enrolment == nil && model.factors.count == 1 && model.notice?.key == .factorAdded)
        // One that counts at once, such as a security key.
        service.enrols(nil)
        await model.add(NewSecondFactor(.securityKey))
        #expect(model.enrolment == nil && model.notice?.key == .factorAdded)
    }

    @Test(
        "G-9 What wants a second factor first says what to ask; where the service raises no session, that the user signs in anew"
    )
    func proofs() async {
        let model = await loaded([SecondFactor(id: "f1", kind: .authenticator)])
        service.on("removeFactor", .error(.insufficientAssurance))
        service.asks("beginStepUp", step)
        await model.remove(model.factors[0])
        #expect(model.proof?.kind == .oneTimePassword && !model.needsSignIn && model.message?.key == .factorProveFirst)
        #expect(model.factors.count == 1)
        model.proved()
        #expect(model.proof == nil)
        // Nothing to raise it by.
        await model.remove(model.factors[0])
        #expect(model.proof == nil && model.needsSignIn)
        service.on("removeFactor", .error(.reauthenticationNeeded))
        await model.remove(model.factors[0])
        #expect(model.needsSignIn)
        service.on("removeFactor", .state(.signedIn(.ann)))
        service.has(SecondFactors(factors: []))
        await model.remove(SecondFactor(id: "f1", kind: .authenticator))
        #expect(!model.needsSignIn && model.factors.isEmpty && model.notice?.key == .factorRemoved)
    }

    @Test("G-9 Backup codes are shown until they are put away, and never again")
    func backupCodes() async {
        let model = await loaded([SecondFactor(id: "f1", kind: .authenticator)], codes: 0)
        await model.makeBackupCodes()
        #expect(model.backupCodes == ["aaaa-bbbb", "cccc-dddd"] && model.backupCodesLeft == 2)
        #expect(model.message?.key == .backupCodesLead)
        model.forgetBackupCodes()
        #expect(model.backupCodes.isEmpty && model.message == nil)
    }

    @Test("C-13 A screen that is left keeps neither a code nor a secret, and shows nothing of what comes back")
    func left() async {
        let model = await loaded([])
        service.enrols(app)
        await model.add(NewSecondFactor(.authenticator))
        model.code = "123456"
        await model.makeBackupCodes()
        model.leave()
        #expect(model.code.isEmpty && model.backupCodes.isEmpty && model.enrolment == nil && model.proof == nil)
        service.hold()
        let count = service.calls.count
        let adding = Task { await model.add(NewSecondFactor(.authenticator)) }
        await service.untilCalled(count + 1)
        model.leave()
        service.release()
        await adding.value
        #expect(model.enrolment == nil && model.error == nil)
    }
}
