// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Says by an operator's word which user a provider's is, before they have come by it, and takes it back. Every call
/// needs an administrator as its actor, and is audited.
///
/// A link is to a subject and never to an address: whoever comes is who the provider calls so, whatever else it says of
/// them.
public struct IdentityAdministration: Sendable {
    /// The most identities of providers that one user is linked to by an operator.
    public static let maximum = 5
    private static let maximumSubject = 255

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Makes the subject one of the user's, who opens their account by it from then on, and is told so.
    ///
    /// Not in an account that a stranger opened and nobody has proved: they know its password, and would be let in
    /// beside the person whom the operator means (ADR 0046). One that an operator made or confirmed is the operator's
    /// word.
    ///
    /// - Parameter provider: ``IdentityProvider/name`` of one that the Directory has.
    /// - Throws: ``AuthErrorCode/identityProviderNotFound``; ``AuthErrorCode/identityAlreadyLinked``, with the field
    ///   `user` where it is another's; ``AuthErrorCode/emailNotVerified`` for an account that nobody has proved;
    ///   ``AuthErrorCode/conflict`` with the field `count` for one too many; ``AuthErrorCode/invalidRequest`` with the
    ///   field `subject`; ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned`` for a damaged one,
    ///   ``AuthErrorCode/forbidden``.
    public func link(
        _ subject: String, of provider: String, to id: UserID, call: CallContext
    ) async throws -> UserRecord {
        try call.requireAdministrator()
        guard Self.isSubject(subject) else {
            throw AuthError(.invalidRequest, reason: "1 to \(Self.maximumSubject) octets", field: "subject")
        }
        return try await ports.write(call) { step in
            guard let configured = try ConfiguredProviders(step).all().first(where: { $0.name == provider }) else {
                throw AuthError(.identityProviderNotFound)
            }
            var user = try step.tx.liveUser(id, in: step.directory)
            guard !user.isDamaged else { throw AuthError(.userBanned) }
            guard user.origin != .signUp || !user.isUnverified else { throw AuthError(.emailNotVerified) }
            if let known = try step.tx.identity(provider: provider, subject: subject, in: step.directory) {
                throw AuthError(.identityAlreadyLinked, field: known.userID == id ? nil : "user")
            }
            let linked = try step.tx.identities(of: id, in: step.directory).filter { !LocalIdentities.isLocal($0) }
            guard linked.count < Self.maximum else {
                throw AuthError(.conflict, reason: "at most \(Self.maximum) identities", field: "count")
            }
            // The issuer is the provider's first word: see ``FederatedAccount``.
            try step.tx.insert(
                Identity(
                    id: step.random.identifier(), directoryID: step.directory, userID: id, provider: provider,
                    subject: subject, data: ["sub": .string(subject)], createdAt: step.now, updatedAt: step.now))
            try step.record(.identityLinked, user, details: ["provider": .string(provider), "by": "administrator"])
            try OwnerNotice(step).tellLinked(configured.label, to: user)
            user.name(providers: try LocalIdentities.all(of: user, step.tx).map(\.provider))
            user.updatedAt = step.now
            return try UserRecord(try step.tx.update(user), step.tx)
        }
    }

    /// Takes the subject from whoever is known by it. Their sessions by that provider end. It may be their last way in:
    /// that is the operator's to say.
    ///
    /// - Throws: ``AuthErrorCode/identityNotFound``, ``AuthErrorCode/userBanned`` for a damaged user,
    ///   ``AuthErrorCode/forbidden``.
    public func unlink(_ subject: String, of provider: String, call: CallContext) async throws {
        try call.requireAdministrator()
        guard Self.isSubject(subject), !LocalIdentities.isLocal(provider) else { throw AuthError(.identityNotFound) }
        try await ports.write(call) { step in
            guard let known = try step.tx.identity(provider: provider, subject: subject, in: step.directory),
                var user = try step.tx.user(known.userID, in: step.directory), user.deletedAt == nil
            else { throw AuthError(.identityNotFound) }
            guard !user.isDamaged else { throw AuthError(.userBanned) }
            try IdentityEnding(step).unlink(known, from: &user, except: nil)
            try step.tx.update(user)
        }
    }

    /// Takes the user's password away, and with it all sessions, links and codes. Their other ways in stay; a new
    /// password is set by a recovery, or given by an administrator.
    ///
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/userBanned`` for a damaged user,
    ///   ``AuthErrorCode/forbidden``.
    public func disablePassword(of id: UserID, call: CallContext) async throws {
        try call.requireAdministrator()
        try await ports.write(call) { step in
            var user = try step.tx.liveUser(id, in: step.directory)
            guard !user.isDamaged else { throw AuthError(.userBanned) }
            try PasswordReplacement(step, by: .administrator).apply(.none, to: &user)
            user.updatedAt = step.now
            try step.tx.update(user)
        }
    }

    private static func isSubject(_ text: String) -> Bool {
        (1...maximumSubject).contains(text.utf8.count) && StreamSafeText.accepts(text)
    }
}
