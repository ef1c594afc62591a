// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// What came of what a provider said of its users.
public struct TakenEvents: Sendable {
    public var provider: IdentityProvider
    /// How many of the events were new and about somebody here.
    public var count = 0
    /// What the operator gave along where the provider tests the way here; empty for nothing.
    public var test: String?

    init(provider: IdentityProvider) {
        self.provider = provider
    }
}

/// Does what a provider says of its users of its own accord (Y-E4): Apple's notifications, Google's security events
/// (RFC 8417), and grants that it renews no more. Each ends the user's sessions, and the audit log says why.
public struct EndFederatedSessions: Sendable {
    /// The longest notification that is looked at.
    public static let maximumLength = 64 * 1024
    /// For how long a provider may say the same again.
    private static let memory = TimeSpan.days(30)

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - notification: the body of the provider's request.
    ///   - provider: ``IdentityProvider/name``.
    /// - Returns: what came of it. Every event of it counts, each once: see ``name(of:)``.
    /// - Throws: ``AuthErrorCode/identityTokenInvalid``, ``AuthErrorCode/identityProviderNotFound``,
    ///   ``AuthErrorCode/identityProviderDisabled``, ``AuthErrorCode/identityProviderUnavailable``,
    ///   ``AuthErrorCode/requestTooLarge``; ``AuthErrorCode/unsupported`` for a provider that sends none.
    @discardableResult
    public func callAsFunction(
        _ notification: [UInt8], from provider: String, call: CallContext
    ) async throws -> TakenEvents {
        guard notification.count <= Self.maximumLength else { throw AuthError(.requestTooLarge) }
        let provider = try await IdentityProviders(ports).usable(provider, in: call.directory.id)
        let events = try await ports.identityProviders.events(notification, at: provider, now: call.now)
        var taken = TakenEvents(provider: provider)
        taken.test = events.first { $0.kind == .verification }.map { $0.reason ?? "" }
        for event in events where event.kind.endsSessions || event.kind == .emailDisabled {
            if try await ports.write(call, { try Self.take(event, from: provider, $0) }) { taken.count += 1 }
        }
        return taken
    }

    /// Asks the provider whether a grant that it gave still stands. What its user has replaced meanwhile stays as it
    /// is.
    ///
    /// - Parameter dueAt: when it is asked about again.
    /// - Returns: whether it does; where it does not, the user's sessions have ended.
    /// - Throws: ``AuthErrorCode/identityProviderUnavailable`` and the like: then nothing is known, and nothing ends.
    public func renew(
        _ grant: UpstreamGrant, of identity: Identity, dueAt: Instant? = nil, call: CallContext
    ) async throws -> Bool {
        let provider = try await IdentityProviders(ports).usable(identity.provider, in: call.directory.id)
        do {
            let tokens = try await ports.identityProviders.refresh(grant.refreshToken, at: provider, now: call.now)
            try await ports.write(call) { step in
                guard try Self.isKept(grant, step) else { return }
                try step.tx.put(
                    UpstreamGrant(
                        identityID: identity.id, directoryID: step.directory,
                        refreshToken: tokens.refresh ?? grant.refreshToken, updatedAt: step.now, dueAt: dueAt))
            }
            return true
        } catch let error as AuthError where error.code == .identityProviderRefused {
            return try await ports.write(call) { step in
                guard try Self.isKept(grant, step) else { return true }
                _ = try step.tx.deleteUpstreamGrant(of: identity.id, in: step.directory)
                try Self.end(identity, because: "refresh_refused", reason: nil, step)
                return false
            }
        }
    }

    private static func isKept(_ grant: UpstreamGrant, _ step: FlowStep) throws -> Bool {
        guard let kept = try step.tx.upstreamGrant(of: grant.identityID, in: step.directory) else { return false }
        return constantTimeEqual(
            Array(kept.refreshToken.reveal().utf8), Array(grant.refreshToken.reveal().utf8))
    }

    private static func take(_ event: UpstreamEvent, from provider: IdentityProvider, _ step: FlowStep) throws -> Bool {
        let identity = try step.tx.identity(provider: provider.name, subject: event.subject, in: step.directory)
        guard let identity else {
            // Somebody whom what still waits would make known.
            if event.kind.endsSessions {
                try IdentityEnds(step).note(event.subject, of: provider.name)
            }
            return false
        }
        let issuer = identity.data[FederatedAccount.issuer]?.stringValue
        guard issuer == nil || issuer == event.issuer else { return false }
        guard try step.tx.spend(name(of: event), in: step.directory, until: step.now + memory) else { return false }
        guard event.kind.endsSessions else {
            try record(event.kind.rawValue, event.reason, identity, step)
            return true
        }
        try end(identity, because: event.kind.rawValue, reason: event.reason, step)
        guard event.kind == .consentRevoked || event.kind == .accountDeleted,
            var user = try step.tx.user(identity.userID, in: step.directory), user.deletedAt == nil, !user.isDamaged
        else { return true }
        // Who has no other way in keeps it: they come back by consenting anew.
        let identities = try LocalIdentities.all(of: user, step.tx)
        guard WaysToSignIn(user, identities).remain(without: identity) else { return true }
        try IdentityEnding(step).unlink(identity, from: &user, except: nil)
        try step.tx.update(user)
        return true
    }

    /// By what an event is known, so that it is heeded once. One statement may say several things, and of several
    /// users.
    private static func name(of event: UpstreamEvent) -> [UInt8] {
        let parts = ["latchkey upstream event 2", event.issuer, event.id, event.kind.rawValue, event.subject]
        return Array(SHA256.hash(data: Array(parts.joined(separator: "\0").utf8)))
    }

    private static func end(_ identity: Identity, because what: String, reason: String?, _ step: FlowStep) throws {
        try IdentityEnds(step).note(identity)
        if var user = try step.tx.user(identity.userID, in: step.directory) {
            // With what would open others: somebody else may have had the mail too, and a code that waits.
            try AccountEnding(step).endAll(of: user, because: .identityRevoked)
            if user.deletedAt == nil, !user.isDamaged {
                user.revokeTokens(at: step.now)
                user.updatedAt = step.now
                try step.tx.update(user)
            }
        }
        try record(what, reason, identity, step)
    }

    private static func record(_ what: String, _ reason: String?, _ identity: Identity, _ step: FlowStep) throws {
        var details: JSONObject = ["provider": .string(identity.provider), "event": .string(what)]
        details["reason"] = reason.map { .string(String($0.prefix(64))) }
        try step.record(.identityRevoked, user: identity.userID, details: details)
    }
}

extension UpstreamEvent.Kind {
    /// Whether the provider no longer answers for whoever came by it.
    var endsSessions: Bool {
        switch self {
        case .sessionsRevoked, .tokensRevoked, .consentRevoked, .accountDisabled, .accountDeleted,
            .credentialChangeRequired:
            true
        case .accountEnabled, .emailDisabled, .emailEnabled, .verification, .other: false
        }
    }
}
