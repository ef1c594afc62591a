// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// Firebase Authentication: Google's own, an emulator, or a server that speaks it.
///
/// What a request of the app's own API carries is the ID token alone; a provider's credential goes to the service once
/// and is kept nowhere (F-9).
public struct FirebaseBackend: IdentityBackend {
    public let name: String
    let service: FirebaseService

    /// Signs in to that project.
    public init(_ configuration: FirebaseConfiguration, transport: any HTTPTransport) {
        service = FirebaseService(configuration, transport: transport)
        let place = [configuration.emulator, configuration.tenantID].compactMap { $0 }
        name = (["firebase", configuration.apiKey] + place).joined(separator: " ")
    }

    public func signIn(_ proof: SignInProof) async throws(AuthError) -> SignInStep {
        try await signIn(proof, createsUser: true)
    }

    func signIn(_ proof: SignInProof, createsUser: Bool) async throws(AuthError) -> SignInStep {
        switch proof {
        case .password(let email, let password):
            return try await step(
                service.ask(
                    "accounts:signInWithPassword",
                    [
                        "email": .string(email), "password": .string(password.reveal()), "returnSecureToken": true,
                    ]), email)
        case .identityToken(let identity):
            let credential = FirebaseCredential(identity)
            let answer: FirebaseService.Answer
            do {
                answer = try await service.ask("accounts:signInWithIdp", credential.body(createsUser: createsUser))
            } catch  where !createsUser && error.code == .userNotFound {
                // The provider's user has no account, and is to get none: it says nothing of whoever is signed in.
                throw AuthError(.reauthenticationInvalid, reason: error.reason)
            }
            if answer.members["needConfirmation"]?.boolValue == true { return Self.linking(credential, answer) }
            let next = try await step(answer, answer.members["email"]?.stringValue)
            guard case .session(let grant) = next else { return next }
            return .session(await keepingName(of: identity, in: grant))
        case .code(let email, let code):
            // What a mailed link carries is good with the address that asked for it alone.
            return try await step(
                service.ask(
                    "accounts:signInWithEmailLink", ["email": .string(email), "oobCode": .string(code.reveal())]),
                email)
        // The service makes whoever the app's server names and nobody is.
        case .customToken(let token) where createsUser:
            return try await step(
                service.ask(
                    "accounts:signInWithCustomToken", ["token": .string(token.reveal()), "returnSecureToken": true]),
                nil)
        case .anonymous:
            return try await step(service.ask("accounts:signUp", ["returnSecureToken": true]), nil)
        case .browser, .callback, .link, .customToken, .passkey:
            throw AuthError(.unsupported, reason: "providers are asked by their own kits, and links need the address")
        }
    }

    public func refresh(_ tokens: TokenSet) async throws(AuthError) -> SessionGrant {
        guard let token = tokens.refreshToken else {
            throw AuthError(.sessionExpired, reason: "the session has no refresh token")
        }
        return try await service.refresh(token).session()
    }

    /// Sessions of this service end on the device alone (F-4); its operator alone can end all of a user's.
    public func revoke(_ tokens: TokenSet, scope: SignOutScope) async throws(AuthError) {
        guard scope == .local else {
            throw AuthError(.unsupported, reason: "users don't end their other sessions at this service")
        }
    }

    public func user(_ tokens: TokenSet) async throws(AuthError) -> SessionUser {
        let answer = try await service.ask("accounts:lookup", ["idToken": .string(tokens.accessToken.reveal())])
        guard let user = answer.members["users"]?.arrayValue?.first?.objectValue else {
            throw AuthError(.unavailable, reason: "the answer is no user")
        }
        let claims = try? IDTokenClaims(reading: tokens.accessToken)
        let own = claims?.members["firebase"]?.objectValue
        return try SessionUser(firebaseAccount: user, provider: own?["sign_in_provider"]?.stringValue)
    }

    /// A session, or the second factor that stands before it.
    func step(_ answer: FirebaseService.Answer, _ identifier: String?) async throws(AuthError) -> SignInStep {
        guard let pending = answer.members["mfaPendingCredential"]?.stringValue else {
            return .session(try answer.session())
        }
        let factors = (answer.members["mfaInfo"]?.arrayValue ?? []).prefix(20)
            .compactMap { FirebaseFactor($0.objectValue ?? [:]) }
        return .awaiting(try await secondFactor(among: Array(factors), PendingFactor(pending), identifier))
    }

    public func answer(_ step: AwaitedStep, with answer: StepAnswer) async throws(AuthError) -> SignInStep {
        switch (step.kind, answer) {
        case (.linking, .proof(let proof)):
            let credential = step.ticket.reveal()["credential"]
            // Who shows that the account is theirs may add the provider to it.
            switch try await signIn(proof, createsUser: false) {
            case .session(let grant): return .session(try await linked(credential, to: grant))
            case .awaiting(var next):
                // The provider is added behind the second factor, which is why the step is gone with the process: a
                // provider's credential is kept nowhere (F-9).
                next.ticket = Secret(next.ticket.reveal().merging(["credential": credential ?? ""]) { $1 })
                next.lifetime = nil
                return .awaiting(next)
            }
        default: return try await answerFactor(step, with: answer)
        }
    }

    /// Adds a provider to the account that was shown to be the user's, where a step has brought one along.
    func linked(_ credential: String?, to grant: SessionGrant) async throws(AuthError) -> SessionGrant {
        guard let credential else { return grant }
        return try await service.ask(
            "accounts:signInWithIdp",
            FirebaseCredential(postBody: credential).body(linking: grant.tokens.accessToken)
        ).session()
    }

    /// There is an account with the address, which the provider does not vouch for.
    private static func linking(_ credential: FirebaseCredential, _ answer: FirebaseService.Answer) -> SignInStep {
        let known = (answer.members["verifiedProvider"]?.arrayValue ?? []).compactMap(\.stringValue)
        return .awaiting(
            AwaitedStep(
                kind: .linking(providers: known.isEmpty ? ["password"] : known),
                identifier: answer.members["email"]?.stringValue, ticket: Secret(["credential": credential.postBody])))
    }

    /// Apple tells a user's name to the app alone, and once (F-2). The session does not depend on it.
    func keepingName(of identity: ProviderIdentity, in grant: SessionGrant) async -> SessionGrant {
        guard let name = identity.name, !name.isEmpty, grant.user?.name == nil else { return grant }
        var grant = grant
        if let written = try? await changeProfile(grant.tokens, name: name) { grant = written }
        grant.user?.name = name
        return grant
    }
}
