// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import Mail

/// Adds a passkey to the account of whoever is signed in: by it alone they sign in from then on.
public struct RegisterPasskey: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// What the user's authenticator is to make.
    ///
    /// - Throws: ``AuthErrorCode/factorDisabled`` where there are no passkeys; ``AuthErrorCode/insufficientAssurance``
    ///   in a session that shows no second factor, where the user has one; ``AuthErrorCode/reauthenticationNeeded`` in
    ///   one that is too old, where they have none; ``AuthErrorCode/tooManyFactors``, ``AuthErrorCode/unsupported`` for
    ///   an anonymous user; ``AuthErrorCode/sessionNotFound``, ``AuthErrorCode/userNotFound``,
    ///   ``AuthErrorCode/userBanned``.
    public func begin(for authenticated: AuthenticatedUser, call: CallContext) async throws -> WebAuthnQuestion {
        try call.requirePasskeys()
        guard let session = authenticated.session else { throw AuthError(.sessionNotFound) }
        return try await ports.write(call) { step in
            let user = try Self.holder(authenticated, step)
            return try WebAuthnAsking(step).registration(.signIn, of: user, in: .session(session.id))
        }
    }

    /// Judges what it has made. The challenge is spent, whatever comes of it.
    ///
    /// - Parameters:
    ///   - challenge: of ``begin(for:call:)`` in the same session; `nil` for the newest in it.
    ///   - answer: `RegistrationResponseJSON` (Web Authentication Level 3, section 5.1.8).
    ///   - name: unlike any other of the user's factors and passkeys; `nil` for one without.
    /// - Throws: ``AuthErrorCode/factorChallengeNotFound``, also for one that was answered;
    ///   ``AuthErrorCode/factorChallengeExpired``; ``AuthErrorCode/factorCodeInvalid`` for an answer that does not
    ///   hold, whose field is what is wrong with it (``Factors/WebAuthnError/Code``); ``AuthErrorCode/factorExists``
    ///   for a credential that somebody has; ``AuthErrorCode/factorNameExists``, ``AuthErrorCode/invalidRequest`` for a
    ///   long name; and as ``begin(for:call:)``.
    public func complete(
        _ challenge: FactorChallengeID?, _ answer: JSONObject, named name: String? = nil,
        of authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> Factor {
        try call.requirePasskeys()
        try FactorNames.require(name)
        guard let session = authenticated.session else { throw AuthError(.sessionNotFound) }
        let holder = FactorHolder.session(session.id).name
        guard let challenge = try await asked(challenge, in: holder, authenticated, call) else {
            throw AuthError(.factorChallengeNotFound)
        }
        let judgement = try await RegistrationJudgement(answer, to: challenge, in: holder, call, ports.store)
        let outcome: Result<Factor, AuthError> = try await ports.write(call) { step in
            let user = try Self.holder(authenticated, step)
            let ceremony: WebAuthnCeremony
            switch try WebAuthnSpending(step).spend(challenge, .registration, in: holder) {
            case .success(let spent): ceremony = spent.ceremony
            case .failure(let refusal): return .failure(refusal)
            }
            guard ceremony.use == .signIn, let judgement else { return .failure(AuthError(.factorChallengeNotFound)) }
            do {
                return try Self.add(try judgement.taken(for: challenge), name, to: user, step)
            } catch let error as WebAuthnError {
                try step.record(
                    .factorFailed, user,
                    details: ["kind": .string(Factor.Kind.webAuthn.rawValue), "reason": .string(error.code.rawValue)])
                return .failure(AuthError(.factorCodeInvalid, field: error.code.rawValue))
            }
        }
        return try outcome.get()
    }

    private func asked(
        _ challenge: FactorChallengeID?, in holder: String, _ authenticated: AuthenticatedUser, _ call: CallContext
    ) async throws -> FactorChallengeID? {
        if let challenge { return challenge }
        let user = authenticated.user.id
        return try await ports.store.read { tx in
            try tx.latestChallenge(of: user, holder: holder, in: call.directory.id)?.id
        }
    }

    private static func holder(_ authenticated: AuthenticatedUser, _ step: FlowStep) throws -> User {
        let user = try authenticated.usable(step.call, step.tx)
        guard !user.isAnonymous else { throw AuthError(.unsupported, reason: "an anonymous user", field: "user") }
        try AssuranceRule(step).requireForEnrolment(authenticated)
        let known = try step.tx.factors(of: user.id, in: step.directory)
        guard known.count < Factor.mostOfUser, known.passkeys.count < step.settings.passkeys.maximum else {
            throw AuthError(.tooManyFactors)
        }
        return user
    }

    private static func add(
        _ credential: WebAuthnCredential, _ name: String?, to user: User, _ step: FlowStep
    ) throws -> Result<Factor, AuthError> {
        guard try step.tx.factor(credential: credential.id, in: step.directory) == nil else {
            return .failure(AuthError(.factorExists, field: "credential"))
        }
        let passkey = Factor(
            id: step.random.identifier(), directoryID: step.directory, userID: user.id,
            credential: .webAuthn(credential), name: name, verifiedAt: step.now, createdAt: step.now)
        try step.tx.insert(passkey)
        try step.record(.passkeyAdded, user, details: ["passkey": .string(passkey.id.rawValue)])
        try OwnerNotice(step).tellAdded(passkey, to: user)
        return .success(passkey)
    }
}

extension CallContext {
    /// - Throws: ``AuthErrorCode/factorDisabled`` with the field `passkeys`.
    func requirePasskeys() throws(AuthError) {
        guard settings.passkeys.enabled else { throw AuthError(.factorDisabled, field: "passkeys") }
    }
}
