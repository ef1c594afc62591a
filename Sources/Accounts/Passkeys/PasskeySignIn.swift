// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import Factors

/// Signs in whoever has a passkey, by it alone. A passkey that has verified its user is two factors, and their session
/// is at `aal2`; one that has only seen somebody is one (NIST SP 800-63B-4, sections 2.2.1 and 3.1.7; ADR 0062).
public struct PasskeySignIn: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// What an authenticator is asked that is to say who it is. Costs one row, which is gone after
    /// ``DirectorySettings/Passkeys/challengeLifetime``; how often a client may ask is the route's to say.
    ///
    /// - Parameter binding: what only the caller has that the answer is taken of, such as their browser's cookie; `nil`
    ///   for a caller who has nothing but the challenge's name, which nobody guesses.
    /// - Throws: ``AuthErrorCode/factorDisabled`` where there are no passkeys.
    public func begin(boundTo binding: String? = nil, call: CallContext) async throws -> WebAuthnQuestion {
        try call.requirePasskeys()
        return try await ports.writeBriefly(call) { try WebAuthnAsking($0).signIn(in: Self.holder(call, binding)) }
    }

    /// As ``begin(boundTo:call:)``, for a protocol in which somebody says who they are first. Of whoever has no
    /// passkey, or is nobody, one is asked for that there is none of, the same each time.
    public func begin(
        as identifier: SignInIdentifier, boundTo binding: String? = nil, call: CallContext
    ) async throws -> WebAuthnQuestion {
        try call.requirePasskeys()
        return try await ports.writeBriefly(call) { step in
            let user = try step.tx.user(known: identifier, in: step.directory)
            let subject = identifier.subject(user, in: step.call.directory)
            let known = try step.tx.factors(of: subject, in: step.directory).filter(Self.isUsable).compactMap(
                \.webAuthn)
            let allowed = known.isEmpty ? [Self.nobodys(subject, step.call)] : known.map(CredentialDescriptor.init)
            return try WebAuthnAsking(step).signIn(
                allowed, of: known.isEmpty ? nil : user?.id, in: Self.holder(call, binding))
        }
    }

    /// Judges what it has answered. The challenge is spent, whatever comes of it.
    ///
    /// - Parameters:
    ///   - challenge: of ``begin(boundTo:call:)`` in the same dialect, by the same client, with the same binding.
    ///   - answer: `AuthenticationResponseJSON` (Web Authentication Level 3, section 5.1.9).
    /// - Throws: ``AuthErrorCode/factorChallengeNotFound``, also for one that was answered;
    ///   ``AuthErrorCode/factorChallengeExpired``; ``AuthErrorCode/passkeyRefused`` for an answer that does not hold,
    ///   and for a credential that nobody has, which costs the same; ``AuthErrorCode/factorDisabled``; after a right
    ///   one ``AuthErrorCode/userBanned``, ``AuthErrorCode/emailNotVerified``, ``AuthErrorCode/phoneNotVerified``.
    public func callAsFunction(
        _ challenge: FactorChallengeID, _ answer: JSONObject, boundTo binding: String? = nil, call: CallContext
    ) async throws -> SignInStep {
        try call.requirePasskeys()
        let holder = Self.holder(call, binding)
        let attempt = PasskeyAttempt(answer, try WebAuthnJudgement(call))
        // Signatures are checked where nobody waits for the store; what was judged then is kept where it still stands.
        let (asked, found) = try await ports.store.read { tx in
            (
                try tx.factorChallenge(challenge, in: call.directory.id),
                try attempt.response.flatMap { try tx.factor(credential: $0.id, in: call.directory.id) }
            )
        }
        let ceremony = asked.flatMap { WebAuthnCeremony($0.data, .signIn) }
        let early = ceremony.map { attempt.verdict(on: found, $0) }
        let outcome: Result<SignInStep, AuthError> = try await ports.writeBriefly(call) { step in
            switch try WebAuthnSpending(step).spend(challenge, .signIn, in: holder, known: asked) {
            case .failure(let refusal): return .failure(refusal)
            case .success(let spent):
                let user = spent.challenge.userID
                if let early, let next = try conclude(early, of: found, asked: user, step) { return next }
                // Used, changed or gone since it was judged.
                let current = try attempt.response.flatMap {
                    try step.tx.factor(credential: $0.id, in: step.directory)
                }
                let verdict = attempt.verdict(on: current, spent.ceremony)
                guard let next = try conclude(verdict, of: current, asked: user, step) else {
                    throw StoreConflict.stale("factor")
                }
                return next
            }
        }
        return try outcome.get()
    }

    /// - Parameter passkey: by which it was judged.
    /// - Returns: `nil` where that is no longer what is stored: then nothing was done.
    private func conclude(
        _ verdict: Result<VerifiedAssertion, WebAuthnError>, of passkey: Factor?, asked: UserID?, _ step: FlowStep
    ) throws -> Result<SignInStep, AuthError>? {
        let attempt = SignInAttempt(step, by: "passkey")
        func refuse(_ reason: AuthErrorCode) throws -> Result<SignInStep, AuthError> {
            .failure(try attempt.refuse(AuthError(.passkeyRefused), reason: reason, user: passkey?.userID))
        }
        let assertion: VerifiedAssertion
        switch verdict {
        case .success(let held): assertion = held
        case .failure(let error): return try refuse(AuthErrorCode(rawValue: error.code.rawValue))
        }
        guard var passkey, Self.isUsable(passkey), let credential = passkey.webAuthn,
            asked.map({ $0 == passkey.userID }) ?? true,
            let user = try step.tx.user(passkey.userID, in: step.directory), user.deletedAt == nil
        else { return try refuse(.passkeyRefused) }
        passkey.credential = .webAuthn(credential.noting(assertion))
        passkey.lastUsedAt = step.now
        guard try step.tx.noteUse(of: passkey, provedBy: credential) else { return nil }
        if assertion.isPossiblyCloned {
            try step.record(
                .factorFailed, user,
                details: [
                    "passkey": .string(passkey.id.rawValue),
                    "reason": .string(WebAuthnError.Code.counterRegressed.rawValue),
                ])
        }
        return try attempt.conclude(SignInProof(assertion, by: passkey.id, at: step.now), of: user, .stored)
    }

    private static func isUsable(_ factor: Factor) -> Bool {
        factor.isPasskey && factor.isVerified && factor.isEnabled
    }

    /// A challenge that was made for one is answered by no other.
    private static func holder(_ call: CallContext, _ binding: String?) -> String {
        let bound = binding.map { Hex.encode(Array(SHA256.hash(data: Array($0.utf8)))) } ?? ""
        return ["sign-in", call.dialect?.rawValue ?? "", call.client?.id.rawValue ?? "", bound].joined(separator: " ")
    }

    private static func nobodys(_ subject: UserID, _ call: CallContext) -> CredentialDescriptor {
        let mac = HMAC<SHA256>.authenticationCode(
            for: Array("nobody's passkey\u{0}\(subject.rawValue)".utf8),
            using: SymmetricKey(data: call.directory.tokenKey.reveal()))
        return CredentialDescriptor(id: Array(mac), transports: ["hybrid", "internal"])
    }
}

extension SignInProof {
    fileprivate init(_ assertion: VerifiedAssertion, by passkey: FactorID, at now: Instant) {
        self.init(
            methods: [
                AuthenticationMethod(
                    assertion.isUserVerified ? .passkey : .passkeyPresence, at: now, factor: passkey)
            ],
            assurance: assertion.isUserVerified ? .aal2 : .aal1)
    }
}
