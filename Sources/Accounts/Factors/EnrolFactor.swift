// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors

/// What a user wants to set up.
public enum NewFactor: Sendable {
    /// - issuer: what the authenticator app is to call the service; `nil` for what the Directory says.
    case totp(issuer: String?)
    case phone(PhoneNumber)
    case email(EmailAddress)
    /// A security key, or what a device has in place of one. What its authenticator is to make is asked by
    /// ``ChallengeFactor``.
    case webAuthn

    public var kind: Factor.Kind {
        switch self {
        case .totp: .totp
        case .phone: .phone
        case .email: .email
        case .webAuthn: .webAuthn
        }
    }
}

/// A factor that is being set up, and what its user needs for it. Shown once.
public struct EnrolledFactor: Sendable {
    public var factor: Factor
    /// `nil` but for an authenticator app.
    public var authenticator: Authenticator?

    public struct Authenticator: Sendable {
        /// Base32, for who types it.
        public var secret: Secret<String>
        /// What an app takes over: see ``Factors/TOTP/uri(secret:issuer:account:)``.
        public var uri: Secret<String>

        /// How codes are made of the secret: digits of a code, seconds for which it is shown, and the hash (RFC 6238).
        public var codeLength: Int { FactorCheck.totp.digits }
        public var period: Int64 { FactorCheck.totp.period }
        public var algorithm: String { FactorCheck.totp.algorithm.rawValue }

        /// The same to be read by a camera, as SVG.
        ///
        /// - Throws: ``AuthErrorCode/internalFailure``.
        public func svg() throws(AuthError) -> String { try QRCode(uri).svg() }

        /// As PNG.
        ///
        /// - Throws: ``AuthErrorCode/internalFailure``.
        public func png() throws(AuthError) -> [UInt8] { try QRCode(uri).png() }
    }
}

