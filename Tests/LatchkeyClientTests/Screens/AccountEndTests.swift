// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import Testing

/// The dialogs that end an account, and that have mailed what is held, by an account that does what a test says.
@MainActor @Suite("DeleteAccountModel and ExportModel") struct AccountEndTests {
    private final class Account: AccountLife {
        let refusals = Guarded<[AuthErrorCode]>([])
        let calls = Guarded<[String]>([])
        let explanation = Guarded<DeletionExplanation?>(nil)
        let dueAt: Instant?

        init(dueAt: Instant? = nil) { self.dueAt = dueAt }

        private func call(_ name: String) throws(AuthError) {
            let refusal = refusals.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            calls.withLock { $0.append(name) }
            if let refusal { throw AuthError(refusal) }
        }
        func explainDeletion() async throws(AuthError) -> DeletionExplanation? {
            try call("explain")
            return explanation.value
        }
        func delete() async throws(AuthError) -> AccountDeletion {
            try call("delete")
            return AccountDeletion(dueAt: dueAt)
        }
        func requestExport() async throws(AuthError) -> Instant? {
            try call("export")
            return dueAt
        }
    }

    private let service = ScriptedService(.signedIn(.ann))
    private let step = AwaitedStep(kind: .oneTimePassword, ticket: Secret(["factor": "f1"]))
    private let cleared = Guarded(0)

    private func model(_ account: Account) -> DeleteAccountModel {
        DeleteAccountModel(service: service, account: account) { [cleared] in cleared.withLock { $0 += 1 } }
    }

    private func asked(_ model: DeleteAccountModel) async {
        model.ask()
        model.understood()
        model.password = "Passw0rd"
        await model.confirm()
    }

    @Test("G-10.2 The dialog says what it means at this server, and that it is for good where nobody says")
    func explains() async {
        let account = Account()
        account.refusals.withLock { $0 = [.network] }
        let model = model(account)
        model.ask()
        await model.load()
        #expect(model.explanation == nil && model.error?.code == .network && model.message?.key == .deleteLead)
        account.explanation.withLock { $0 = DeletionExplanation(grace: .days(7), erased: ["profile"]) }
        await model.load()
        #expect(model.explanation?.erased == ["profile"] && model.message?.key == .deleteGrace)
        #expect(account.calls.value == ["explain", "explain"])
    }

    @Test("G-10.2 A dialog that was closed over a wrong password says nothing of it when it is opened anew")
    func anew() async {
        let model = model(Account())
        service.on("reauthenticate", .error(.invalidCredentials))
        await asked(model)
        #expect(model.error?.code == .invalidCredentials)
        model.cancel()
        model.ask()
        #expect(model.error == nil && model.stage == .explaining && model.password.isEmpty)
    }

    @Test(
        "G-9 G-10.4 Who has a second factor is asked for it before anything goes, by the new sign-in or in the session")
    func factor() async {
        let account = Account(dueAt: Instant(seconds: 1_800_000_000))
        account.refusals.withLock { $0 = [.insufficientAssurance] }
        let model = model(account)
        service.asks("reauthenticate", step)
        await asked(model)
        #expect(model.stage == .provingFactor && model.password.isEmpty && account.calls.value.isEmpty)
        // Shown in the sign-in; the server wants it in the session too.
        service.asks("beginStepUp", step)
        model.factor?.code = "123456"
        await model.factor?.submit()
        #expect(model.stage == .provingFactor && account.calls.value == ["delete"] && cleared.value == 0)
        model.factor?.code = "654321"
        await model.factor?.submit()
        #expect(model.stage == .deleted && model.factor == nil && cleared.value == 1)
        #expect(model.message?.key == .deleteDue && model.dueAt == Instant(seconds: 1_800_000_000))
    }

    @Test("G-10.4 What can't be shown deletes nothing, and the dialog that was closed asks for nothing any more")
    func refused() async {
        let account = Account()
        account.refusals.withLock { $0 = [.insufficientAssurance] }
        let model = model(account)
        await asked(model)
        // There is nothing to raise the session by.
        #expect(model.stage == .proving && model.error?.code == .factorNotFound && cleared.value == 0)
        service.asks("reauthenticate", step)
        service.hold()
        let count = service.calls.count
        let proving = Task {
            model.password = "Passw0rd"
            await model.confirm()
        }
        await service.untilCalled(count + 1)
        model.cancel()
        service.release()
        await proving.value
        #expect(model.stage == .closed && model.factor == nil && account.calls.value == ["delete"])
    }

    @Test("G-10.4 R13.1 Who has signed in while the dialog was open keeps their account, whoever has shown what")
    func somebodyElse() async {
        let account = Account()
        let model = model(account)
        service.asks("reauthenticate", step)
        await asked(model)
        service.become(.signedIn(.bob))
        model.factor?.code = "123456"
        await model.factor?.submit()
        #expect(account.calls.value.isEmpty && cleared.value == 0 && model.stage != .deleted)
    }

    @Test("G-10.4 Who signs in by a number shows their password; who has no name to sign in by is told so")
    func withoutAddress() async {
        let account = Account()
        service.become(.signedIn(SessionUser(subject: "ann", phoneNumber: "+15555550100")))
        let model = model(account)
        await asked(model)
        #expect(model.stage == .deleted && account.calls.value == ["delete"])

        service.become(.signedIn(SessionUser(subject: "cyd")))
        let other = self.model(account)
        await asked(other)
        #expect(other.stage == .proving && other.error?.code == .unsupported && other.password.isEmpty)
        #expect(account.calls.value == ["delete"])
    }

    @Test("G-10.4 R13.1 A dialog that has deleted an account begins anew for who signs in next, and for nobody else")
    func nextUser() async {
        let account = Account(dueAt: Instant(seconds: 9))
        let model = model(account)
        await asked(model)
        #expect(model.stage == .deleted && model.dueAt != nil)
        model.ask()
        #expect(model.stage == .deleted)
        service.become(.signedIn(.bob))
        model.ask()
        #expect(model.stage == .explaining && model.dueAt == nil && account.calls.value == ["delete"])
    }

    @Test("G-10.4 An export is asked for once, says until when its link works, and why it was not sent")
    func export() async {
        let account = Account(dueAt: Instant(seconds: 9))
        let model = ExportModel(account: account)
        #expect(model.message.key == .exportLead)
        account.refusals.withLock { $0 = [.reauthenticationNeeded] }
        await model.request()
        #expect(!model.isSent && model.error?.code == .reauthenticationNeeded)
        await model.request()
        #expect(model.isSent && model.linkLivesUntil == Instant(seconds: 9) && model.message.key == .exportSent)
        await model.request()
        #expect(account.calls.value == ["export", "export"])
        // Who comes to the screen next has asked for nothing yet.
        model.leave()
        #expect(!model.isSent && model.linkLivesUntil == nil && model.message.key == .exportLead)
        // A vendor that has none says so.
        let vendor = ExportModel(account: VendorAccount(service))
        await vendor.request()
        #expect(!vendor.isSent && vendor.error?.code == .unsupported)
    }
}
