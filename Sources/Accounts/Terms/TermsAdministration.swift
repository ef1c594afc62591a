// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Publishes what a Directory's users are asked to agree to. Every call needs an administrator as its actor, and
/// changes are audited.
///
/// What has taken effect stays as it is, since somebody may have agreed to it: another text is another version. Whether
/// a sign-in demands it can be changed.
public struct TermsAdministration: Sendable {
    /// All are read in each sign-in of a Directory that has any.
    static let maximum = 200
    /// A page names all that it shows in its form.
    private static let maximumNames = 30

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// All versions, in order of name and of when they take effect.
    ///
    /// - Throws: ``AuthErrorCode/forbidden``.
    public func list(call: CallContext) async throws -> [Terms] {
        try call.requireAdministrator()
        return try await ports.store.read { try $0.terms(in: call.directory.id) }
    }

    /// Publishes versions, all of them or none. One that is there in the same words is left as it is, so that a file
    /// can be given again.
    ///
    /// - Returns: those that are new.
    /// - Throws: ``AuthErrorCode/invalidRequest`` naming the field; ``AuthErrorCode/conflict`` for a version that is
    ///   there in other words, two that would take effect at once, a name that is of the other kind, and one too many;
    ///   ``AuthErrorCode/forbidden``.
    @discardableResult
    public func publish(_ drafts: [TermsDraft], call: CallContext) async throws -> [Terms] {
        try call.requireAdministrator()
        guard drafts.count <= Self.maximum else { throw AuthError(.invalidRequest, field: "terms") }
        for draft in drafts { try draft.check() }
        return try await ports.write(call) { step in
            var published: [Terms] = []
            for draft in drafts {
                if let terms = try Self.publish(draft, step) { published.append(terms) }
            }
            return published
        }
    }

    /// - Throws: ``AuthErrorCode/notFound``, ``AuthErrorCode/invalidRequest`` for a purpose,
    ///   ``AuthErrorCode/forbidden``.
    public func demand(_ isDemanded: Bool, of reference: TermsReference, call: CallContext) async throws -> Terms {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            var terms = try Self.find(reference, step)
            if isDemanded { try Self.requireDocument(terms.kind) }
            guard terms.isDemanded != isDemanded else { return terms }
            terms.isDemanded = isDemanded
            try step.tx.update(terms)
            try Self.record(isDemanded ? "demanded" : "released", reference, step)
            return terms
        }
    }

    /// Takes back a version that has not taken effect.
    ///
    /// - Throws: ``AuthErrorCode/notFound``, ``AuthErrorCode/conflict`` for one that has, ``AuthErrorCode/forbidden``.
    public func withdraw(_ reference: TermsReference, call: CallContext) async throws {
        try call.requireAdministrator()
        try await ports.write(call) { step in
            guard try !Self.find(reference, step).isEffective(at: step.now) else {
                throw AuthError(.conflict, reason: "it has taken effect", field: "version")
            }
            _ = try step.tx.deleteTerms(reference, in: step.directory)
            try Self.record("withdrawn", reference, step)
        }
    }

    private static func publish(_ draft: TermsDraft, _ step: FlowStep) throws -> Terms? {
        let all = try step.tx.terms(in: step.directory)
        let ofName = all.filter { $0.name == draft.reference.name }
        if let present = ofName.first(where: { $0.reference == draft.reference }) {
            guard draft.says(what: present) else {
                throw AuthError(.conflict, reason: "the version is there in other words", field: "version")
            }
            return nil
        }
        let names = Set(all.map(\.name)).union([draft.reference.name])
        guard all.count < maximum, names.count <= maximumNames else {
            throw AuthError(
                .conflict, reason: "at most \(maximum) versions, and \(maximumNames) names", field: "count")
        }
        let isBuiltIn = TermsBook.builtIn.contains(draft.reference.name)
        guard ofName.allSatisfy({ $0.kind == draft.kind }), !isBuiltIn || draft.kind == .purpose else {
            throw AuthError(.conflict, reason: "the name is of the other kind", field: "kind")
        }
        let terms = Terms(
            directoryID: step.directory, reference: draft.reference, kind: draft.kind, isDemanded: draft.isDemanded,
            texts: draft.texts, effectiveAt: draft.effectiveAt ?? step.now, createdAt: step.now)
        guard !ofName.contains(where: { $0.effectiveAt == terms.effectiveAt }) else {
            throw AuthError(.conflict, reason: "another version takes effect at that time", field: "effective_at")
        }
        try step.tx.insert(terms)
        try record("published", draft.reference, step)
        return terms
    }

    fileprivate static func requireDocument(_ kind: Terms.Kind) throws(AuthError) {
        guard kind == .document else {
            throw AuthError(.invalidRequest, reason: "no sign-in demands consent to a purpose", field: "demanded")
        }
    }

    private static func find(_ reference: TermsReference, _ step: FlowStep) throws -> Terms {
        guard let found = try step.tx.terms(in: step.directory).first(where: { $0.reference == reference }) else {
            throw AuthError(.notFound, reason: "no such version", field: "version")
        }
        return found
    }

    private static func record(_ what: String, _ reference: TermsReference, _ step: FlowStep) throws {
        try step.record(
            .termsChanged, user: nil,
            details: [
                "change": .string(what), "name": .string(reference.name), "version": .string(reference.version),
            ])
    }
}

