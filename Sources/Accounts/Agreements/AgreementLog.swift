// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What users have said to what they were asked to agree to: read and written in one place, so that nothing is written
/// twice and nothing that was written is changed.
struct AgreementLog {
    /// How often somebody may change their mind about one name within ``window``: each time is kept.
    private static let mostChanges: Int64 = 20
    private static let window = TimeSpan.hours(1)

    private let step: FlowStep
    let book: TermsBook

    init(_ step: FlowStep) throws {
        self.step = step
        book = try TermsBook(of: step.directory, step.tx)
    }

    /// What a user must agree to before they have a session, and has not. What the call itself says that they agree to
    /// is left out.
    static func due(of user: User, _ call: CallContext, _ tx: any TermsReading) throws -> [Terms] {
        try TermsBook(of: user.directoryID, tx).demanded(at: call.now).filter { terms in
            guard !call.agreedTerms.contains(terms.reference) else { return false }
            let said = try tx.agreement(of: user.id, to: terms.name, in: user.directoryID)
            return said?.isGiven != true || said?.terms != terms.reference
        }
    }

    /// Writes down what somebody agreed to as they signed up, of an account that is theirs at once. What it was is
    /// judged before, whoever is known: ``CallContext/requireKnownTerms(_:)``.
    static func noteSignUp(of user: User, _ step: FlowStep) throws {
        guard !step.call.agreedTerms.isEmpty else { return }
        try AgreementLog(step).noteCall(by: user, on: .signUp)
    }

    /// Writes down what somebody agreed to as they asked for a message that they have answered, as of when they said
    /// so. Before that the account may become another's, who has said nothing.
    static func note(
        _ agreed: AgreedTerms?, by user: User, on occasion: Agreement.Occasion, _ step: FlowStep
    ) throws {
        guard let agreed else { return }
        let log = try AgreementLog(step)
        for reference in agreed.terms {
            // It was in effect when it was said, which no version ceases to be.
            guard let terms = log.book.effective(reference, at: step.now), try !log.isSettled(terms, by: user) else {
                continue
            }
            try log.note(
                true, to: terms, by: user, on: occasion, dialect: agreed.dialect, client: agreed.clientID,
                at: agreed.at)
        }
    }

    /// Writes down what was agreed to with the proof that was shown: of an account that it opens, as its sign-up. Of
    /// one that is somebody's already anybody may have asked for the message, and its owner, who follows a link, has
    /// agreed to nothing: it counts where it is answered from where it was asked for.
    static func note(_ token: OneTimeToken, by user: User, before: User, _ step: FlowStep) throws {
        let isOpened = user.id != before.id || !before.isProved || before.isAnonymous
        guard isOpened || token.askedBy == OneTimeToken.asker(step.call) else { return }
        try note(token.agreed, by: user, on: isOpened ? .signUp : .signIn, step)
    }

    /// Writes down what the call says that its user agrees to. That a purpose was agreed to counts where nothing was
    /// said to it before: an app that says so with each sign-in must not undo what its user has withdrawn.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming `agreed_terms`, for a version that there is not.
    func noteCall(by user: User, on occasion: Agreement.Occasion) throws {
        for reference in step.call.agreedTerms {
            guard let terms = book.effective(reference, at: step.now) else { throw TermsLine.refusal }
            guard try !isSettled(terms, by: user) else { continue }
            try note(true, to: terms, by: user, on: occasion)
        }
    }

    /// Whether something was said to a purpose before, which an app's word must not undo.
    private func isSettled(_ terms: Terms, by user: User) throws -> Bool {
        guard terms.kind == .purpose else { return false }
        return try step.tx.agreement(of: user.id, to: terms.name, in: user.directoryID) != nil
    }

    /// Writes one word of a user's down. The same said again is not written again, nor that an older version is agreed
    /// to than was before.
    ///
    /// - Returns: whether it was written.
    /// - Throws: ``AuthErrorCode/rateLimited`` for a mind that was changed too often.
    @discardableResult
    func note(
        _ isGiven: Bool, to terms: Terms, by user: User, on occasion: Agreement.Occasion, dialect: DialectName? = nil,
        client: ClientID? = nil, at moment: Instant? = nil
    ) throws -> Bool {
        let tx = step.tx
        let last = try tx.agreement(of: user.id, to: terms.name, in: user.directoryID)
        if let last, last.isGiven == isGiven {
            if last.terms == terms.reference { return false }
            if isGiven, let former = book.effective(last.terms, at: step.now), former.effectiveAt > terms.effectiveAt {
                return false
            }
        }
        try requireRoom(behind: last)
        let agreement = Agreement(
            directoryID: user.directoryID, userID: user.id, terms: terms.reference,
            sequence: (last?.sequence ?? 0) + 1, isGiven: isGiven, occasion: occasion,
            dialect: dialect ?? step.call.dialect, clientID: client ?? step.call.client?.id, at: moment ?? step.now)
        try tx.insert(agreement)
        try step.record(
            isGiven ? .termsAgreed : .agreementWithdrawn, user,
            details: ["name": .string(terms.name), "version": .string(terms.version)])
        return true
    }

    private func requireRoom(behind last: Agreement?) throws {
        guard let last, last.sequence >= Self.mostChanges,
            let earliest = try step.tx.agreement(
                of: last.userID, to: last.terms.name, sequence: last.sequence - Self.mostChanges + 1,
                in: last.directoryID)
        else { return }
        let age = step.now.age(of: earliest.at)
        guard age < Self.window else { return }
        throw AuthError(
            .rateLimited, reason: "changed too often",
            retryAfter: TimeSpan(microseconds: Self.window.microseconds - age.microseconds))
    }
}

extension CallContext {
    /// What the call says that its user agrees to, to be kept with a message that it asks for; `nil` for nothing.
    var agreed: AgreedTerms? {
        agreedTerms.isEmpty ? nil : AgreedTerms(agreedTerms, dialect: dialect, clientID: client?.id, at: now)
    }

    /// Refuses a call that names versions of terms that there are not, before anything is known of who calls.
    ///
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming `agreed_terms`.
    func requireKnownTerms(_ store: any AccountStoring) async throws {
        guard !agreedTerms.isEmpty else { return }
        let book = try await store.read { try TermsBook(of: directory.id, $0) }
        guard agreedTerms.allSatisfy({ book.effective($0, at: now) != nil }) else { throw TermsLine.refusal }
    }
}
