// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import ClientStorage
import ClientTestSupport
import Testing

@testable import CognitoClient

/// A device that a pool remembers: confirmed once for each user, named and shown in their later sign-ins.
struct RememberedDeviceTests {
    private let pool = RememberingPool()
    private let store = MemoryStore()
    private let ada = SignInProof.password(identifier: "ada@example.org", password: Secret("hidden-1"))

    private func backend(
        _ store: (any SecureStore)? = nil, name: String? = nil
    ) -> (CognitoBackend, ScriptedTransport) {
        var configuration = Recorded.configuration
        configuration.deviceName = name
        let transport = Recorded.service { [pool] operation, input throws(TransportError) in
            try pool.answer(operation, input)
        }
        return (
            CognitoBackend(
                configuration, transport: transport, clock: ManualClock(now: Recorded.date),
                devices: store ?? self.store), transport
        )
    }

    private func grant(_ step: SignInStep) throws -> SessionGrant {
        guard case .session(let grant) = step else { throw AuthError(.unsupported) }
        return grant
    }

    private func device(_ grant: SessionGrant) -> String? { grant.tokens.attachments.reveal()["device"] }

    @Test(
        "G-9 C-2 A device is confirmed at one sign-in, and shows its secret at the next, after a restart of the app too"
    )
    func remembered() async throws {
        let first = try grant(try await backend(name: "Ada's phone").0.signIn(ada))
        let (backend, transport) = backend()
        let second = try grant(try await backend.signIn(ada))
        #expect(device(first) == "eu-west-1_ada-name_1" && device(second) == device(first))
        #expect(await transport.operations == ["InitiateAuth", "RespondToAuthChallenge", "RespondToAuthChallenge"])
        let asked = await transport.inputs
        #expect(asked[1]["ChallengeName"] == "DEVICE_SRP_AUTH" && asked[1]["Session"] == "session-DEVICE_SRP_AUTH")
        #expect(asked[2]["Session"] == "session-DEVICE_PASSWORD_VERIFIER")
        #expect(pool.state.value.devices.count == 1)
        // By the pool's own name too, without being told of it.
        _ = try grant(
            try await backend.signIn(.password(identifier: "ada-name", password: Secret("hidden-1"))))
        #expect(pool.state.value.devices.count == 1)
    }

    @Test("C-13 The secret is in the store alone, and no password is; without a store each sign-in is on a new device")
    func kept() async throws {
        let (backend, transport) = backend(name: "Ada's phone")
        let grant = try grant(try await backend.signIn(ada))
        let bytes = try #require(try await store.read(KnownDevices.key))
        let known = try #require(KnownDevices(bytes)?.all.first)
        #expect(known.isConfirmed && Base64.decode(known.secret.reveal())?.count == 40)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("hidden-1"))
        for value in [grant, backend, known] as [Any] { #expect(!"\(value)".contains(known.secret.reveal())) }
        for request in await transport.requests {
            #expect(!String(decoding: request.body, as: UTF8.self).contains(known.secret.reveal()))
        }
        #expect(await transport.inputs.last?["DeviceName"] == "Ada's phone")
        let transport2 = Recorded.service { [pool] operation, input throws(TransportError) in
            try pool.answer(operation, input)
        }
        let without = CognitoBackend(
            Recorded.configuration, transport: transport2, clock: ManualClock(now: Recorded.date))
        let other = try self.grant(try await without.signIn(ada))
        #expect(device(other) != device(grant) && pool.state.value.devices.count == 2)
    }

    @Test(
        "G-9 A device is one user's: another's sign-in here names none of it, nor does an address that has become theirs"
    )
    func perUser() async throws {
        let (backend, transport) = backend()
        _ = try grant(try await backend.signIn(ada))
        let grace = try grant(
            try await backend.signIn(.password(identifier: "grace", password: Secret("hidden-2"))))
        #expect(device(grace) == "eu-west-1_grace_2")
        #expect(
            await transport.inputs.filter { $0["AuthFlow"] != nil }.allSatisfy {
                $0["AuthParameters"]?.objectValue?["DEVICE_KEY"] == nil
            })
        pool.state.withLock { $0.owners["ada@example.org"] = "grace" }
        let moved = try grant(try await backend.signIn(ada))
        #expect(moved.user?.subject == "sub of grace")
        // Ada's is hers still, by her own name.
        _ = try await backend.signIn(.password(identifier: "ada-name", password: Secret("hidden-1")))
        #expect(await transport.inputs.last?["ChallengeName"] == "DEVICE_PASSWORD_VERIFIER")
        #expect(pool.state.value.devices.keys.contains("eu-west-1_ada-name_1"))
    }

    @Test(
        "G-9 R13.3 A device that the pool has forgotten, or whose secret it does not take, is a new one, in the same sign-in"
    )
    func forgottenThere() async throws {
        let (backend, _) = backend()
        _ = try grant(try await backend.signIn(ada))
        pool.state.withLock { $0.devices = [:] }
        #expect(device(try grant(try await backend.signIn(ada))) == "eu-west-1_ada-name_2")
        pool.spoil()
        #expect(device(try grant(try await backend.signIn(ada))) == "eu-west-1_ada-name_3")
        #expect(device(try grant(try await backend.signIn(ada))) == "eu-west-1_ada-name_3")
    }

