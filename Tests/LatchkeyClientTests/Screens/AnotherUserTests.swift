// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import TestSupport
import Testing

/// What one user was shown, when another is there.
@MainActor @Suite("A change of user on an account's screens", .timeLimit(.minutes(2))) struct AnotherUserTests {
    private let service = ScriptedService(.signedIn(.ann))
    private let app = SecondFactor(id: "f1", kind: .authenticator)

    private func factors() async -> FactorsModel {
        service.has(SecondFactors(factors: [app], backupCodesLeft: 3))
        let model = FactorsModel(service: service)
        await model.load()
        await model.makeBackupCodes()
        #expect(model.factors == [app] && !model.backupCodes.isEmpty)
        return model
    }

    private func passkeys() async -> PasskeysModel {
        let model = PasskeysModel(service: service)
        await model.load()
        #expect(model.passkeys.count == 1)
        return model
    }

    @Test(
        "G-9 R13.8 Who follows the session empties the screen with its user: neither factors nor backup codes are the next one's to read",
        arguments: [AuthState.signedIn(.bob), .signedOut(.userSignedOut)])
    func followed(next: AuthState) async throws {
        let (factors, passkeys) = (await factors(), await passkeys())
        let following = [Task { await factors.follow() }, Task { await passkeys.follow() }]
        service.become(next)
        try await eventually("both screens are empty") { factors.factors.isEmpty && passkeys.passkeys.isEmpty }
        #expect(factors.backupCodes.isEmpty && factors.backupCodesLeft == nil && factors.message == nil)
        #expect(passkeys.emptyMessage == nil)
        for task in following { task.cancel() }
    }

    @Test("G-4.3 R13.8 Where a mail of confirmation went is told to nobody but whose address it is")
    func banner() async throws {
        service.become(.signedIn(.unverified))
        let model = VerificationBannerModel(service: service)
        await model.resend()
        #expect(model.notice?.values["destination"] == "ann@a.test")
        let following = Task { await model.follow() }
        service.become(.signedIn(SessionUser(subject: "bob", email: "bob@b.test", emailVerified: false)))
        try await eventually("the banner shows the new user's address") {
            model.message?.values["email"] == "bob@b.test"
        }
        #expect(model.notice == nil && model.canResend)
        following.cancel()
    }

    @Test("R13.8 The same user refreshed, offline or over the limit loses nothing of the screen")
    func same() async {
        let model = await factors()
        for state in [AuthState.refreshing(.ann), .offline(.full, .ann), .blocked(.ann), .signedIn(.ann)] {
            service.become(state)
            await model.load()
            #expect(model.factors == [app] && !model.backupCodes.isEmpty)
        }
    }

    @Test("G-9 R13.8 What is pressed on what another user was shown is done to nobody")
    func pressed() async {
        let (factors, passkeys) = (await factors(), await passkeys())
        service.enrols(FactorEnrolment(kind: .phone, ticket: Secret(["factor": "f2"])))
        await factors.add(NewSecondFactor(.phone))
        factors.code = "123456"
        service.become(.signedIn(.bob))
        let count = service.calls.count
        await factors.confirm()
        await passkeys.remove(Passkey(id: "p1", name: "Laptop"))
        #expect(service.calls.count == count)
        #expect(factors.factors.isEmpty && factors.enrolment == nil && factors.code.isEmpty)
        #expect(passkeys.passkeys.isEmpty)
        // Theirs, once it is loaded anew.
        await factors.load()
        #expect(factors.factors == [app] && factors.error == nil)
        await factors.remove(app)
        #expect(service.calls.contains("removeFactor f1"))
    }

    @Test("G-9 R13.8 An answer that comes after its user has gone is shown to nobody, and nobody is asked for it")
    func late() async {
        let model = await factors()
        let step = AwaitedStep(kind: .oneTimePassword, ticket: Secret(["factor": "f1"]))
        for call in ["makeBackupCodes", "secondFactors", "removeFactor"] {
            service.become(.signedIn(.ann))
            await model.load()
            model.forgetBackupCodes()
            if call == "removeFactor" {
                service.on(call, .error(.insufficientAssurance))
                service.asks("beginStepUp", step)
            }
            service.hold()
            let count = service.calls.count
            let task = Task {
                switch call {
                case "makeBackupCodes": await model.makeBackupCodes()
                case "secondFactors": await model.load()
                default: await model.remove(app)
                }
            }
            await service.untilCalled(count + 1)
            service.become(.signedIn(.bob))
            service.release()
            await task.value
            #expect(model.factors.isEmpty && model.backupCodes.isEmpty && model.backupCodesLeft == nil, "\(call)")
            #expect(model.proof == nil && !model.needsSignIn && model.error == nil && model.notice == nil, "\(call)")
        }
    }

    @Test("Y-US4 R13.8 A list of activities that knows whose it is begins anew with the next user")
    func activities() async {
        let read = Guarded(0)
        let model = ActivitiesModel(service: service) { [read] in
            let number = read.withLock { count in
                count += 1
                return count
            }
            return AsyncStream<[Int]> { continuation in
                continuation.yield([number])
                continuation.finish()
            }
        }
        await model.loadMore()
        #expect(model.items == [1])
        service.become(.signedIn(.bob))
        await model.loadMore()
        #expect(model.items == [2])
    }

    @Test("G-13.1 G-13.6 R13.8 A dialog before signing out signs out whom it was opened for, and nobody who came since")
    func signOut() async {
        let model = SignOutModel(service: service)
        await model.ask()
        service.become(.signedIn(.bob))
        await model.confirm()
        #expect(service.calls.isEmpty && !model.isAsking)
        await model.ask()
        await model.confirm()
        #expect(service.calls == ["signOut local false"])
        // Whose session ended by itself meanwhile may still have what is theirs cleared.
        service.become(.signedIn(.ann))
        await model.ask()
        service.become(.signedOut(.sessionExpired))
        await model.confirm()
        #expect(service.calls.count == 2)
    }

    @Test("G-3.4 R13.8 A password that is set by the session of a link is set for nobody who came since")
    func reset() async {
        let model = ResetConfirmModel(proof: .session, service: service)
        model.password.text = "Passw0rd"
        service.become(.signedIn(.bob))
        await model.submit()
        #expect(service.calls.isEmpty && !model.isDone && model.password.text.isEmpty)
        service.become(.signedIn(.ann))
        model.password.text = "Passw0rd"
        await model.submit()
        #expect(service.calls == ["changePassword"] && model.isDone)
    }
}
