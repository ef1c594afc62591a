// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a provider's word does, within the one transaction that decides about it.
struct FederatedAccount {
    private let step: FlowStep
    private let provider: IdentityProvider
    private let proof: FederatedProof
    private let policy: FederationPolicy
    private let former: Session?
    private let attributes: FederatedAttributes

    /// - Parameter former: the session that a new one takes the place of, as this transaction found it.
    init(
        _ step: FlowStep, _ provider: IdentityProvider, _ proof: FederatedProof, _ policy: FederationPolicy,
        former: Session? = nil
    ) {
        self.step = step
        self.provider = provider
        self.proof = proof
        self.policy = policy
        self.former = former
        attributes = FederatedAttributes(step, provider, proof, policy.schema)
    }

    // MARK: Signing in

    /// - Returns: a refusal as a value, with which the log is committed that says so.
    func signIn() throws -> Result<FederatedOutcome, AuthError> {
        let known = try step.tx.identity(provider: provider.name, subject: proof.subject, in: step.directory)
        let user = try known.flatMap { try step.tx.user($0.userID, in: step.directory) }
        // Whoever is known by the identity is known, whoever has the address.
        let holder = user == nil ? try proof.email.flatMap { try step.tx.user(email: $0, in: step.directory) } : nil
        let state = try holderState(holder)
        let verdict = FederationDecision.verdict(
            known: knownState(known, user), claim: claim, holder: state, terms: terms)
        switch verdict {
        case .refuse(let code): return .failure(try refused(code, user ?? holder))
        case .signIn:
            guard let known, let user else { return .failure(AuthError(.internalFailure, reason: "nobody is known")) }
            return .success(try conclude(try put(over: known), of: user, .returned))
        case .link:
            guard let holder else { return .failure(AuthError(.internalFailure, reason: "nobody has the address")) }
            try OwnerNotice(step).tellLinked(provider.label, to: holder)
            return .success(try conclude(try insert(for: holder), of: holder, .linked))
        case .takeOver:
            guard let holder else { return .failure(AuthError(.internalFailure, reason: "nobody has the address")) }
            let taken = try takeOver(holder)
            return .success(try conclude(try insert(for: taken), of: taken, .tookOver))
        case .create(let address):
            let missing = attributes.missing
            guard missing.isEmpty else {
                let refusal = try refused(.identityAttributesMissing, nil)
                return .failure(AuthError(refusal.code, field: missing.joined(separator: ", ")))
            }
            if address == .verified, state == .provedOtherwise, let holder, let email = proof.email {
                try AccountLinking(step).strip(.email(email), from: holder)
            }
            let user = try create(address)
            var outcome = try conclude(try insert(for: user), of: user, .created)
            outcome.isEmailRecycled = state == .verifiedElsewhere
            return .success(outcome)
        }
    }

    /// The same for whoever does not sign in: the account follows what is said. What was said later stays, and what has
    /// ended since stays ended (H-8).
    func synchronize(asOf moment: Instant) throws -> Result<FederatedOutcome, AuthError> {
        let known = try step.tx.identity(provider: provider.name, subject: proof.subject, in: step.directory)
        if try IdentityEnds(step).hasEnded(proof, since: moment, isKnown: known != nil) {
            return .failure(try refused(.identityNotFound, nil))
        }
        if let known, known.updatedAt > moment, let user = try step.tx.user(known.userID, in: step.directory),
            knownState(known, user) == .user
        {
            return .success(
                FederatedOutcome(
                    ending: .nothing, record: try UserRecord(user, step.tx), identity: known, proof: proof,
                    moment: .returned, isEmailRecycled: false))
        }
        return try signIn()
    }

    private var terms: FederationDecision.Terms {
        FederationDecision.Terms(
            isSignUpOpen: (step.settings.signUp.enabled || policy.schema?.admitsProvidersUsers ?? false)
                && provider.signUpAllowed,
            createsAccounts: policy.createsAccounts,
            isEmailOptional: policy.isEmailOptional || provider.emailOptional, unvouched: policy.unvouched)
    }

    private var claim: FederationDecision.Claim {
        proof.email == nil ? .noAddress : proof.isEmailVouched ? .vouched : .unvouched
    }

    private func knownState(_ known: Identity?, _ user: User?) -> FederationDecision.Known {
        guard let known, let user else { return .nobody }
        guard known.damage.isEmpty, step.call.refusal(of: user) == nil else { return .unusable }
        // What was brought along by an import says no issuer: the provider's first word does.
        let issuer = known.data[Self.issuer]?.stringValue
        return issuer == nil || issuer == proof.issuer ? .user : .anotherIssuer
    }

