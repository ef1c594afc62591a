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

    struct Standing: Sendable, CustomTestStringConvertible {
        let name: String
        let expected: AuthErrorCode?
        var credential: Factor.Credential?
        var isVerified = true
        var isEnabled = true
        var settings: @Sendable (inout DirectorySettings) -> Void = { _ in }
        var change: @Sendable (inout User, Instant) -> Void = { _, _ in }

        var testDescription: String { name }
    }

    private static let app = Factor.Credential.totp(Secret([UInt8](repeating: 7, count: 20)))
    private static func key(_ use: WebAuthnCredential.Use) -> Factor.Credential {
        .webAuthn(
            WebAuthnCredential(use: use, id: [1], publicKey: [2], relyingParty: "app.example", userHandle: [3]))
    }

    static func standings() throws -> [Standing] {
        [
            Standing(name: "app", expected: .secondFactorRequired, credential: app),
            Standing(
                name: "number", expected: .secondFactorRequired, credential: .phone(try PhoneNumber("+4915112345678")),
                settings: { $0.factors.phone = .on }),
            // Whoever came by a password has shown nothing of the mailbox.
            Standing(
                name: "own address", expected: .secondFactorRequired,
                credential: .email(try EmailAddress("a@example.com")), settings: { $0.factors.email = .on }),
            Standing(
                name: "security key", expected: .secondFactorRequired, credential: key(.secondFactor),
                settings: { $0.factors.webAuthn = .on }),
            Standing(name: "passkey", expected: nil, credential: key(.signIn)),
            Standing(name: "being set up", expected: nil, credential: app, isVerified: false),
            Standing(name: "put aside", expected: nil, credential: app, isEnabled: false),
            Standing(name: "switched off", expected: nil, credential: app, settings: { $0.factors.totp = .off }),
            Standing(
                name: "none set up any more", expected: .secondFactorRequired, credential: app,
                settings: { $0.factors.totp = .verify }),
            Standing(name: "demanded", expected: .factorEnrolmentRequired, settings: { $0.factors.demand = .all }),
            Standing(
                name: "demanded and there", expected: .secondFactorRequired, credential: app,
                settings: { $0.factors.demand = .all }),
            // What comes first.
            Standing(
                name: "app, temporary", expected: .passwordChangeRequired, credential: app,
                change: { user, _ in user.temporaryPassword = TemporaryPassword(expiresAt: nil) }),
            Standing(
                name: "app, unconfirmed", expected: .emailNotVerified, credential: app,
                change: { user, _ in user.emailVerifiedAt = nil }),
            Standing(
                name: "app, banned", expected: .userBanned, credential: app,
                change: { user, now in user.bannedUntil = now + .hours(1) }),
        ]
    }

    @Test(
        "G-9.2 G-9.4 a second factor is asked for after a password and an SRP proof alike, and of nobody who has shown neither",
        arguments: try standings())
    func secondFactor(item: Standing) async throws {
        for isRight in [true, false] {
            let bench = try await PasswordBench.withSRP(item.settings)
            let user = try await bench.srpUser { item.change(&$0, bench.now) }
            if let credential = item.credential {
                let factor = Factor(
                    id: bench.ports.random.identifier(), directoryID: user.directoryID, userID: user.id,
                    credential: credential, verifiedAt: item.isVerified ? bench.now : nil,
                    expiresAt: item.isVerified ? nil : bench.now + .hours(1), isEnabled: item.isEnabled,
                    createdAt: bench.now)
                try await bench.store.write { try $0.insert(factor) }
            }
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
            #expect(bySRP?.code == (isRight ? item.expected : .invalidCredentials))
            #expect(byPassword?.code == bySRP?.code)
            let isOpen = isRight && item.expected == nil
            #expect(try await bench.base.sessions(of: user).count == (isOpen ? 2 : 0))
        }
    }
}
