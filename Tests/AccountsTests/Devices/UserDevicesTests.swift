// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import Testing

@testable import Accounts

@Suite("Remembered devices") struct UserDevicesTests {
    private static let verifier = SRPVerifier(
        salt: [UInt8](repeating: 3, count: 16), verifier: Secret([UInt8](repeating: 7, count: 384)))

    private func bench() async throws -> FactorBench {
        let bench = try await FactorBench {
            $0.devices.tracked = true
            $0.devices.spareFactor = true
        }
        return bench
    }

    /// By a client that knows of devices.
    private func call(_ bench: FactorBench, after span: TimeSpan = .zero) -> CallContext {
        bench.call(after: span).with { $0.tracksDevices = true }
    }

    private func confirm(
        _ session: AuthenticatedUser, _ bench: FactorBench, after span: TimeSpan = .zero
    ) async throws -> RememberedDevice {
        let id = try #require(session.session?.rememberedDevice)
        return try await UserDevices(bench.ports).confirm(
            id, Self.verifier, named: nil, of: session, call: call(bench, after: span))
    }

    private func devices(of user: User, _ bench: FactorBench) async throws -> [RememberedDevice] {
        try await bench.base.store.read { try $0.rememberedDevices(of: user.id, in: user.directoryID) }
    }

    @Test("G-6 who has as many devices as they may loses the one that was used the longest ago, and its sessions")
    func room() async throws {
        let bench = try await bench()
        let user = try await bench.base.user()
        let first = try await bench.signedIn(at: call(bench))
        let oldest = try await confirm(first, bench)
        try await bench.ports.write(call(bench)) { step in
            for index in 1..<RememberedDevice.mostOfUser {
                var device = oldest
                device.id = RememberedDeviceID("device-\(index)")
                device.lastUsedAt = step.now + .seconds(Int64(index))
                try step.tx.insert(device)
            }
        }
        let newest = try await confirm(try await bench.signedIn(at: call(bench, after: .minutes(5))), bench)
        let left = try await devices(of: user, bench).map(\.id)
        #expect(left.count == RememberedDevice.mostOfUser && left.contains(newest.id) && !left.contains(oldest.id))
        #expect(try await bench.stored(try #require(first.session)).revokedAt != nil)
    }