    private func holderState(_ holder: User?) throws -> FederationDecision.Holder {
        guard let holder else { return .nobody }
        guard step.call.refusal(of: holder) == nil else { return .unusable }
        guard holder.emailVerifiedAt != nil else { return holder.isProved ? .provedOtherwise : .unverified }
        let identities = try step.tx.identities(of: holder.id, in: step.directory)
        return identities.contains { $0.provider == provider.name } ? .verifiedElsewhere : .verified
    }

    private func refused(_ code: AuthErrorCode, _ user: User?) throws -> AuthError {
        try step.record(
            .signInFailed, user: user?.id, email: proof.email,
            details: ["provider": .string(provider.name), "code": .string(code.rawValue)])
        return AuthError(code)
    }

    // MARK: Accounts

    private func create(_ address: FederationDecision.NewAddress) throws -> User {
        var user = try step.newUser()
        switch address {
        case .verified: (user.email, user.emailVerifiedAt) = (proof.email, step.now)
        case .unverified: user.email = proof.email
        // There is nothing to prove, and nobody else's it could be.
        case .none: user.confirmedAt = step.now
        }
        user.sharesEmail = user.email != nil && !step.settings.signUp.uniqueEmails
        try attributes.name(&user)
        try AddressClaims(step).requireUnique(user)
        user.appMetadata["provider"] = .string(provider.name)
        user.name(providers: LocalIdentities.providers(of: user) + [provider.name])
        try step.admit(&user, by: provider.name)
        try step.tx.insert(user)
        try attributes.join(user)
        step.followCreation(of: user)
        step.followConfirmation(of: user)
        try step.record(.signedUp, user, details: ["provider": .string(provider.name)])
        return user
    }

    /// Whoever the provider vouches for has the address, and so the account (ADR 0028).
    private func takeOver(_ holder: User) throws -> User {
        var user = holder
        try AccountTakeover(step, by: .identity).apply(to: &user)
        if user.origin == .signUp {
            // Nothing of what somebody said of themselves there is the owner's word.
            user.forgetDescription()
        }
        // By the address nobody has come whose it is.
        for var identity in try step.tx.identities(of: user.id, in: step.directory)
        where LocalIdentities.isLocal(identity) && identity.lastSignInAt != nil {
            identity.lastSignInAt = nil
            try step.tx.update(identity)
        }
        user.emailVerifiedAt = step.now
        user.isAnonymous = false
        user.updatedAt = step.now
        try AddressClaims(step).requireUnique(user)
        try LocalIdentities(step).align(&user)
        step.followConfirmation(of: user, from: holder)
        try step.record(.signedUp, user, details: ["provider": .string(provider.name)])
        return try step.tx.update(user)
    }

    // MARK: Identities

    /// Where an identity's data say whose word it is.
    static let issuer = "iss"

    private func data(over former: JSONObject = [:]) throws -> JSONObject {
        var data = proof.claims
        data[Self.issuer] = .string(proof.issuer)
        data["sub"] = .string(proof.subject)
        data["email"] = proof.email.map { .string($0.rawValue) }
        data["email_verified"] = .bool(proof.isEmailVouched)
        // Some say a name once, and never again.
        if data["given_name"] == nil { data["given_name"] = proof.givenName.map(JSONValue.string) }
        if data["family_name"] == nil { data["family_name"] = proof.familyName.map(JSONValue.string) }
        for name in ["name", "given_name", "family_name"] where data[name] == nil { data[name] = former[name] }
        try step.settings.requireBounded(data, "identity_data")
        return data
    }

    private func insert(for user: User) throws -> Identity {
        let identity = Identity(
            id: step.random.identifier(), directoryID: step.directory, userID: user.id, provider: provider.name,
            subject: proof.subject, data: try data(), lastSignInAt: policy.signsIn ? step.now : nil,
            createdAt: step.now, updatedAt: step.now)
        try step.tx.insert(identity)
        try step.record(.identityLinked, user, details: ["provider": .string(provider.name)])
        return identity
    }

    private func put(over known: Identity) throws -> Identity {
        var identity = known
        identity.data = try data(over: known.data)
        if policy.signsIn { identity.lastSignInAt = step.now }
        identity.updatedAt = step.now
        try step.tx.update(identity)
        return identity
    }

    // MARK: Ends

