// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// A password and an SRP proof of it lead to the same verdict, whatever the account.
@Suite struct SRPMatrixTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let expected: AuthErrorCode?
        let change: @Sendable (inout User, Instant) -> Void

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "confirmed", expected: nil) { _, _ in },
        Case(name: "unconfirmed", expected: .emailNotVerified) { user, _ in user.emailVerifiedAt = nil },
        Case(name: "banned", expected: .userBanned) { user, now in user.bannedUntil = now + .hours(1) },
        Case(name: "banned for good", expected: .userBanned) { user, _ in user.bannedUntil = User.forever },
        Case(name: "ban over", expected: nil) { user, now in user.bannedUntil = now },
        Case(name: "temporary", expected: .passwordChangeRequired) { user, now in
            user.temporaryPassword = TemporaryPassword(expiresAt: now + .days(1))
        },
        Case(name: "temporary without end", expected: .passwordChangeRequired) { user, _ in
            user.temporaryPassword = TemporaryPassword(expiresAt: nil)
        },
        Case(name: "temporary and over", expected: .temporaryPasswordExpired) { user, now in
            user.temporaryPassword = TemporaryPassword(expiresAt: now)
        },
        Case(name: "temporary and unconfirmed", expected: .passwordChangeRequired) { user, _ in
            user.temporaryPassword = TemporaryPassword(expiresAt: nil)
            user.emailVerifiedAt = nil
        },
        Case(name: "temporary and banned", expected: .userBanned) { user, _ in
            user.temporaryPassword = TemporaryPassword(expiresAt: nil)
            user.bannedUntil = User.forever
        },
    ]

    @Test("G-1.3 password and SRP judge an account alike, and say it only after a right password", arguments: cases)
    func verdicts(item: Case) async throws {
        for isRight in [true, false] {
            let bench = try await PasswordBench.withSRP()
            try await bench.srpUser { item.change(&$0, bench.now) }
            let password = isRight ? PasswordBench.password : "Wrong-Horse-7"
            let byPassword = await bench.error { _ = try await bench.signIn(password: password) }
            #expect(bench.passwords.verified == 1 && bench.passwords.hashed == 0)
            let flow = SRPSignIn(bench.ports)
            let bySRP = await bench.error {
                let client = try SRPClient()
                let challenge = try await flow.begin(
                    bench.email(), clientPublic: client.publicValue, call: bench.call())
                let wanted = try client.sharedSecret(
                    challenge, password: password, realm: bench.base.directory.id.rawValue)
                _ = try await flow.finish(state: challenge.state, call: bench.call()) { $0.sharedSecret == wanted }
                    .session()
            }
            #expect(byPassword?.code == (isRight ? item.expected : .invalidCredentials))
            #expect(bySRP?.code == byPassword?.code)
            #expect(bench.passwords.all == 1)
            let failures = try await bench.base.events(.signInFailed)
            #expect(failures.count == (byPassword == nil ? 0 : 2))
            #expect(Set(failures.map { $0.details["reason"] }).count <= 1)
        }
    }

    @Test("R9.2 a temporary password leads to a ticket by which its user may replace it, by both ways")
    func outcomes() async throws {
        let bench = try await PasswordBench.withSRP()
        let user = try await bench.srpUser { $0.temporaryPassword = TemporaryPassword(expiresAt: nil) }
        let ticket = try await bench.ticket()
        #expect(ticket.user == user.id)
        let flow = SRPSignIn(bench.ports)
        let state = try await flow.begin(
            bench.email(), clientPublic: SRPClient().publicValue, call: bench.call()
        ).state
        guard
            case .newPassword(let again) = try await flow.finish(
                state: state, call: bench.call(), accepts: { _ in true })
        else {
            Issue.record("no change required")
            return
        }
        #expect(again.record.user.id == user.id && again.record.identities.count == 1)
        #expect(try await bench.base.sessions(of: user).isEmpty)
    }

    @Test(
        "R14.2 G-11 terms that are due are asked for after a password and an SRP proof, and of nobody who has shown neither"
    )
    func terms() async throws {
        for isRight in [true, false] {
            let bench = try await PasswordBench.withSRP()
            let user = try await bench.srpUser { _ in }
            try await TermsAdministration(bench.ports).publish(
                [TermsBench.draft("1")], call: bench.call().with { $0.actor = .commandLine })
            let flow = SRPSignIn(bench.ports)
            let state = try await flow.begin(
                bench.email(), clientPublic: SRPClient().publicValue, call: bench.call()
            ).state
            let bySRP = await bench.error {
                _ = try await flow.finish(state: state, call: bench.call()) { _ in isRight }.session()
            }
            let byPassword = await bench.error {
                _ = try await bench.signIn(password: isRight ? PasswordBench.password : "Wrong-Horse-7")
            }
            #expect(bySRP?.code == (isRight ? .termsNotAgreed : .invalidCredentials))
            #expect(byPassword?.code == bySRP?.code)
            #expect(try await bench.base.sessions(of: user).isEmpty)
        }
    }
}
