// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What a user has said to one version of ``Terms``: that they agree, or that they do no more. It is never changed; the
/// latest of a name is what holds.
public struct Agreement: Sendable, Hashable {
    /// In what it was said.
    public enum Occasion: String, Sendable, CaseIterable {
        case signUp = "sign_up"
        case signIn = "sign_in"
        /// By whoever is signed in, of their own accord.
        case account
    }

    public var directoryID: DirectoryID
    public var userID: UserID
    public var terms: TermsReference
    /// From 1, one more with each of this user and name: two that are written at once can't both be the next.
    public var sequence: Int64
    /// `false` where it was withdrawn.
    public var isGiven: Bool
    public var occasion: Occasion
    /// `nil` for this server's own API.
    public var dialect: DialectName?
    public var clientID: ClientID?
    public var at: Instant

    public init(
        directoryID: DirectoryID, userID: UserID, terms: TermsReference, sequence: Int64, isGiven: Bool,
        occasion: Occasion, dialect: DialectName? = nil, clientID: ClientID? = nil, at: Instant
    ) {
        self.directoryID = directoryID
        self.userID = userID
        self.terms = terms
        self.sequence = sequence
        self.isGiven = isGiven
        self.occasion = occasion
        self.dialect = dialect
        self.clientID = clientID
        self.at = at
    }

    /// Where a list goes on behind this one.
    public var position: AgreementPosition { AgreementPosition(at: at, name: terms.name, sequence: sequence) }
}

/// Where a list of agreements goes on: behind this one, in order of time, name and sequence.
public struct AgreementPosition: Sendable, Hashable {
    public var at: Instant
    public var name: String
    public var sequence: Int64

    public init(at: Instant, name: String, sequence: Int64) {
        self.at = at
        self.name = name
        self.sequence = sequence
    }
}