    @Test("G-6 a device is its user's alone, and an operator's right is asked for")
    func strangers() async throws {
        let bench = try await bench()
        _ = try await bench.base.user()
        _ = try await bench.base.user("b@example.com")
        let device = try await confirm(try await bench.signedIn(at: call(bench)), bench)
        let stranger = try await bench.signedIn("b@example.com", at: call(bench))
        let flow = UserDevices(bench.ports)
        let call = call(bench)
        #expect(
            await bench.refusal { _ = try await flow.get(device.id, of: .caller(stranger), call: call) }
                == .deviceNotFound)
        #expect(
            await bench.refusal { try await flow.remember(device.id, false, of: .caller(stranger), call: call) }
                == .deviceNotFound)
        #expect(
            await bench.refusal { try await flow.forget(device.id, of: .caller(stranger), call: call) }
                == .deviceNotFound)
        #expect(
            await bench.refusal { _ = try await flow.list(of: .user(device.userID), call: call) } == .forbidden)
        // Naming it does not sign anybody else in on it, and nothing of the try is kept.
        let named = call.with { $0.namedDevice = device.id }
        #expect(await bench.refusal { _ = try await bench.next("b@example.com", at: named) } == .deviceNotFound)
    }

    @Test("G-9.2 the session that remembers a device makes it worth what it has shown, and of nobody else's")
    func worth() async throws {
        let bench = try await bench()
        let user = try await bench.base.user()
        let early = try await bench.signedIn(at: call(bench, after: .minutes(-10)))
        let device = try await confirm(early, bench, after: .minutes(-10))
        #expect(device.assurance == .aal1)
        let before = bench.open(after: .minutes(-5))
        let session = try await bench.signedIn(at: before)
        let enrolled = try await EnrolFactor(bench.ports)(.totp(issuer: nil), named: "app", for: session, call: before)
        guard case .totp(let secret) = enrolled.factor.credential else { throw AuthError(.conflict) }
        let code = FactorCheck.totp.code(at: FactorCheck.totp.step(at: before.now), of: secret)
        let raised = try await StepUp(bench.ports)(
            .code(code, of: enrolled.factor.id, challenge: nil), of: session, call: before)
        let owner = try await bench.base.authenticated(raised, at: before)
        // A session elsewhere says so: what was shown there was not shown on it.
        try await UserDevices(bench.ports).remember(
            device.id, true, of: .caller(owner), call: call(bench))
        #expect(try await devices(of: user, bench).first?.assurance == .aal1)
        let pending = try await bench.next(at: call(bench).with { $0.namedDevice = device.id })
        #expect(pending.pendingStep == .device)
        // Whoever does not name it is asked for the factor, and one that is not remembered is not asked for its secret.
        #expect(try await bench.next(at: call(bench)).pendingStep == .secondFactor)
        try await UserDevices(bench.ports).remember(
            device.id, false, of: .caller(owner), call: call(bench))
        #expect(try await bench.next(at: call(bench).with { $0.namedDevice = device.id }).pendingStep == .secondFactor)
    }

    @Test("G-9.2 a token of before the factor was shown in its session confirms a device that is worth nothing")
    func oldToken() async throws {
        let bench = try await bench()
        _ = try await bench.base.user()
        let before = bench.open(after: .minutes(-5)).with { $0.tracksDevices = true }
        let session = try await bench.signedIn(at: before)
        let enrolled = try await EnrolFactor(bench.ports)(.totp(issuer: nil), named: "app", for: session, call: before)
        guard case .totp(let secret) = enrolled.factor.credential else { throw AuthError(.conflict) }
        let code = FactorCheck.totp.code(at: FactorCheck.totp.step(at: before.now), of: secret)
        let raised = try await StepUp(bench.ports)(
            .code(code, of: enrolled.factor.id, challenge: nil), of: session, call: before)
        #expect(raised.session.assurance == .aal2)
        var stolen = session
        stolen.tokenIssuedAt = before.now - .seconds(60)
        #expect(try await confirm(stolen, bench).assurance == .aal1)
    }

    @Test("G-10.4 devices go with the account, and with what a stranger has left in one that its owner takes over")
    func gone() async throws {
        let bench = try await bench()
        let user = try await bench.base.user()
        let other = try await bench.base.user("b@example.com")
        for email in ["a@example.com", "b@example.com"] {
            _ = try await confirm(try await bench.signedIn(email, at: call(bench)), bench)
        }
        try await bench.ports.write(call(bench)) { step in
            try AccountEnding(step).delete(try step.tx.liveUser(user.id, in: step.directory))
            var owner = try step.tx.liveUser(other.id, in: step.directory)
            try AccountTakeover(step, by: .identity).apply(to: &owner)
            try step.tx.update(owner)
        }
        #expect(try await devices(of: user, bench).isEmpty)
        #expect(try await devices(of: other, bench).isEmpty)
    }

    @Test(
        "G-9.2 where sessions end since somebody else may have one, a device spares nobody a factor until one is shown on it again"
    )
    func doubted() async throws {
        let bench = try await bench()
        let user = try await bench.base.user()
        let session = try await bench.signedIn(at: call(bench))
        let own = try await confirm(session, bench)
        let other = RememberedDeviceID("other")
        try await bench.base.store.write { tx in
            var device = own
            device.id = other
            try tx.insert(device)
        }
        func worth() async throws -> [RememberedDeviceID: AssuranceLevel] {
            let now = try await devices(of: user, bench).map { ($0.id, $0.assurance) }
            // As it was before, for what follows.
            try await bench.base.store.write { tx in
                for var device in try tx.rememberedDevices(of: user.id, in: user.directoryID) {
                    device.assurance = .aal2
                    try tx.update(device)
                }
            }
            return Dictionary(uniqueKeysWithValues: now)
        }
        _ = try await worth()
        try await SignOut(bench.ports)(session, scope: .others, call: call(bench))
        #expect(try await worth() == [own.id: .aal2, other: .aal1])
        try await bench.ports.write(call(bench)) { step in
            var owner = try step.tx.liveUser(user.id, in: step.directory)
            try PasswordReplacement(step, by: .session(session.session?.id)).apply(.none, to: &owner)
            try step.tx.update(owner)
        }
        #expect(try await worth() == [own.id: .aal2, other: .aal1])
        try await SignOut(bench.ports)(session, scope: .global, call: call(bench))
        #expect(try await worth() == [own.id: .aal1, other: .aal1])
        // One session that takes the place of another says nothing of a device.
        try await bench.ports.write(call(bench)) {
            _ = try SessionEnding($0).endAll(of: user.id, because: .replaced)
        }
        #expect(try await worth() == [own.id: .aal2, other: .aal2])
    }
}
