// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a user has agreed and consented to, in their own hands.
public struct UserConsents: Sendable {
    public static let maximumLimit = 100
    private static let maximumCount = 50

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// What is asked for now, documents first, with what the user has said to it.
    ///
    /// - Throws: ``AuthErrorCode/userNotFound``.
    public func list(of user: UserID, call: CallContext) async throws -> [ConsentState] {
        try await ports.store.read { tx in
            try Self.states(of: try tx.liveUser(user, in: call.directory.id), call, tx)
        }
    }

    /// Everything that the user has said, the newest first.
    ///
    /// - Parameters:
    ///   - position: of the last one of the page before.
    ///   - limit: 1 to ``maximumLimit``.
    /// - Returns: a page, and whether more follow.
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming `limit`; ``AuthErrorCode/userNotFound``.
    public func history(
        of user: UserID, after position: AgreementPosition? = nil, limit: Int, call: CallContext
    ) async throws -> (said: [Agreement], hasMore: Bool) {
        guard (1...Self.maximumLimit).contains(limit) else { throw AuthError(.invalidRequest, field: "limit") }
        let said = try await ports.store.read { tx in
            try tx.agreements(
                of: try tx.liveUser(user, in: call.directory.id).id, in: call.directory.id, after: position,
                limit: limit + 1)
        }
        return (Array(said.prefix(limit)), said.count > limit)
    }

    /// Writes down what a user says, all of it or nothing. What is not named stays as it is; what is said again is not
    /// written again.
    ///
    /// - Parameter session: the one that the user says it in.
    /// - Returns: as ``list(of:call:)``.
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming what is unknown, or a document that is to be withdrawn: who no
    ///   longer agrees to one deletes the account; ``AuthErrorCode/rateLimited`` for a mind that was changed too often.
    public func change(
        _ words: [ConsentWord], of user: UserID, in session: Session? = nil, call: CallContext
    ) async throws -> [ConsentState] {
        guard words.count <= Self.maximumCount else { throw AuthError(.invalidRequest, field: "consents") }
        return try await ports.write(call) { step in
            let account = try step.tx.liveUser(user, in: step.directory)
            try call.requireUsable(account)
            let log = try AgreementLog(step)
            for word in words {
                let terms = try word.terms(log.book, at: step.now)
                try log.note(word.isGiven, to: terms, by: account, on: .account, client: session?.clientID)
            }
            return try Self.states(of: account, call, step.tx)
        }
    }

    private static func states(
        of user: User, _ call: CallContext, _ tx: any TermsReading
    ) throws -> [ConsentState] {
        try TermsBook(of: user.directoryID, tx).current(at: call.now).map { terms in
            ConsentState(
                terms: terms, said: try tx.agreement(of: user.id, to: terms.name, in: user.directoryID))
        }
    }
}

/// What is asked for, and a user's latest word to it.
public struct ConsentState: Sendable, Hashable {
    /// The current version.
    public var terms: Terms
    /// `nil` where they have said nothing.
    public var said: Agreement?

    public init(terms: Terms, said: Agreement?) {
        self.terms = terms
        self.said = said
    }

    /// Whether the user agrees to the current version: what they have said to another is no word on this one.
    public var isGiven: Bool { said?.isGiven == true && said?.terms == terms.reference }
    /// Whether they have answered the current version, either way.
    public var isAnswered: Bool { said?.terms == terms.reference }
}

/// What a user says of one name.
public struct ConsentWord: Sendable, Hashable {
    public var name: String
    public var isGiven: Bool
    /// Which was shown; `nil` for the current one of a purpose.
    public var version: String?

    public init(name: String, isGiven: Bool, version: String? = nil) {
        self.name = name
        self.isGiven = isGiven
        self.version = version
    }

    func terms(_ book: TermsBook, at now: Instant) throws(AuthError) -> Terms {
        guard let current = book.current(at: now).first(where: { $0.name == name }) else {
            throw AuthError(.invalidRequest, reason: "nothing of this name is asked for", field: "consents")
        }
        if current.kind == .document, !isGiven || version == nil {
            throw AuthError(
                .invalidRequest, reason: "a version is agreed to, and a document is not withdrawn", field: "consents")
        }
        guard let version else { return current }
        guard let reference = TermsReference(name: name, version: version),
            let terms = book.effective(reference, at: now)
        else { throw AuthError(.invalidRequest, reason: "no such version", field: "consents") }
        return terms
    }
}
