// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What users are asked to agree to, and what they have said to it.
public protocol TermsReading {
    /// All versions, in order of name and of when they take effect. An operator writes them: there are few.
    func terms(in directory: DirectoryID) throws -> [Terms]
    /// The latest word of a user to a name; `nil` where they have said nothing.
    func agreement(of user: UserID, to name: String, in directory: DirectoryID) throws -> Agreement?
    /// One of a user's words to a name.
    func agreement(
        of user: UserID, to name: String, sequence: Int64, in directory: DirectoryID
    ) throws -> Agreement?
    /// Everything that a user has said, the newest first.
    ///
    /// - Parameter position: of the last one of the page before.
    func agreements(
        of user: UserID, in directory: DirectoryID, after position: AgreementPosition?, limit: Int
    ) throws -> [Agreement]
}

public protocol TermsWriting: TermsReading {
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `terms.version` or `terms.effective_at`.
    func insert(_ terms: Terms) throws
    /// Writes whether a sign-in demands it, and nothing else.
    /// - Throws: ``StoreConflict/stale(_:)`` where there is none.
    func update(_ terms: Terms) throws
    /// Whether there was one.
    func deleteTerms(_ reference: TermsReference, in directory: DirectoryID) throws -> Bool
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `agreement.sequence`.
    func insert(_ agreement: Agreement) throws
    /// Deletes all that a user has said.
    func deleteAgreements(of user: UserID, in directory: DirectoryID) throws
    /// Deletes at most `limit` of it, and says how many.
    func eraseAgreements(of user: UserID, in directory: DirectoryID, limit: Int) throws -> Int
}
