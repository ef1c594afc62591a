// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Goes on with a request that a page stood before.
public struct ContinueAuthorization: Sendable {
    static let maximumIdentifierLength = 64

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// What follows now. Pages ask too, before they show themselves.
    ///
    /// - Parameters:
    ///   - browser: which the request was begun in.
    ///   - session: the cookie of its session in the call's Directory.
    /// - Throws: ``AuthorizationRefusal``, mostly with what makes the request stale.
    public func callAsFunction(
        _ id: PendingAuthorizationID, browser: BrowserID?, session: Secret<String>?, call: CallContext
    ) async throws -> AuthorizationStep {
        try await ports.write(call) { step in
            let pending = try Self.pending(id, browser: browser, at: step.now, step.tx)
            guard pending.directoryID == step.directory else { throw AuthorizationRefusal(.unknown) }
            return try OpenAuthorization(pending, session: session, step).proceed(isStored: true, step)
        }
    }

    /// What the browser's user is asked to agree to now, for the page that asks; nothing is gone on with. `nil` where
    /// another page comes first, or none.
    ///
    /// - Throws: ``AuthorizationRefusal``, mostly with what makes the request stale.
    public func consentQuestion(
        _ id: PendingAuthorizationID, browser: BrowserID?, session: Secret<String>?, call: CallContext
    ) async throws -> (user: User, scopes: [String])? {
        try await ports.write(call) { step in
            let pending = try Self.pending(id, browser: browser, at: step.now, step.tx)
            guard pending.directoryID == step.directory else { throw AuthorizationRefusal(.unknown) }
            return try OpenAuthorization(pending, session: session, step).consentQuestion
        }
    }

    /// Whether the request asks whoever is signed in to prove anew who they are, for the page that asks; nothing is
    /// gone on with.
    ///
    /// - Throws: ``AuthorizationRefusal``, mostly with what makes the request stale.
    public func asksAgain(
        _ id: PendingAuthorizationID, browser: BrowserID?, session: Secret<String>?, call: CallContext
    ) async throws -> Bool {
        try await ports.write(call) { step in
            let pending = try Self.pending(id, browser: browser, at: step.now, step.tx)
            guard pending.directoryID == step.directory else { throw AuthorizationRefusal(.unknown) }
            return try OpenAuthorization(pending, session: session, step).judgement.verdict == .signIn(again: true)
        }
    }

    /// A request that can be gone on with in this browser: it says which Directory and client a call is about.
    ///
    /// - Throws: ``AuthorizationRefusal`` with what makes it stale.
    public func find(
        _ id: PendingAuthorizationID, browser: BrowserID?, at now: Instant
    ) async throws -> PendingAuthorization {
        try await ports.store.read { try Self.pending(id, browser: browser, at: now, $0) }
    }

    static func pending(
        _ id: PendingAuthorizationID, browser: BrowserID?, at now: Instant, _ tx: any StoreReading
    ) throws -> PendingAuthorization {
        guard let browser, id.rawValue.utf8.count <= maximumIdentifierLength,
            let pending = try tx.pendingAuthorization(id), let owner = pending.browser,
            constantTimeEqual(owner, browser.hash)
        else { throw AuthorizationRefusal(.unknown) }
        if pending.completedAt != nil { throw AuthorizationRefusal(.completed, of: pending.clientID) }
        guard pending.expiresAt > now else { throw AuthorizationRefusal(.expired, of: pending.clientID) }
        return pending
    }
}