    private func conclude(
        _ identity: Identity, of stored: User, _ moment: FederationPolicy.Moment
    ) throws -> FederatedOutcome {
        var user = stored
        try attributes.write(policy.describe(proof, moment), at: moment, to: &user)
        let identities = try LocalIdentities.all(of: user, step.tx)
        user.name(providers: identities.map(\.provider))
        let isDescribed = user.userMetadata != stored.userMetadata || user.dialectData != stored.dialectData
        // Whoever asks the same twice finds what they left. A session writes what it changes along with it.
        if policy.signsIn || isDescribed || user.appMetadata != stored.appMetadata {
            user.updatedAt = step.now
            if !policy.ending.isSession { user = try step.tx.update(user) }
        }
        if !policy.signsIn, isDescribed, moment != .created { try step.record(.profileChanged, user) }
        try keepGrant(of: identity)
        let ending = try ending(of: user, identities)
        if case .step(let step) = ending { user = step.user }
        return FederatedOutcome(
            ending: ending, record: UserRecord(user: user, identities: identities), identity: identity, proof: proof,
            moment: moment, isEmailRecycled: false)
    }

    /// Kept where it is needed to take the grant back once the account goes, or to ask whether it still stands: nobody
    /// else asks for that.
    private func keepGrant(of identity: Identity) throws {
        // GitHub's lasts, and there is no other.
        let kept = provider.kind == .github ? proof.tokens?.access : proof.tokens?.refresh
        guard let token = kept, provider.kind == .apple || provider.grantCheckHours > 0 else { return }
        try step.tx.put(
            UpstreamGrant(
                identityID: identity.id, directoryID: step.directory, refreshToken: token, updatedAt: step.now,
                dueAt: GrantCheckPolicy(provider)?.first(at: step.now, jitter: .random(step.random))))
    }

    private func ending(of user: User, _ identities: [Identity]) throws -> FederatedOutcome.Ending {
        let method = AuthenticationMethod(.federated, at: step.now, provider: provider.name)
        switch policy.ending {
        case .session:
            let proof =
                former.map { SignInProof(method, inPlaceOf: $0) } ?? SignInProof(methods: [method], assurance: .aal1)
            let next = try SessionIssuer(step).conclude(proof, of: user, .changed, identities: identities).get()
            // Thrown where a session goes on that may not, so that it stays as it was.
            return former == nil ? .step(next) : .step(.session(try next.session()))
        case .code(let request):
            try step.call.requireUsable(user)
            let code = Base64URL.encode(step.random.bytes(32))
            try step.tx.insert(
                AuthorizationCode(
                    id: step.identifier(), directoryID: step.directory, userID: user.id,
                    codeHash: OneTimeToken.hash(link: code), request: request, methods: [method],
                    upstream: policy.handsTokensOn ? proof.tokens : nil, createdAt: step.now,
                    expiresAt: step.now + .seconds(step.settings.oneTime.authorizationCodeLifetime)))
            return .code(code)
        case .nothing: return .nothing
        }
    }

    // MARK: Linking

    /// Makes the identity one of the user's, who is signed in.
    ///
    /// - Throws: ``AuthErrorCode/identityAlreadyLinked``, whoever's it is; ``AuthErrorCode/emailExists`` where the
    ///   policy says so; as ``AccountLinking/require(_:)``.
    func link(to stored: User) throws -> FederatedOutcome {
        try AccountLinking(step).require(stored)
        if let known = try step.tx.identity(provider: provider.name, subject: proof.subject, in: step.directory) {
            let isOwn = known.userID == stored.id
            throw AuthError(
                .identityAlreadyLinked, reason: isOwn ? "to the same user" : "to another user",
                field: isOwn ? nil : "user")
        }
        if !policy.linksOthersAddresses, let email = proof.email,
            let holder = try step.tx.user(email: email, in: step.directory), holder.id != stored.id
        {
            throw AuthError(.emailExists, field: "email")
        }
        var user = stored
        // Whoever has no address yet gets the one that the provider vouches for, where it is nobody's.
        if user.email == nil, proof.isEmailVouched, let email = proof.email,
            try step.tx.user(email: email, in: step.directory) == nil
        {
            (user.email, user.emailVerifiedAt) = (email, step.now)
            user.sharesEmail = !step.settings.signUp.uniqueEmails
            try AddressClaims(step).requireUnique(user)
            try LocalIdentities(step).align(&user)
            user = try step.tx.update(user)
        }
        if user.isAnonymous {
            user.isAnonymous = false
            if user.email == nil { user.confirmedAt = step.now }
            step.followConfirmation(of: user, from: stored)
        }
        try OwnerNotice(step).tellLinked(provider.label, to: stored)
        return try conclude(try insert(for: user), of: user, .linked)
    }
}
