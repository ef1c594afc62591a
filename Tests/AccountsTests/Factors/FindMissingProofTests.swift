// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// What is said beforehand of what a session has to show.
@Suite struct FindMissingProofTests {
    private static let deeds: [FindMissingProof.Deed] = [
        .factors, .enrolment, .password, .address, .identities, .export, .deletion,
    ]

    private static func missing(
        _ deed: FindMissingProof.Deed, of owner: AuthenticatedUser, _ bench: FactorBench, after span: TimeSpan
    ) async throws -> MissingProof? {
        try await FindMissingProof(bench.ports)(deed, of: owner, call: bench.call(after: span))
    }

    @Test(
        "R14.2 of who has a second factor it is missing until their session shows it, for each deed, and of nobody else"
    )
    func secondFactor() async throws {
        let bench = try await FactorBench()
        _ = try await bench.base.user("plain@example.com")
        let plain = try await bench.signedIn("plain@example.com", at: bench.call())
        let owner = try await bench.owner()
        let low = try await bench.signedIn(at: bench.open())
        for deed in Self.deeds {
            #expect(try await Self.missing(deed, of: plain, bench, after: .zero) == nil, "\(deed)")
            #expect(try await Self.missing(deed, of: owner.session, bench, after: .zero) == nil, "\(deed)")
            #expect(try await Self.missing(deed, of: low, bench, after: .zero) == .secondFactor, "\(deed)")
        }
    }

    @Test(
        "G-9.4 G-10.4 a proof of two hours ago is too old for whatever asks for no password, and one that is shown says enough of the rest"
    )
    func fresh() async throws {
        let bench = try await FactorBench()
        _ = try await bench.base.user("a@example.com")
        let user = try await bench.signedIn(at: bench.call())
        for deed in Self.deeds {
            let isOld = [.identities, .enrolment, .export, .deletion].contains(deed)
            let wanted: MissingProof? = isOld ? .freshSignIn : nil
            #expect(try await Self.missing(deed, of: user, bench, after: .hours(2)) == wanted, "\(deed)")
        }
        var noPassword = user
        noPassword.user.passwordHash = nil
        #expect(try await Self.missing(.address, of: noPassword, bench, after: .hours(2)) == .freshSignIn)
        // Who has a factor shows it, however old: then another is set up, and what is held is sent.
        let owner = try await bench.owner("b@example.com")
        for deed in [FindMissingProof.Deed.enrolment, .export] {
            #expect(try await Self.missing(deed, of: owner.session, bench, after: .hours(2)) == nil, "\(deed)")
        }
        #expect(try await Self.missing(.deletion, of: owner.session, bench, after: .hours(2)) == .freshSignIn)
    }

    @Test("what is fresh goes by the latest proof, and not by when the session began")
    func latestProof() async throws {
        let bench = try await FactorBench()
        _ = try await bench.base.user("a@example.com")
        var user = try await bench.signedIn(at: bench.call())
        // Opened now, by single sign-on with a proof of two hours ago.
        user.session?.createdAt = bench.call(after: .hours(2)).now
        #expect(try await Self.missing(.identities, of: user, bench, after: .hours(2)) == .freshSignIn)
        // Opened two hours ago, and proved anew since.
        user.session?.createdAt = bench.call().now
        user.session?.methods.append(AuthenticationMethod(.totp, at: bench.call(after: .minutes(119)).now))
        #expect(try await Self.missing(.identities, of: user, bench, after: .hours(2)) == nil)
    }
}
