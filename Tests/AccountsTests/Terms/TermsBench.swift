// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// A ``PasswordBench`` whose operator publishes terms.
struct TermsBench: Sendable {
    let base: PasswordBench

    init(_ change: (inout DirectorySettings) -> Void = { _ in }) async throws {
        base = try await PasswordBench(change)
    }

    var ports: AccountPorts { base.ports }

    /// Where agreement pages are.
    private struct Pages: VerificationLinks {
        func link(for _: OneTimeToken.Purpose, token _: String, redirectTo: String, in _: Directory) -> String {
            redirectTo
        }
        func home(of _: Directory) -> String { "https://auth.example/account" }
    }

    func call(after span: TimeSpan = .zero, agreed: String? = nil) throws -> CallContext {
        let references = try agreed.map { try TermsLine.references(in: $0) } ?? []
        return base.call(after: span).with {
            $0.links = Pages()
            $0.agreedTerms = references
        }
    }

    func operatorCall(after span: TimeSpan = .zero) -> CallContext {
        base.call(after: span).with { $0.actor = .commandLine }
    }

    static func reference(_ name: String, _ version: String) throws -> TermsReference {
        try #require(TermsReference(name: name, version: version))
    }

    static func draft(
        _ version: String, of name: String = "terms", kind: Terms.Kind = .document, demanded: Bool = true,
        effectiveAt: Instant? = nil
    ) throws -> TermsDraft {
        TermsDraft(
            reference: try reference(name, version), kind: kind, isDemanded: demanded,
            texts: ["en": Terms.Text(title: "Terms \(version)", url: "https://app.example/terms/\(version)")],
            effectiveAt: effectiveAt)
    }

    @discardableResult
    func publish(
        _ version: String, of name: String = "terms", kind: Terms.Kind = .document, demanded: Bool = true,
        after span: TimeSpan = .zero
    ) async throws -> [Terms] {
        let draft = try Self.draft(version, of: name, kind: kind, demanded: demanded)
        return try await TermsAdministration(ports).publish([draft], call: operatorCall(after: span))
    }

    /// What a sign-in by password leads to.
    func next(_ email: String = "a@example.com", at call: CallContext? = nil) async throws -> SignInStep {
        try await PasswordSignIn(ports)(
            base.email(email), password: Secret(PasswordBench.password), call: try call ?? self.call())
    }

    func pending(_ email: String = "a@example.com", at call: CallContext? = nil) async throws -> PendingSignIn {
        let next = try await next(email, at: call)
        guard case .terms(let pending) = next else {
            throw AuthError(.conflict, reason: next.pendingStep?.rawValue ?? "session")
        }
        return pending
    }

    func ticket(at call: CallContext? = nil) async throws -> SignInTicket {
        let call = try call ?? self.call()
        return try SignInTicket(try await pending(at: call).ticket.reveal(), for: .terms, call: call)
    }

    /// What is stored of a user's words, the newest first.
    func said(_ user: User) async throws -> [Agreement] {
        try await base.store.read {
            try $0.agreements(of: user.id, in: user.directoryID, after: nil, limit: 1000)
        }
    }

    func refusal(_ body: () async throws -> Void) async -> AuthErrorCode? { await base.error(body)?.code }
}
