// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Passwords
import TestBench
import Testing

@testable import Accounts

/// The table by which an identity provider's word is judged: as such, and through the flow on a real store.
@Suite struct FederationDecisionTests {
    private typealias Decision = FederationDecision

    private static let open = Decision.Terms(
        isSignUpOpen: true, createsAccounts: true, isEmailOptional: false, unvouched: .needsConfirmation)

    @Test("R12.2 a known identity signs in whatever is said of an address, and nobody else's is taken for it")
    func known() {
        for claim in Decision.Claim.allCases {
            for holder in Decision.Holder.allCases {
                for (known, verdict) in [
                    (.user, .signIn), (.unusable, .refuse(.userBanned)),
                    (.anotherIssuer, .refuse(.identityTokenInvalid)),
                ] as [(Decision.Known, Decision.Verdict)] {
                    #expect(Decision.verdict(known: known, claim: claim, holder: holder, terms: Self.open) == verdict)
                }
            }
        }
    }

    @Test("R12.2 R46 no address that the provider does not vouch for links or takes anything, under any terms")
    func unvouched() {
        for claim in [Decision.Claim.noAddress, .unvouched] {
            for holder in Decision.Holder.allCases {
                for terms in Self.everyTerms {
                    let verdict = Decision.verdict(known: .nobody, claim: claim, holder: holder, terms: terms)
                    #expect(verdict != .link && verdict != .takeOver && verdict != .signIn)
                    #expect(verdict != .create(.verified))
                    // Nobody's address is anybody else's too.
                    if holder != .nobody { #expect(verdict != .create(.unverified)) }
                }
            }
        }
    }

    @Test("R12.2 only an account whose own address is proved is linked to; one that nobody proved is taken over")
    func vouched() {
        let wanted: [Decision.Holder: Decision.Verdict] = [
            .nobody: .create(.verified), .verified: .link, .unverified: .takeOver,
            .verifiedElsewhere: .refuse(.needsConfirmation), .provedOtherwise: .create(.verified),
            .unusable: .refuse(.userBanned),
        ]
        for holder in Decision.Holder.allCases {
            let verdict = Decision.verdict(known: .nobody, claim: .vouched, holder: holder, terms: Self.open)
            #expect(verdict == wanted[holder], "\(holder)")
        }
    }

    @Test("R12.2 nobody gets an account where none is to be made")
    func closed() {
        for holder in Decision.Holder.allCases {
            for claim in Decision.Claim.allCases {
                for terms in Self.everyTerms where !terms.isSignUpOpen || !terms.createsAccounts {
                    if case .create = Decision.verdict(known: .nobody, claim: claim, holder: holder, terms: terms) {
                        Issue.record("an account for \(claim), \(holder)")
                    }
                }
            }
        }
    }

    private static var everyTerms: [Decision.Terms] {
        let flags = [true, false]
        return flags.flatMap { isOpen in
            flags.flatMap { creates in
                flags.flatMap { optional in
                    Decision.Unvouched.allCases.map {
                        Decision.Terms(
                            isSignUpOpen: isOpen, createsAccounts: creates, isEmailOptional: optional, unvouched: $0)
                    }
                }
            }
        }
    }

    // MARK: Through the flow

    /// How the account stands that has the address.
    enum Account: CaseIterable {
        case none, verified, verifiedByThisProvider, unverified, provedByPhone, banned, shared
    }

    @Test(
        "R12.2 R46 provider × claim × account × policy: who is signed in, and what becomes of the account",
        arguments: IdentityProvider.Kind.allCases)
    func table(kind: IdentityProvider.Kind) async throws {
        let bench = try await FederationBench { $0.signUp.uniqueEmails = false }
        let provider = FederationBench.name(of: kind)
        var number = 0
        for account in Account.allCases {
            for claim in FederationDecision.Claim.allCases {
                for unvouched in FederationDecision.Unvouched.allCases {
                    number += 1
                    let address = "person\(number)@example.com"
                    let former = try await make(account, address, number, bench)
                    let proof = try bench.proof(
                        provider, "subject\(number)", email: claim == .noAddress ? nil : address,
                        vouched: claim == .vouched)
                    let policy = FederationPolicy(unvouched: unvouched, isEmailOptional: true)
                    let what: Comment = "\(kind), \(account), \(claim), \(unvouched)"
                    var outcome: FederatedOutcome?
                    let refusal = await bench.refusal { outcome = try await bench.signIn(proof, policy: policy) }
                    let wanted = wanted(account, claim, unvouched)
                    #expect(refusal == wanted.refusal, what)
                    #expect(outcome?.moment == wanted.moment, what)
                    if let outcome {
                        let isFormer = outcome.record.user.id == former?.id
                        #expect(isFormer == (wanted.moment == .linked || wanted.moment == .tookOver), what)
                        #expect((outcome.record.user.emailVerifiedAt != nil) == wanted.isVerified, what)
                        #expect(try outcome.session().session.methods.map(\.provider) == [provider], what)
                        // The same again is the same user, whoever they became.
                        let again = try await bench.signIn(proof, policy: policy)
                        #expect(again.moment == .returned && again.record.user.id == outcome.record.user.id, what)
                    }
                    if let former, outcome?.record.user.id != former.id {
                        // An account that is not signed in to is as it was: but for an address that was never its own.
                        let left = try #require(try await bench.reload(former))
                        #expect(left.passwordHash == former.passwordHash, what)
                        let isStripped = account == .provedByPhone && claim == .vouched
                        #expect(left.email == (isStripped ? nil : former.email), what)
                        let others = account == .verifiedByThisProvider ? IdentityProvider.Kind.allCases.count : 0
                        #expect(try await bench.identities(of: left).count == others, what)
                    }
                }
            }
        }
    }

    private func make(
        _ account: Account, _ address: String, _ number: Int, _ bench: FederationBench
    ) async throws -> User? {
        let hash = try PasswordHash(ProofBench.hash)
        switch account {
        case .none: return nil
        case .verified: return try await bench.owner(address)
        case .verifiedByThisProvider:
            let user = try await bench.owner(address)
            for kind in IdentityProvider.Kind.allCases {
                try await bench.insert(FederationBench.name(of: kind), "former of \(number)", for: user)
            }
            return user
        case .unverified: return try await bench.user(email: address) { $0.passwordHash = hash }
        case .provedByPhone:
            return try await bench.user(email: address, phone: "+1555555\(1000 + number)") {
                $0.phoneVerifiedAt = bench.accounts.now
                $0.passwordHash = hash
            }
        case .banned:
            return try await bench.user(email: address) {
                $0.emailVerifiedAt = bench.accounts.now
                $0.bannedUntil = bench.accounts.now + .days(1)
            }
        case .shared:
            for _ in 0..<2 {
                try await bench.user(email: address) {
                    ($0.sharesEmail, $0.emailVerifiedAt) = (true, bench.accounts.now)
                }
            }
            return nil
        }
    }

    private struct Wanted {
        var refusal: AuthErrorCode?
        var moment: FederationPolicy.Moment?
        var isVerified = false
    }

    private func wanted(
        _ account: Account, _ claim: FederationDecision.Claim, _ unvouched: FederationDecision.Unvouched
    ) -> Wanted {
        let apart: Wanted =
            unvouched == .needsConfirmation ? Wanted(refusal: .needsConfirmation) : Wanted(moment: .created)
        switch (claim, account) {
        case (.noAddress, _): return Wanted(moment: .created)
        // Of several whom an address names none it is free; nothing is linked.
        case (.vouched, .none), (.vouched, .shared), (.vouched, .provedByPhone):
            return Wanted(moment: .created, isVerified: true)
        case (.vouched, .verified): return Wanted(moment: .linked, isVerified: true)
        case (.vouched, .unverified): return Wanted(moment: .tookOver, isVerified: true)
        case (.vouched, .banned): return Wanted(refusal: .userBanned)
        case (.vouched, .verifiedByThisProvider): return apart
        case (.unvouched, .none), (.unvouched, .shared): return Wanted(moment: .created)
        case (.unvouched, _): return apart
        }
    }
}