    @Test(
        "R13.3 A confirmation whose answer was lost counts: the next refresh learns of it, and the secret is the same")
    func lost() async throws {
        pool.state.withLock { $0.losesConfirmation = true }
        let (backend, _) = backend()
        let first = try grant(try await backend.signIn(ada))
        #expect(first.tokens.attachments.reveal()["device.group"] == RememberingPool.group)
        // Not shown before the pool is known to have it.
        #expect(await backend.devices?.find("ada-name") == nil)
        let settled = await backend.confirmed(
            try #require(PoolDevice(in: first.tokens.attachments.reveal())), of: "ada-name", typed: nil,
            with: first.tokens.accessToken)
        #expect(settled.device.group == nil && settled.failure == nil)
        #expect(device(try grant(try await backend.signIn(ada))) == device(first))
    }

    @Test(
        "G-9 A second factor is asked for on a device that spares none, which is named there; one forgotten meanwhile is not"
    )
    func beside() async throws {
        let (backend, transport) = backend()
        pool.state.withLock { $0.asksForCode = true }
        guard case .awaiting(let step) = try await backend.signIn(ada) else { throw AuthError(.unsupported) }
        #expect(step.ticket.reveal()["device"] == nil)
        let grant = try grant(try await backend.answer(step, with: .code(Secret("123456"))))
        var known = step
        known.ticket = Secret(step.ticket.reveal().merging(["device": device(grant) ?? ""]) { $1 })
        _ = try await backend.answer(known, with: .code(Secret("123456")))
        let named = { (input: JSONObject?) in input?["ChallengeResponses"]?.objectValue?["DEVICE_KEY"]?.stringValue }
        #expect(named(await transport.inputs.last) == device(grant))
        pool.state.withLock { $0.devices = [:] }
        let again = try self.grant(try await backend.answer(known, with: .code(Secret("123456"))))
        #expect(device(again) != device(grant))
    }

    @Test(
        "G-9 G-13 A sign-out leaves the device remembered, as the vendor's do; forgetting it and the end of the account do not"
    )
    func ends() async throws {
        let (backend, transport) = backend()
        let first = try grant(try await backend.signIn(ada))
        try await backend.revoke(first.tokens, scope: .local)
        let second = try grant(try await backend.signIn(ada))
        #expect(device(second) == device(first))
        let after = try await backend.forgetDevice(second.tokens)
        #expect(device(after) == nil && after.tokens.refreshToken?.reveal() == second.tokens.refreshToken?.reveal())
        #expect(pool.state.value.devices.isEmpty)
        #expect(try await store.read(KnownDevices.key) == nil)
        await #expect(throws: AuthError(.deviceNotFound)) { try await backend.forgetDevice(after.tokens) }
        let third = try grant(try await backend.signIn(ada))
        try await backend.rememberDevice(false, third.tokens)
        #expect(await transport.inputs.last?["DeviceRememberedStatus"] == "not_remembered")
        try await backend.deleteAccount(third.tokens)
        #expect(try await store.read(KnownDevices.key) == nil)
    }

    @Test(
        "G-10.5 An account that another service of the app's has ended leaves no device here, and everybody else's stays"
    )
    func endedElsewhere() async throws {
        pool.state.withLock { $0.owners["ben@example.org"] = "ben-name" }
        let (backend, transport) = backend()
        let service = SessionService(backend: backend, store: store, clock: ManualClock(now: Recorded.date))
        _ = try await service.signIn(with: .password(identifier: "ben@example.org", password: Secret("pw-8-Letters")))
        await service.signOut(SignOutOptions())
        _ = try await service.signIn(with: ada)
        #expect(await backend.devices?.find("ada@example.org") != nil)
        let deletion = try await service.deleteAccount { _ throws(AuthError) in
            AccountDeletion(dueAt: Recorded.date + .days(7))
        }
        #expect(deletion.dueAt != nil)
        #expect(await backend.devices?.find("ada@example.org") == nil)
        #expect(await backend.devices?.find("ben@example.org") != nil)
        #expect(await !transport.operations.contains("DeleteUser"))
    }

    @Test("Y-E3 What is damaged in the store is no device and no error; a store that is locked is not written over")
    func damaged() async throws {
        let (backend, _) = backend()
        let bytes: [[UInt8]] = [[], [0xFF], Array("{}".utf8), Array(#"{"version":1,"devices":[{}]}"#.utf8)]
        for bytes in bytes {
            try await store.write(bytes, for: KnownDevices.key)
            _ = try grant(try await backend.signIn(ada))
            #expect(await backend.devices?.find("ada@example.org") != nil)
        }
        var many = KnownDevices()
        for number in 0..<50 {
            var device = KnownDevice(
                pool: "p", username: "user-\(number)", key: "k\(number)", group: "g", secret: Secret("s"))
            for name in 0..<50 { device.note("name-\(name)") }
            many.add(device)
        }
        let read = try #require(KnownDevices(many.bytes))
        #expect(read.all.count == KnownDevices.limit && read.all.last?.username == "user-49")
        #expect(read.all.allSatisfy { $0.typed.count == KnownDevice.mostNames && $0.typed.last == "name-49" })
    }
}
