// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The one place where any sign-in of any dialect ends. It alone decides what follows once a user has proved who they
/// are (``SignInRequirement``), and it alone opens sessions.
public struct SessionIssuer {
    let step: FlowStep

    public init(_ step: FlowStep) {
        self.step = step
    }

    /// Decides what follows a proof: a session, which is opened, or a step that is the user's to take.
    ///
    /// - Parameters:
    ///   - user: as this transaction read it, or as `standing` says.
    ///   - known: all identities of the user (``LocalIdentities/all(of:_:)``), where the caller has read them.
    ///   - id: the session's, where it was chosen before.
    /// - Returns: a refusal as a value, for flows that commit what led to it: ``AuthErrorCode/userNotFound`` for a
    ///   deleted user, ``AuthErrorCode/userBanned``, ``AuthErrorCode/temporaryPasswordExpired``,
    ///   ``AuthErrorCode/emailNotVerified``, ``AuthErrorCode/phoneNotVerified``.
    public func conclude(
        _ proof: SignInProof, of user: User, _ standing: UserStanding = .judged, identities known: [Identity]? = nil,
        as id: SessionID? = nil
    ) throws -> Result<SignInStep, AuthError> {
        var (proof, user) = (proof, user)
        try endRecovery(by: proof, of: &user)
        proof.device = proof.device ?? (step.call.tracksDevices ? step.call.namedDevice : nil)
        switch try SignInRequirement.firstUnmet(
            by: user, proof, step.call,
            factors: FactorNeed(
                of: user, after: proof.methods, on: proof.device, in: step.call.directory, step.tx),
            terms: !AgreementLog.due(of: user, step.call, step.tx).isEmpty)
        {
        case nil: return .success(.session(try open(proof, of: user, standing, known, as: id)))
        case .refused(let code): return .failure(AuthError(code))
        case .asks(let next):
            let user = standing == .changed ? try step.tx.update(user) : user
            var pending = try pending(next, proof, of: user)
            switch next {
            case .newPassword: return .success(.newPassword(pending))
            case .secondFactor:
                pending.choices = try FactorChoices(
                    of: user, after: proof.methods, in: step.call.directory, step.tx)
                return .success(.secondFactor(pending))
            case .enrolment:
                pending.choices = try FactorChoices(
                    of: user, after: proof.methods, in: step.call.directory, step.tx)
                return .success(.enrolment(pending))
            case .device:
                pending.device = proof.device
                return .success(.device(pending))
            case .terms:
                pending.terms = try AgreementLog.due(of: user, step.call, step.tx)
                pending.agreementPage = try AgreementLink(
                    of: try step.tx.user(user.id, in: step.directory) ?? user, call: step.call
                )
                .address(step.call, random: step.random)
                return .success(.terms(pending))
            case .conclusion: return .failure(AuthError(.flowStateNotFound))
            }
        }
    }

    /// What a sign-in means to who waits for lost factors to be removed (ADR 0075). Not that of whom the operator's
    /// program vouches for, who has shown nothing here, nor a session that goes on.
    private func endRecovery(by proof: SignInProof, of user: inout User) throws {
        guard !proof.isContinuation, !proof.isVouchedFor, !proof.includes(.anonymous) else { return }
        let asked = user
        try FactorRecoveryEnd(step).signIn(of: &user, at: proof.assurance) {
            SignInRequirement.firstUnmet(
                by: asked, proof, step.call, factors: FactorNeed(), terms: false, through: .confirmation) == nil
        }
    }

    /// - Parameter next: what the ticket is for.
    func pending(_ next: SignInTicket.Step, _ proof: SignInProof, of user: User) throws -> PendingSignIn {
        // Read once more: what the flow itself has ended is not in the caller's.
        let stored = try step.tx.user(user.id, in: step.directory) ?? user
        let ticket = SignInTicket(next, for: stored, proof, call: step.call, random: step.random)
        return PendingSignIn(
            record: try UserRecord(user, step.tx),
            ticket: try ticket.sealed(in: step.call.directory, random: step.random))
    }

    private func open(
        _ proof: SignInProof, of user: User, _ standing: UserStanding, _ known: [Identity]?, as chosen: SessionID?
    ) throws -> IssuedSession {
        let (call, tx) = (step.call, step.tx)
        var (user, claims) = (user, proof.claims)
        let wasAsked = try ask(proof, of: &user, claims: &claims, known)
        var signedIn = user
        signedIn.lastSignInAt = call.now
        signedIn.language = call.language
        signedIn.updatedAt = call.now
        signedIn.deletionDueAt = nil
        let isNewDevice = try NewDevice(step).isNew(to: user)
        // Most sign-ins change nothing else of the account.
        let isStamped = standing == .stored && !wasAsked && user.deletionDueAt == nil
        signedIn = try isStamped ? tx.noteSignIn(of: signedIn) : tx.update(signedIn)
        if user.deletionDueAt != nil { try undoDeletion(of: signedIn) }
        if !call.agreedTerms.isEmpty { try AgreementLog(step).noteCall(by: signedIn, on: .signIn) }
        let identities = try stampIdentity(of: signedIn, proof, known)

        if call.settings.sessions.singlePerUser {
            try SessionEnding(step).endAll(of: user.id, because: .replaced)
        }
        let id = chosen ?? step.identifier()
        let (family, live) = RefreshTokenFamily.open(for: id, secret: step.random.bytes(RefreshToken.secretLength))
        let device = try rememberedDevice(of: user, proof)
        let session = Session(
            id: id, directoryID: user.directoryID, userID: user.id, device: call.device, methods: proof.methods,
            assurance: proof.assurance, createdAt: call.now, lastActiveAt: call.now, notAfter: Self.notAfter(call),
            family: family, clientID: call.client?.id,
            rotates: call.rotates ?? call.client?.settings.rotatesRefreshTokens, claims: claims,
            rememberedDevice: device)
        try tx.insert(session)
        let methods = proof.methods.map(\.name.rawValue).joined(separator: " ")
        try step.record(.signedIn, user, details: ["method": .string(methods), "session": .string(id.rawValue)])
        // Nobody is given a session whose program said no.
        step.follow(
            .signedIn, of: user.id, ifRefused: { _ = try SessionEnding($0).end(id, because: .replaced) },
            { .signedIn($0, isOnNewDevice: session.rememberedDevice != nil && proof.device == nil) })
        if isNewDevice { try OwnerNotice(step).tellNewDevice(of: signedIn) }
        var issued = try IssuedSession(signedIn, identities, session, live, .signedIn, call, tx)
        issued.isOnNewDevice = device != nil && proof.device == nil
        issued.hasKeptAccount = user.deletionDueAt != nil
        return issued
    }