/// Begins to set up a second factor. It counts once its user has proved it: by ``StepUp`` in a session, by
/// ``AnswerFactor`` in a sign-in that asks for it.
public struct EnrolFactor: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// - Parameters:
    ///   - name: unlike any other of the user's.
    ///   - isAfresh: whether whatever else of the kind is being set up is given up.
    /// - Throws: ``AuthErrorCode/insufficientAssurance`` in a session that shows no second factor, where the user has
    ///   one; ``AuthErrorCode/reauthenticationNeeded`` in one that is too old, where they have none;
    ///   ``AuthErrorCode/factorDisabled``, ``AuthErrorCode/tooManyFactors``, ``AuthErrorCode/factorNameExists``,
    ///   ``AuthErrorCode/factorExists`` for a number or address that is proved already,
    ///   ``AuthErrorCode/textMessagesUnavailable``, ``AuthErrorCode/invalidRequest`` for a long name or issuer,
    ///   ``AuthErrorCode/unsupported`` for an anonymous user; ``AuthErrorCode/userNotFound``,
    ///   ``AuthErrorCode/userBanned``, ``AuthErrorCode/sessionNotFound``.
    public func callAsFunction(
        _ new: NewFactor, named name: String? = nil, afresh isAfresh: Bool = false,
        for authenticated: AuthenticatedUser, call: CallContext
    ) async throws -> EnrolledFactor {
        try check(new, name, call)
        return try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            try AssuranceRule(step).requireForEnrolment(authenticated)
            return try Self.enrol(new, name, isAfresh, of: user, step)
        }
    }

    /// The same in a sign-in that asks for a factor of who has none.
    ///
    /// - Parameter ticket: of ``SignInTicket/Step/enrolment``. It stays good.
    /// - Throws: as above, and what ``SignInTicket/init(_:for:call:)`` throws.
    public func callAsFunction(
        _ new: NewFactor, named name: String? = nil, afresh isAfresh: Bool = false, for ticket: SignInTicket,
        call: CallContext
    ) async throws -> EnrolledFactor {
        guard ticket.step == .enrolment else { throw AuthError(.flowStateNotFound) }
        try check(new, name, call)
        return try await ports.write(call) { step in
            try Self.enrol(new, name, isAfresh, of: try ticket.holder(call, step.tx), step)
        }
    }

    /// What somebody needs who is still setting a factor up, for the page that asks for its first code once more.
    ///
    /// - Throws: ``AuthErrorCode/factorNotFound`` for one that counts already, is over, or is another user's.
    public func unfinished(_ id: FactorID, of user: User, call: CallContext) async throws -> EnrolledFactor {
        try await ports.store.read { try Self.unfinished(id, of: user, call, $0) }
    }

    /// The same in a sign-in that asks for one.
    ///
    /// - Parameter ticket: of ``SignInTicket/Step/enrolment``. It stays good.
    /// - Throws: as above, and ``AuthErrorCode/invalidCredentials`` for a ticket that was used or whose proof is void.
    public func unfinished(_ id: FactorID, for ticket: SignInTicket, call: CallContext) async throws -> EnrolledFactor {
        guard ticket.step == .enrolment else { throw AuthError(.flowStateNotFound) }
        return try await ports.store.read { try Self.unfinished(id, of: try ticket.holder(call, $0), call, $0) }
    }

    private static func unfinished(
        _ id: FactorID, of user: User, _ call: CallContext, _ tx: any StoreReading
    ) throws -> EnrolledFactor {
        guard let factor = try tx.factor(id, in: call.directory.id), factor.userID == user.id, !factor.isVerified,
            factor.expiresAt.map({ call.now < $0 }) ?? true
        else { throw AuthError(.factorNotFound) }
        guard case .totp(let secret) = factor.credential else { return EnrolledFactor(factor: factor) }
        return EnrolledFactor(
            factor: factor, authenticator: authenticator(secret, issuer: nil, of: user, call.settings))
    }

    private func check(_ new: NewFactor, _ name: String?, _ call: CallContext) throws(AuthError) {
        guard call.settings.factors.use(of: new.kind) == .on else {
            throw AuthError(.factorDisabled, field: new.kind.rawValue)
        }
        try FactorNames.require(name)
        switch new {
        case .totp(let issuer):
            guard issuer?.utf8.count ?? 0 <= 4 * Factor.longestName else {
                throw AuthError(.invalidRequest, reason: "too long an issuer", field: "issuer")
            }
        case .phone(let number): try ports.requireReach(.phone(number), call: call)
        case .email: break
        case .webAuthn: _ = try call.relyingParty()
        }
    }

    private static func enrol(
        _ new: NewFactor, _ name: String?, _ isAfresh: Bool, of user: User, _ step: FlowStep
    ) throws -> EnrolledFactor {
        guard !user.isAnonymous else { throw AuthError(.unsupported, reason: "an anonymous user", field: "user") }
        let settings = step.settings.factors
        var known = try step.tx.factors(of: user.id, in: step.directory)
        // What was begun and is over makes room.
        func isOver(_ factor: Factor) -> Bool {
            guard let end = factor.expiresAt else { return false }
            return end <= step.now || isAfresh && factor.kind == new.kind
        }
        for factor in known where isOver(factor) { _ = try step.tx.deleteFactor(factor.id, in: step.directory) }
        known.removeAll(where: isOver)
        guard known.count < Factor.mostOfUser, known.secondFactors.count < settings.maximum else {
            throw AuthError(.tooManyFactors)
        }
        var authenticator: EnrolledFactor.Authenticator?
        let credential: Factor.Credential
        switch new {
        case .totp(let issuer):
            let secret = Secret(step.random.bytes(TOTP.secretLength))
            credential = .totp(secret)
            authenticator = self.authenticator(secret, issuer: issuer, of: user, step.settings)
        case .phone(let number): credential = .phone(number)
        case .email(let address): credential = .email(address)
        case .webAuthn: credential = .newWebAuthn
        }
        var factor = Factor(
            id: step.random.identifier(), directoryID: step.directory, userID: user.id, credential: credential,
            name: name, expiresAt: step.now + .seconds(settings.enrolmentLifetime), createdAt: step.now)
        if let recipient = factor.recipient {
            let same = known.filter { $0.kind == factor.kind && $0.recipient == recipient }
            guard !same.contains(where: \.isVerified) else { throw AuthError(.factorExists, field: new.kind.rawValue) }
            // Who begins anew has not finished the first time, and is sent no code sooner for it.
            factor.lastChallengedAt = same.compactMap(\.lastChallengedAt).max()
            for other in same { _ = try step.tx.deleteFactor(other.id, in: step.directory) }
        }
        try step.tx.insert(factor)
        try step.record(.factorEnrolled, user, details: FactorCheck.details(factor))
        return EnrolledFactor(factor: factor, authenticator: authenticator)
    }

    private static func authenticator(
        _ secret: Secret<[UInt8]>, issuer: String?, of user: User, _ settings: DirectorySettings
    ) -> EnrolledFactor.Authenticator {
        EnrolledFactor.Authenticator(
            secret: Secret(Base32.encode(secret.reveal())),
            uri: FactorCheck.totp.uri(
                secret: secret, issuer: issuer ?? settings.factors.issuer ?? settings.mail.siteName,
                account: account(of: user)))
    }

    /// What people know the account by.
    private static func account(of user: User) -> String {
        user.email?.rawValue ?? user.username?.rawValue ?? user.phone?.e164 ?? user.id.rawValue
    }
}

/// What a factor may be called.
enum FactorNames {
    /// - Throws: ``AuthErrorCode/invalidRequest`` with the field `name`.
    static func require(_ name: String?) throws(AuthError) {
        guard let name else { return }
        guard name.utf8.count <= Factor.longestName, StreamSafeText.accepts(name),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw AuthError(.invalidRequest, reason: "at most \(Factor.longestName) octets", field: "name") }
    }
}
