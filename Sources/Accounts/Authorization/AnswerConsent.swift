// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Takes a user's answer to what a client asks for.
public struct AnswerConsent: Sendable {
    public enum Answer: Sendable, Hashable {
        /// - Parameter scopes: those of the asked ones that the client may have; `nil` for all.
        case allow(scopes: [String]? = nil)
        case deny
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Remembers what was allowed. An answer to what nobody is asked any more changes nothing:
    /// ``ContinueAuthorization`` says what follows.
    ///
    /// - Throws: ``AuthorizationRefusal``.
    public func callAsFunction(
        _ id: PendingAuthorizationID, _ answer: Answer, browser: BrowserID?, session: Secret<String>?, call: CallContext
    ) async throws {
        try await ports.write(call) { step in
            var pending = try ContinueAuthorization.pending(id, browser: browser, at: step.now, step.tx)
            guard pending.directoryID == step.directory else { throw AuthorizationRefusal(.unknown) }
            let open = try OpenAuthorization(pending, session: session, step)
            guard try Self.take(answer, to: &pending, open, step) else { return }
            guard try step.tx.update(pending) else { throw AuthorizationRefusal(.completed) }
        }
    }

    /// Notes an answer in the request, and what was allowed in the user's consent.
    ///
    /// - Returns: whether anybody was asked.
    static func take(
        _ answer: Answer, to pending: inout PendingAuthorization, _ open: OpenAuthorization, _ step: FlowStep
    ) throws -> Bool {
        guard case .consent(let asked) = open.judgement.verdict, let user = open.session?.user else { return false }
        switch answer {
        case .deny: pending.isDenied = true
        case .allow(let scopes):
            let allowed = allowed(scopes, of: asked)
            if allowed.isEmpty {
                pending.isDenied = true
            } else {
                pending.consentedBy = user.id
                pending.consentedScopes = pending.request.scopes.filter {
                    !asked.contains($0) || allowed.contains($0)
                }
                try remember(allowed, of: asked, by: user, open.client, open.judgement.consent, step)
            }
        }
        return true
    }

    /// Without `openid` it would be no sign-in, so whoever agrees to anything agrees to that.
    private static func allowed(_ scopes: [String]?, of asked: [String]) -> [String] {
        guard let scopes else { return asked }
        guard asked.contains(where: scopes.contains) else { return [] }
        return asked.filter { $0 == "openid" || scopes.contains($0) }
    }

    /// Keeps what a user has allowed of what they were asked, in place of what they had allowed before.
    static func remember(
        _ allowed: [String], of asked: [String], by user: User, _ client: Client, _ former: Consent?, _ step: FlowStep
    ) throws {
        let empty = Consent(
            directoryID: step.directory, userID: user.id, clientID: client.id, scopes: [], createdAt: step.now,
            updatedAt: step.now)
        let consent = (former ?? empty).answered(with: allowed, of: asked, at: step.now)
        try step.tx.put(consent)
        try step.record(
            .consentGiven, user,
            details: [
                "client": .string(client.id.rawValue), "scopes": .string(consent.scopes.joined(separator: " ")),
            ])
    }
}
