// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors

/// Asks authenticators: the one place where challenges to them are drawn and kept.
struct WebAuthnAsking {
    private static let handleLength = 32

    private let step: FlowStep
    private let relyingParty: RelyingParty

    /// - Throws: ``AuthErrorCode/factorDisabled`` where nothing says for whom credentials are made.
    init(_ step: FlowStep) throws(AuthError) {
        self.step = step
        relyingParty = try step.call.relyingParty()
    }

    /// Asks for a new credential. Those that the user has for the same are not made a second time.
    ///
    /// - Parameter factor: what it is for, where that was begun before.
    func registration(
        _ use: WebAuthnCredential.Use, of user: User, factor: FactorID? = nil, in holder: FactorHolder
    ) throws -> WebAuthnQuestion {
        let settings = step.settings.passkeys
        // Said before anybody touches their key for nothing.
        _ = try step.call.attestationPolicy()
        let known = try step.tx.factors(of: user.id, in: step.directory).compactMap(\.webAuthn).filter { $0.use == use }
        // Authenticators keep one for a handle: that of second factors is another, so that neither takes the other's
        // place.
        let handle = known.first { !$0.userHandle.isEmpty }?.userHandle ?? step.random.bytes(Self.handleLength)
        var ceremony = self.ceremony(.registration)
        ceremony.use = use
        ceremony.userHandle = handle
        let name = user.email?.rawValue ?? user.username?.rawValue ?? user.phone?.e164 ?? ""
        let options = CreationOptions(
            relyingPartyID: relyingParty.id, relyingPartyName: settings.relyingPartyName ?? step.settings.mail.siteName,
            userHandle: handle, userName: name, displayName: name,
            challenge: ceremony.challenge, timeout: lifetime * 1000, excluded: known.map(CredentialDescriptor.init),
            residentKey: use == .signIn ? .required : .discouraged, userVerification: ceremony.userVerification,
            attestation: settings.asksForAttestation ? .direct : .none)
        let challenge = try keep(ceremony, of: user.id, factor: factor, in: holder.name)
        return WebAuthnQuestion(challenge: challenge, isRegistration: true, options: options.json)
    }

    /// Asks for a factor that there is.
    func authentication(
        _ credential: WebAuthnCredential, of user: User, factor: FactorID, in holder: FactorHolder
    ) throws -> WebAuthnQuestion {
        var ceremony = self.ceremony(.authentication)
        ceremony.allowed = [credential.id]
        return try ask(ceremony, [CredentialDescriptor(credential)], of: user.id, factor: factor, in: holder.name)
    }

    /// Asks who it is.
    ///
    /// - Parameters:
    ///   - allowed: whose it may be; empty for anybody's.
    ///   - user: whose those are, if they are anybody's.
    func signIn(_ allowed: [CredentialDescriptor] = [], of user: UserID? = nil, in holder: String) throws
        -> WebAuthnQuestion
    {
        var ceremony = self.ceremony(.signIn)
        ceremony.allowed = allowed.map(\.id)
        return try ask(ceremony, allowed, of: user, factor: nil, in: holder)
    }

    private func ask(
        _ ceremony: WebAuthnCeremony, _ allowed: [CredentialDescriptor], of user: UserID?, factor: FactorID?,
        in holder: String
    ) throws -> WebAuthnQuestion {
        let options = RequestOptions(
            relyingPartyID: relyingParty.id, challenge: ceremony.challenge, timeout: lifetime * 1000, allowed: allowed,
            userVerification: ceremony.userVerification)
        let challenge = try keep(ceremony, of: user, factor: factor, in: holder)
        return WebAuthnQuestion(challenge: challenge, isRegistration: false, options: options.json)
    }

    private var lifetime: Int64 { step.settings.passkeys.challengeLifetime }

    private func ceremony(_ kind: WebAuthnCeremony.Kind) -> WebAuthnCeremony {
        WebAuthnCeremony(
            kind: kind, challenge: step.random.bytes(WebAuthnCeremony.challengeLength), relyingParty: relyingParty.id,
            userVerification: UserVerification(step.settings.passkeys.userVerification))
    }

    private func keep(
        _ ceremony: WebAuthnCeremony, of user: UserID?, factor: FactorID?, in holder: String
    ) throws -> FactorChallenge {
        let challenge = FactorChallenge(
            id: step.random.identifier(), directoryID: step.directory, userID: user, factorID: factor, holder: holder,
            data: ceremony.data, createdAt: step.now, expiresAt: step.now + .seconds(lifetime))
        try step.tx.insert(challenge)
        return challenge
    }
}

extension CredentialDescriptor {
    init(_ credential: WebAuthnCredential) {
        self.init(id: credential.id, transports: credential.transports)
    }
}
