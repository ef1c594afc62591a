// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Signing in without sending the password.
@Suite struct SRPSignInTests {
    private func signIn(
        _ bench: PasswordBench, _ flow: SRPSignIn? = nil, _ identifier: SignInIdentifier? = nil,
        password: String = PasswordBench.password, call: CallContext? = nil
    ) async throws -> IssuedSession {
        let flow = flow ?? SRPSignIn(bench.ports)
        let call = call ?? bench.call()
        let client = try SRPClient()
        let challenge = try await flow.begin(
            identifier ?? bench.email(), clientPublic: client.publicValue, call: call)
        let wanted = try client.sharedSecret(challenge, password: password, realm: bench.base.directory.id.rawValue)
        return try await flow.finish(state: challenge.state, call: call) {
            constantTimeEqual($0.sharedSecret, wanted)
        }.session()
    }

    @Test("RFC 5054 a client with the password shares the server's secret and gets a session, at no password hash")
    func rightPassword() async throws {
        let bench = try await PasswordBench.withSRP()
        let user = try await bench.srpUser { $0.username = try Username("Ada") }
        for identifier in [try bench.email(), .username(try Username("ADA")), .user(user.id)] {
            let issued = try await signIn(bench, nil, identifier)
            #expect(issued.user.id == user.id && issued.session.methods.map(\.name) == [.password])
        }
        #expect(bench.passwords.all == 0)
        #expect(try await bench.base.events(.signedIn).count == 3)
    }