    /// Asks the operator's programs whether this may become a session, and writes what they change. What they say for
    /// the session's tokens is for those of their own form's dialect.
    ///
    /// - Returns: whether anybody was asked, who may have changed the user.
    private func ask(
        _ proof: SignInProof, of user: inout User, claims: inout JSONObject, _ known: [Identity]?
    ) throws -> Bool {
        guard step.run != nil, !step.ports.hooks.blocking(.signIn, step.call).isEmpty else { return false }
        let subject = HookQuestion.Subject(user, try known ?? LocalIdentities.all(of: user, step.tx))
        let answers = try step.ask(.signIn(subject, methods: proof.methods))
        for (dialect, changes) in answers {
            try user.take(changes, of: dialect, step)
            if changes.isDisabled == true { user.bannedUntil = User.forever }
            if dialect == step.call.dialect, let added = changes.sessionClaims { claims = claims.merging(added) }
        }
        try step.settings.requireBounded(claims, "claims")
        if let refusal = step.call.refusal(of: user) { throw AuthError(refusal) }
        return true
    }

    /// Whoever signs in has thought better of it.
    private func undoDeletion(of user: User) throws {
        try OwnerNotice(step).tellDeletionCancelled(user)
        try step.record(.deletionCancelled, user)
    }

    private func stampIdentity(of user: User, _ proof: SignInProof, _ known: [Identity]?) throws -> [Identity] {
        // Whoever was vouched for, or has a passkey, used none of them; an identity provider's own is stamped with what
        // it said.
        guard !proof.isVouchedFor, !proof.includes(.federated), !proof.isByPasskey else {
            return try known ?? LocalIdentities.shown(of: user, step.call, step.tx)
        }
        let stored = try step.tx.identities(of: user.id, in: user.directoryID)
        var identities = LocalIdentities.completed(stored, of: user)
        var provider = user.email == nil ? LocalIdentities.phone : LocalIdentities.email
        if case .phone = proof.identifier { provider = LocalIdentities.phone }
        if let index = identities.firstIndex(where: { $0.provider == provider }) {
            identities[index].lastSignInAt = step.now
            try LocalIdentities(step).put(identities[index], over: stored)
        }
        return identities
    }

    /// When a session that begins now ends, whoever uses it: the earlier of what the Directory and the client say.
    static func notAfter(_ call: CallContext) -> Instant? {
        let timebox = call.settings.sessions.timebox
        let ends = [timebox > 0 ? timebox : nil, call.client?.settings.refreshTokenLifetime].compactMap(\.self)
        return ends.min().map { call.now + .seconds($0) }
    }
}

extension IssuedSession {
    /// What a dialect is given of a session that this transaction opened or renewed.
    ///
    /// - Parameters:
    ///   - live: the refresh token that the holder has from now on.
    ///   - known: the user's factors, where the caller has read them.
    init(
        _ user: User, _ identities: [Identity], _ session: Session, _ live: RefreshToken, _ renewal: Renewal,
        factors known: [Factor]? = nil, _ call: CallContext, _ tx: any StoreReading
    ) throws {
        let settings = call.settings.sessions
        let end = session.end(settings)
        func expiry(_ lifetime: Int64) -> Instant {
            let expiry = call.now + .seconds(lifetime)
            return end.map { min(expiry, $0) } ?? expiry
        }
        let access = call.client?.settings.accessTokenLifetime ?? settings.accessTokenLifetime
        let id = call.client?.settings.idTokenLifetime ?? settings.accessTokenLifetime
        self.init(
            user: user, identities: identities,
            groups: call.shows.contains(.groups) ? try tx.groups(of: user.id, in: user.directoryID) : [],
            session: session, refreshToken: Secret(live.encoded(in: call.directory, for: call.dialect)),
            accessExpiresAt: expiry(access), idExpiresAt: expiry(id), renewal: renewal)
        if call.factorPolicy == .stepUp {
            factors =
                try known?.secondFactors.map { FactorSummary($0) }
                ?? tx.secondFactors(of: user.id, in: user.directoryID)
        }
    }
}
