// SPDX-License-Identifier: Apache-2.0

import ClientTestSupport
import LatchkeyClient
import Testing

// An app with many tasks on a network that does to every second request what networks do.
extension BadNetworkTests {
    /// What came of a storm for those who asked for tokens and those who watched.
    private final class Witness: Sendable {
        private let inside = Guarded<(states: [String], errors: [AuthError], subjects: Set<String>)>(([], [], []))

        func saw(_ state: AuthState) {
            if let reason = state.reason { inside.withLock { $0.states.append(reason.rawValue) } }
        }
        func got(_ token: Secret<String>) {
            let subject = (try? IDTokenClaims(reading: token))?.subject ?? "no token"
            inside.withLock { _ = $0.subjects.insert(subject) }
        }
        func got(_ error: AuthError) { inside.withLock { $0.errors.append(error) } }

        /// Why the session was shown as over, each reason once.
        var reasons: Set<String> { Set(inside.value.states) }
        var errors: [AuthError] { inside.value.errors }
        /// Whose tokens were given since the last time.
        func subjects() -> Set<String> {
            inside.withLock { inside in
                defer { inside.subjects = [] }
                return inside.subjects
            }
        }
    }

    /// The device's time passes with the network's.
    private func passing<Value>(_ clock: ManualClock, _ body: () async throws -> Value) async rethrows -> Value {
        let time = Task {
            while (try? await Task.sleep(for: .milliseconds(20))) != nil { clock.advance(by: .milliseconds(20)) }
        }
        defer { time.cancel() }
        return try await body()
    }

    /// Six tasks ask for a token at once, twice each.
    private func ask(_ service: SessionService, _ witness: Witness) async {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    for time in 0..<2 {
                        do throws(AuthError) {
                            let token = try await service.accessToken()
                            witness.got(token)
                            // Whoever says so again within half a minute is told that it does not help.
                            if (number, time) == (0, 0) { witness.got(try await service.accessToken(insteadOf: token)) }
                        } catch { witness.got(error) }
                    }
                }
            }
        }
    }

    /// Signs in as often as it takes, and a bounded number of times.
    private func signIn(_ service: SessionService, _ proof: SignInProof) async throws -> SessionUser? {
        for _ in 0..<8 {
            if case .signedIn(let user)? = try? await service.signIn(with: proof) { return user }
            try await proxy.untilQuiet()
        }
        return nil
    }

    @Test(
        "R13.9 F2 F6 F10 Y-SC2 On a network that delays, cuts, repeats and reorders, whoever does not sign out stays signed in, and gets nobody else's token",
        arguments: Dialect.allCases, [1, 2] as [UInt64])
    func storm(_ spoken: Dialect, seed: UInt64) async throws {
        proxy.calm()
        let addresses = [server.freshAddress("ada"), server.freshAddress("grace")]
        for address in addresses {
            let made = try Device(.supabase, at: server)
            try await made.register(address, with: await made.start())
        }
        // On the pages it is the browser's user who signs in.
        let vendor = try await vendor(spoken, of: addresses[0])
        let users = spoken == .openID ? [addresses[0]] : addresses
        let device = try Device(vendor, at: server)
        let (service, witness) = (await device.start(), Witness())
        let watching = Task { for await state in service.states() { witness.saw(state) } }
        defer { watching.cancel() }
        var address = users[0]
        var present = try await service.signIn(with: vendor.proof(users[0], Device.password)).user
        proxy.storm(seed: seed)
        device.transport.wait(atMost: .seconds(1))
        try await passing(device.clock) {
            for round in 0..<6 {
                if round % 3 == 2 {
                    await service.signOut(SignOutOptions())
                    #expect(service.liveAccessToken == nil && service.state.user == nil)
                    _ = witness.subjects()
                    address = users[(round / 3 + 1) % users.count]
                    present = try await signIn(service, vendor.proof(address, Device.password))
                }
                device.clock.advance(by: .hours(2))
                await ask(service, witness)
                #expect(witness.subjects().isSubset(of: [present?.subject ?? "nobody"]))
                #expect(service.state.user?.subject == present?.subject, "\(proxy.record)")
                // The device's hours are the server's moments: nothing of before arrives after it.
                try await proxy.untilQuiet()
            }
            let record = proxy.record
            proxy.calm()
            #expect(witness.reasons.isSubset(of: ["neverSignedIn", "userSignedOut"]), "\(record)")
            #expect(witness.errors.allSatisfy { !$0.code.endsSession }, "\(witness.errors)\n\(record)")
            if present == nil { present = try await service.signIn(with: vendor.proof(address, Device.password)).user }
            // The last retry may be minutes away.
            device.clock.advance(by: .hours(2))
            let token = try await service.accessToken()
            #expect(try IDTokenClaims(reading: token).subject == present?.subject)
            #expect(try await device.client(service).me()["email"]?.stringValue == address)
            #expect(try await device.storedTokens().accessToken.reveal() == token.reveal())
            let next = await device.start()
            #expect(next.state.user?.subject == present?.subject)
        }
    }
}
