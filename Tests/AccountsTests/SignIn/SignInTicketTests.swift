// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import Testing

@testable import Accounts

/// What somebody carries between a proof and the step that it asks for.
@Suite struct SignInTicketTests {
    private func world() async throws -> PasswordBench {
        let bench = try await PasswordBench()
        try await bench.user { $0.temporaryPassword = TemporaryPassword(expiresAt: nil) }
        return bench
    }

    private func client(_ id: String, _ bench: PasswordBench) -> Client {
        Client(
            id: ClientID(id), directoryID: bench.base.directory.id, name: id, secrets: [], settings: ClientSettings(),
            createdAt: bench.now, updatedAt: bench.now)
    }

    private func open(_ text: String, _ call: CallContext) -> AuthErrorCode? {
        do throws(AuthError) {
            _ = try SignInTicket(text, for: .newPassword, call: call)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("R9.2 a ticket opens in the Directory, dialect and client that it was given in, until it expires")
    func bound() async throws {
        let bench = try await world()
        var call = bench.call()
        call.client = client("app", bench)
        call.dialect = DialectName("one")
        call.client?.settings.stepLifetime = 300
        let text = try await bench.ticketText(at: call)
        #expect((20...2048).contains(text.utf8.count))
        #expect(open(text, call) == nil)
        var other = call
        other.client = client("other", bench)
        #expect(open(text, other) == .flowStateNotFound)
        other.client = nil
        #expect(open(text, other) == .flowStateNotFound)
        other = call
        other.dialect = DialectName("two")
        #expect(open(text, other) == .flowStateNotFound)
        other = call
        other.directory.tokenKey = Secret(bench.ports.random.bytes(32))
        #expect(open(text, other) == .flowStateNotFound)
        // Also where two Directories had one key.
        other = call
        other.directory.id = DirectoryID(bench.ports.random.uuid())
        #expect(open(text, other) == .flowStateNotFound)
        var later = call
        later.now = call.now + .minutes(5) - TimeSpan(microseconds: 1)
        #expect(open(text, later) == nil)
        later.now = call.now + .minutes(5)
        #expect(open(text, later) == .flowStateExpired)
    }

    @Test("R9.2 whatever was not given here opens nothing: changed, cut, empty, long, or an SRP challenge")
    func forged() async throws {
        let bench = try await PasswordBench.withSRP()
        try await bench.srpUser { $0.temporaryPassword = TemporaryPassword(expiresAt: nil) }
        let call = bench.call()
        let sealed = try #require(Base64URL.decode(try await bench.ticketText()))
        #expect(open(Base64URL.encode(sealed), call) == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(open(Base64URL.encode(changed), call) == .flowStateNotFound, "at \(index)")
        }
        let challenge = try await SRPSignIn(bench.ports).begin(
            bench.email(), clientPublic: SRPClient().publicValue, call: call)
        let others = [
            "", "A", "not base64url!", Base64URL.encode(sealed.dropLast()), Base64URL.encode(sealed + [0]),
            String(repeating: "A", count: 1 << 20), Base64URL.encode(challenge.state),
        ]
        for text in others { #expect(open(text, call) == .flowStateNotFound) }
    }

    @Test("R9.2 of many who use one ticket at once one chooses the password, in one process or two")
    func race() async throws {
        let bench = try await world()
        let text = try await bench.ticketText()
        let call = bench.call()
        let sessions = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<16 {
                // Each with a flow and a ticket of its own, as another process would have.
                group.addTask {
                    let ticket = try? SignInTicket(text, for: .newPassword, call: call)
                    guard let ticket else { return false }
                    return
                        (try? await ReplaceTemporaryPassword(bench.ports)(
                            ticket, password: Secret("Chosen-Horse-\(index)"), call: call)) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(sessions == 1)
        #expect(try await bench.base.events(.passwordChanged).count == 1)
        #expect(try await bench.base.events(.signedIn).count == 1)
    }

    @Test("R9.2 a used ticket opens nothing even where what it was given for holds again")
    func usedOnce() async throws {
        let bench = try await world()
        let user = try #require(try await bench.found())
        let ticket = try await bench.ticket()
        let replace = ReplaceTemporaryPassword(bench.ports)
        _ = try await replace(ticket, password: Secret("Chosen-Horse-8"), call: bench.call())
        // The administrator sets the very same temporary password again, in the very same hash.
        try await bench.write(user) {
            $0.passwordHash = try CountingPasswords.form(PasswordBench.password)
            $0.temporaryPassword = TemporaryPassword(expiresAt: nil)
        }
        await #expect(throws: AuthError(.invalidCredentials)) {
            try await replace(ticket, password: Secret("Third-Horse-9"), call: bench.call())
        }
        _ = try await replace(bench.ticket(), password: Secret("Third-Horse-9"), call: bench.call())
    }

    @Test("R9.2 a step that fails leaves its ticket as it was")
    func failure() async throws {
        let bench = try await world()
        let ticket = try await bench.ticket()
        let replace = ReplaceTemporaryPassword(bench.ports)
        // Refused in the very transaction that spends the ticket.
        let large: JSONObject = ["text": .string(String(repeating: "x", count: 100_000))]
        await #expect(throws: AuthError(.metadataTooLarge)) {
            try await replace(ticket, password: Secret("Chosen-Horse-8"), userMetadata: large, call: bench.call())
        }
        _ = try await replace(ticket, password: Secret("Chosen-Horse-8"), call: bench.call()).session()
    }

    @Test("R9.2 the session at the end has the methods and the assurance that were proved, whatever came between")
    func carried() async throws {
        let bench = try await world()
        let user = try #require(try await bench.found())
        let methods = [
            AuthenticationMethod(.password, at: bench.now - .minutes(1)),
            AuthenticationMethod(.oneTimeCode, at: bench.now),
        ]
        let proof = SignInProof(methods: methods, assurance: .aal2)
        let next = try await bench.ports.write(bench.call()) { try SessionIssuer($0).conclude(proof, of: user).get() }
        guard case .newPassword(let pending) = next else {
            Issue.record("\(next)")
            return
        }
        let ticket = try SignInTicket(pending.ticket.reveal(), for: .newPassword, call: bench.call())
        #expect(ticket.proof == proof)
        let issued = try await ReplaceTemporaryPassword(bench.ports)(
            ticket, password: Secret("Chosen-Horse-8"), call: bench.call()
        ).session()
        let stored = try await bench.session(issued)
        #expect(stored.methods == methods && stored.assurance == .aal2)
    }

    @Test("R9.2 where a protocol knows no steps, the step is a refusal, and written down as one")
    func refusal() async throws {
        let bench = try await world()
        await #expect(throws: AuthError(.passwordChangeRequired)) { try await bench.signIn() }
        let failures = try await bench.base.events(.signInFailed)
        #expect(failures.map { $0.details["reason"] } == ["password_change_required"])
    }
}
