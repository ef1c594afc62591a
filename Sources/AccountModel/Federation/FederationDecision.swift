// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What follows from an identity provider's word: one table, which every way to bring such a word along is decided by
/// (ADR 0046). An identity is the issuer and the subject; an address is what leads to an account only where nobody but
/// its owner can have come by either.
public enum FederationDecision {
    /// Who is known by the identity.
    public enum Known: Sendable, Hashable, CaseIterable {
        case nobody
        case user
        /// Banned, or damaged: nobody knows what the row says.
        case unusable
        /// Somebody is called the same by another issuer, which was configured under this name before.
        case anotherIssuer
    }

    /// What is said of an address.
    public enum Claim: Sendable, Hashable, CaseIterable {
        case noAddress
        case unvouched
        case vouched
    }

    /// Whom the address names (``AddressHolders/named``).
    public enum Holder: Sendable, Hashable, CaseIterable {
        /// Also where several have it, of whom it names none.
        case nobody
        /// The address was proved to be theirs.
        case verified
        /// The same, and this provider knows them by another subject: it has given the address to somebody else since,
        /// as domains are sold and addresses handed on.
        case verifiedElsewhere
        /// Nobody has proved anything of the account. It may be anybody's.
        case unverified
        /// Its user has proved a number; the address they only named.
        case provedOtherwise
        case unusable
    }

    /// What is done where somebody has an address that the provider does not vouch for.
    public enum Unvouched: Sendable, Hashable, CaseIterable {
        /// They get an account of their own, without the address.
        case separateAccount
        /// They are told to sign in to the account that there is, and to link from there.
        case needsConfirmation
    }

    public struct Terms: Sendable, Hashable {
        /// Whether the Directory takes newcomers, and from this provider.
        public var isSignUpOpen: Bool
        /// Whether the call wants an account for whoever has none.
        public var createsAccounts: Bool
        /// Whether somebody may come without any address.
        public var isEmailOptional: Bool
        public var unvouched: Unvouched

        public init(isSignUpOpen: Bool, createsAccounts: Bool, isEmailOptional: Bool, unvouched: Unvouched) {
            self.isSignUpOpen = isSignUpOpen
            self.createsAccounts = createsAccounts
            self.isEmailOptional = isEmailOptional
            self.unvouched = unvouched
        }
    }

    /// The address of a new account.
    public enum NewAddress: Sendable, Hashable {
        case verified
        /// As somebody said it who does not know: whoever proves it takes the account (ADR 0028).
        case unverified
        case none
    }

    public enum Verdict: Sendable, Hashable {
        case signIn
        /// The identity becomes one of the user's whom the address names.
        case link
        /// The same, after everything is gone that somebody may have left there who was never asked for a proof.
        case takeOver
        case create(NewAddress)
        case refuse(AuthErrorCode)
    }

    public static func verdict(known: Known, claim: Claim, holder: Holder, terms: Terms) -> Verdict {
        switch known {
        case .user: return .signIn
        case .unusable: return .refuse(.userBanned)
        case .anotherIssuer: return .refuse(.identityTokenInvalid)
        case .nobody: break
        }
        switch (claim, holder) {
        case (.noAddress, _): return terms.isEmailOptional ? create(.none, terms) : .refuse(.identityEmailMissing)
        case (.vouched, .verified): return .link
        case (.vouched, .unverified): return .takeOver
        case (.vouched, .unusable): return .refuse(.userBanned)
        case (.vouched, .nobody), (.vouched, .provedOtherwise): return create(.verified, terms)
        case (.unvouched, .nobody): return create(.unverified, terms)
        case (.vouched, .verifiedElsewhere), (.unvouched, _):
            switch terms.unvouched {
            case .needsConfirmation: return .refuse(.needsConfirmation)
            case .separateAccount: return create(.none, terms)
            }
        }
    }

    private static func create(_ address: NewAddress, _ terms: Terms) -> Verdict {
        guard terms.createsAccounts else { return .refuse(.userNotFound) }
        return terms.isSignUpOpen ? .create(address) : .refuse(.signUpDisabled)
    }
}
