// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What is wanted of one kind of second factor.
public struct FactorPreference: Sendable, Equatable {
    public var kind: Factor.Kind
    /// Whether the user's factors of the kind are asked for.
    public var isEnabled: Bool
    /// Whether one of the kind is asked for first.
    public var isPreferred: Bool

    public init(_ kind: Factor.Kind, isEnabled: Bool, isPreferred: Bool = false) {
        self.kind = kind
        self.isEnabled = isEnabled
        self.isPreferred = isPreferred
    }
}

/// Says of kinds of second factors which are asked for, for protocols that know no factor by itself. All of it in one
/// transaction.
///
/// A kind whose codes are sent is switched on for the account's own number or address: one that was proved is a factor
/// from then on. An authenticator app must have been set up before.
public struct FactorPreferences: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Throws: ``AuthErrorCode/insufficientAssurance`` in a session that shows no second factor, where the user has
    ///   one; ``AuthErrorCode/factorNotFound`` with the kind as its field, where there is nothing to switch on;
    ///   ``AuthErrorCode/factorDisabled`` for a kind that the Directory has not, ``AuthErrorCode/tooManyFactors``; what
    ///   a session that has ended throws.
    public func callAsFunction(
        _ preferences: [FactorPreference], of authenticated: AuthenticatedUser, call: CallContext
    ) async throws {
        try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            try AssuranceRule(step).require(authenticated)
            try Self.apply(preferences, to: user, sparing: authenticated.session, step)
        }
    }

    /// The same by an operator, who needs no factor of the user's.
    ///
    /// - Throws: ``AuthErrorCode/forbidden``, ``AuthErrorCode/userNotFound``; otherwise as above.
    public func callAsFunction(
        _ preferences: [FactorPreference], of user: UserID, call: CallContext
    ) async throws {
        try call.requireAdministrator()
        try await ports.write(call) { step in
            let user = try step.tx.liveUser(user, in: step.directory)
            try Self.apply(preferences, to: user, sparing: nil, step)
        }
    }

    /// What comes first, so that whoever exchanges one kind for another is not without for a moment.
    private static func apply(
        _ preferences: [FactorPreference], to user: User, sparing session: Session?, _ step: FlowStep
    ) throws {
        let (taken, given) = (preferences.filter { !$0.isEnabled }, preferences.filter(\.isEnabled))
        for preference in given + taken { try apply(preference, to: user, sparing: session, step) }
    }

    private static func apply(
        _ preference: FactorPreference, to user: User, sparing session: Session?, _ step: FlowStep
    ) throws {
        let known = try step.tx.factors(of: user.id, in: step.directory)
            .filter { $0.isVerified && $0.kind == preference.kind }
        guard preference.isEnabled else {
            for factor in known where factor.isEnabled || factor.isPreferred {
                try change(factor, of: user, isEnabled: false, isPreferred: false, sparing: session, step)
            }
            return
        }
        let use = step.settings.factors.use(of: preference.kind)
        guard use != .off else { throw AuthError(.factorDisabled, field: preference.kind.rawValue) }
        let first: Factor
        if let own = ownCredential(of: user, preference.kind) {
            if let factor = known.first(where: { $0.recipient == own.recipient }) {
                first = factor
                try change(
                    factor, of: user, isEnabled: true, isPreferred: preference.isPreferred, sparing: session, step)
            } else {
                guard use == .on else { throw AuthError(.factorDisabled, field: preference.kind.rawValue) }
                guard session.map({ !$0.methods.wereAnswered(at: own.recipient, in: step.call.directory) }) ?? true
                else {
                    throw AuthError(.factorDisabled, field: preference.kind.rawValue)
                }
                first = try FactorAddition(step).add(own.credential, to: user, sparing: session)
                try change(
                    first, of: user, isEnabled: true, isPreferred: preference.isPreferred, sparing: session, step)
            }
        } else {
            guard let oldest = known.first else {
                throw AuthError(.factorNotFound, field: preference.kind.rawValue)
            }
            first = oldest
            for factor in known {
                try change(
                    factor, of: user, isEnabled: true,
                    isPreferred: preference.isPreferred && factor.id == first.id, sparing: session, step)
            }
        }
        for factor in known where factor.id != first.id && factor.isPreferred {
            try change(factor, of: user, isEnabled: factor.isEnabled, isPreferred: false, sparing: session, step)
        }
    }

    /// The number or address that the account itself has proved.
    private static func ownCredential(
        of user: User, _ kind: Factor.Kind
    ) -> (credential: Factor.Credential, recipient: String)? {
        switch kind {
        case .phone:
            guard let phone = user.phone, user.phoneVerifiedAt != nil else { return nil }
            return (.phone(phone), phone.e164)
        case .email:
            guard let email = user.email, user.emailVerifiedAt != nil else { return nil }
            return (.email(email), email.rawValue)
        case .totp, .webAuthn: return nil
        }
    }

    /// What stays as it is is not written, and nobody is told of it.
    private static func change(
        _ factor: Factor, of user: User, isEnabled: Bool, isPreferred: Bool, sparing session: Session?, _ step: FlowStep
    ) throws {
        guard let current = try step.tx.factor(factor.id, in: step.directory),
            current.isEnabled != isEnabled || current.isPreferred != isPreferred
        else { return }
        _ = try FactorRemoval(step).change(
            current, of: user, name: nil, isEnabled: isEnabled, isPreferred: isPreferred, sparing: session)
    }
}