    @Test("G-1.3 a wrong password opens nothing, and is written down")
    func wrongPassword() async throws {
        let bench = try await PasswordBench.withSRP()
        let user = try await bench.srpUser()
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await signIn(bench, password: "Wrong-Horse-7")
        }
        let event = try #require(try await bench.base.events(.signInFailed).first)
        #expect(event.userID == user.id && event.details["reason"] == "invalid_credentials")
    }

    @Test("G-1.3 every user state takes the same steps: one challenge, one judgement, one audit event, no hash")
    func sameWork() async throws {
        for state in ["unknown", "passwordless", "no verifier", "deleted", "right user", "disabled"] {
            let bench = try await PasswordBench.withSRP { $0.password.srpEnabled = state != "disabled" }
            switch state {
            case "passwordless": try await bench.user { $0.passwordHash = nil }
            case "no verifier": try await bench.user()
            case "deleted":
                let user = try await bench.srpUser()
                try await bench.ports.write(bench.call()) { step in
                    let current = try #require(try step.tx.user(user.id, in: user.directoryID))
                    try AccountEnding(step).softDelete(current)
                }
            case "right user", "disabled": try await bench.srpUser()
            default: break
            }
            let (writes, events) = (bench.store.writes, try await bench.base.events().count)
            let flow = SRPSignIn(bench.ports)
            let client = try SRPClient()
            let challenge = try await flow.begin(bench.email(), clientPublic: client.publicValue, call: bench.call())
            #expect(challenge.salt.count == 16 && challenge.serverPublic.count == 384, "\(state)")
            #expect(UUIDText.isIdentifier(challenge.identity), "\(state)")
            #expect(challenge.state.count < 2048, "\(state)")
            #expect(bench.store.writes == writes, "\(state)")
            let judged = Mutex(0)
            await #expect(throws: AuthError(.invalidCredentials)) {
                _ = try await flow.finish(state: challenge.state, call: bench.call()) { _ in
                    judged.withLock { $0 += 1 }
                    return false
                }
            }
            #expect(judged.withLock { $0 } == 1, "\(state)")
            #expect(bench.store.writes == writes + 1, "\(state)")
            #expect(try await bench.base.events().count == events + 1, "\(state)")
            #expect(bench.passwords.all == 0, "\(state)")
        }
    }

    @Test("G-1.3 a made-up challenge has the same salt and identity each time, and no answer opens it")
    func decoy() async throws {
        let bench = try await PasswordBench.withSRP()
        let flow = SRPSignIn(bench.ports)
        let client = try SRPClient()
        let name = SignInIdentifier.username(try Username("Nobody"))
        let first = try await flow.begin(name, clientPublic: client.publicValue, call: bench.call())
        let spelled = SignInIdentifier.username(try Username("NOBODY"))
        let second = try await flow.begin(spelled, clientPublic: client.publicValue, call: bench.call(after: .days(9)))
        #expect(first.salt == second.salt && first.identity == second.identity)
        #expect(first.serverPublic != second.serverPublic && first.state != second.state)
        let other = try await flow.begin(bench.email(), clientPublic: client.publicValue, call: bench.call())
        #expect(other.salt != first.salt && other.identity != first.identity)
        await #expect(throws: AuthError(.invalidCredentials)) {
            _ = try await flow.finish(state: first.state, call: bench.call()) { _ in true }
        }
        #expect(try await bench.base.events(.signedIn).isEmpty)
    }

    @Test("RFC 5054 2.5.4 a public value that makes the secret known is refused, whoever is named")
    func knownSecrets() async throws {
        let bench = try await PasswordBench.withSRP()
        try await bench.srpUser()
        let prime = [UInt8](repeating: 0xFF, count: 384)
        for bad in [[], [0], [UInt8](repeating: 0, count: 384), prime, [1] + prime] as [[UInt8]] {
            for name in ["a@example.com", "nobody@example.com"] {
                await #expect(throws: AuthError(.invalidRequest)) {
                    try await SRPSignIn(bench.ports).begin(bench.email(name), clientPublic: bad, call: bench.call())
                }
            }
        }
    }

    @Test("A challenge is answered once, in time, by the client that it was made for")
    func singleUse() async throws {
        let bench = try await PasswordBench.withSRP()
        try await bench.srpUser()
        let flow = SRPSignIn(bench.ports)
        let client = try SRPClient()
        let app = Client(
            id: ClientID("app"), directoryID: bench.base.directory.id, name: "App", createdAt: bench.now,
            updatedAt: bench.now)
        var call = bench.call()
        call.client = app
        let challenge = try await flow.begin(bench.email(), clientPublic: client.publicValue, call: call)
        func finish(_ state: [UInt8], _ call: CallContext, _ verdict: Bool = true) async -> AuthError? {
            await bench.error { _ = try await flow.finish(state: state, call: call) { _ in verdict } }
        }
        #expect(await finish(challenge.state, bench.call())?.code == .invalidCredentials, "another client's")
        var late = call
        late.now = call.now + SRPSignIn.lifetime
        #expect(await finish(challenge.state, late)?.code == .invalidCredentials, "late")
        for index in [0, 12, challenge.state.count / 2, challenge.state.count - 1] {
            var forged = challenge.state
            forged[index] ^= 1
            #expect(await finish(forged, call)?.code == .invalidCredentials, "forged at \(index)")
        }
        #expect(await finish([], call)?.code == .invalidCredentials, "empty")
        // A wrong answer leaves the challenge open, a right one does not.
        #expect(await finish(challenge.state, call, false)?.code == .invalidCredentials)
        #expect(await finish(challenge.state, call) == nil)
        #expect(await finish(challenge.state, call)?.code == .invalidCredentials, "used")
    }

    @Test("Of many right answers to one challenge at once, one gets a session")
    func race() async throws {
        let bench = try await PasswordBench.withSRP()
        try await bench.srpUser()
        let flow = SRPSignIn(bench.ports)
        let client = try SRPClient()
        let call = bench.call()
        let state = try await flow.begin(bench.email(), clientPublic: client.publicValue, call: call).state
        let issued = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { (try? await flow.finish(state: state, call: call) { _ in true }) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(issued == 1)
    }

    @Test("A password changed between challenge and answer ends the challenge; so does a deletion")
    func changedMeanwhile() async throws {
        for change in ["password", "deletion"] {
            let bench = try await PasswordBench.withSRP()
            let user = try await bench.srpUser()
            let flow = SRPSignIn(bench.ports)
            let client = try SRPClient()
            let state = try await flow.begin(bench.email(), clientPublic: client.publicValue, call: bench.call()).state
            let (directory, random) = (bench.base.directory, bench.ports.random)
            try await bench.write(user) { current in
                if change == "deletion" { current.deletedAt = bench.now }
                current.srpVerifier = try SRPVerifier(
                    of: Secret("Another-Horse-7"), for: current.id, in: directory, random: random)
            }
            await #expect(throws: AuthError(.invalidCredentials)) {
                _ = try await flow.finish(state: state, call: bench.call()) { _ in true }
            }
        }
    }
}