/// A version as an operator writes it.
public struct TermsDraft: Sendable, Hashable {
    /// Beside purposes, a decision has this.
    private static let reserved = "version"
    private static let maximumTitle = 200
    private static let maximumURL = 2048
    private static let maximumLanguages = 20
    private static let maximumTag = 35

    public var reference: TermsReference
    public var kind: Terms.Kind
    public var isDemanded: Bool
    public var texts: [String: Terms.Text]
    /// `nil` for at once.
    public var effectiveAt: Instant?

    public init(
        reference: TermsReference, kind: Terms.Kind = .document, isDemanded: Bool = false,
        texts: [String: Terms.Text], effectiveAt: Instant? = nil
    ) {
        self.reference = reference
        self.kind = kind
        self.isDemanded = isDemanded
        self.texts = texts
        self.effectiveAt = effectiveAt
    }

    /// Whether a version that is there is this one. What is demanded may have been changed since.
    func says(what present: Terms) -> Bool {
        present.kind == kind && present.texts == texts && (effectiveAt ?? present.effectiveAt) == present.effectiveAt
    }

    func check() throws(AuthError) {
        guard reference.name != Self.reserved else {
            throw AuthError(.invalidRequest, reason: "the name of the form's own version", field: "name")
        }
        if isDemanded { try TermsAdministration.requireDocument(kind) }
        guard (1...Self.maximumLanguages).contains(texts.count) else {
            throw AuthError(.invalidRequest, reason: "1 to \(Self.maximumLanguages) languages", field: "texts")
        }
        for (language, text) in texts {
            guard Self.isTag(language) else {
                throw AuthError(.invalidRequest, reason: "a language as BCP 47 writes it: en, pt-br", field: "texts")
            }
            let title = text.title.unicodeScalars
            guard (1...Self.maximumTitle).contains(title.count), !title.contains(where: { $0.value < 32 }) else {
                throw AuthError(.invalidRequest, reason: "1 to \(Self.maximumTitle) characters", field: "title")
            }
            // A document is read somewhere.
            guard text.url.map(Self.isPlace) ?? (kind == .purpose) else {
                throw AuthError(.invalidRequest, reason: "a URL that begins with https:// or http://", field: "url")
            }
        }
    }

    private static func isTag(_ text: String) -> Bool {
        (2...maximumTag).contains(text.utf8.count)
            && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isPlace(_ text: String) -> Bool {
        text.utf8.count <= maximumURL && (text.hasPrefix("https://") || text.hasPrefix("http://"))
            && text.utf8.allSatisfy { (33...126).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "<") }
    }
}
