// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What an app shows to sign in by a number.
public enum NumberProof: Sendable {
    /// What ``PhoneSignIn/ask(_:call:)`` answered, and the code of the message.
    case code(session: String, String)
    /// What ``PhoneSignIn/Outcome/anothers(_:proof:lifetime:)`` gave in place of a link.
    case proved(PhoneNumber, String)
}

/// Signs in by a code for a number, for apps that name the number once and are given a text in its place; links the
/// number to a signed-in user, or says that it is another's.
///
/// It is ``RequestPhoneCode`` and the rules of ``VerifyProof``: wrong, expired, spent and unknown codes give one error.
public struct PhoneSignIn: Sendable {
    /// For how long whoever proved another's number may sign in as them instead.
    private static let proofLifetime = TimeSpan.minutes(10)

    public enum Outcome: Sendable {
        /// Whether the account was opened by this.
        case signedIn(SignInStep, isNew: Bool)
        /// The number is in use in another account, in which `proof` signs in, once, for so long. Nothing was linked.
        case anothers(PhoneNumber, proof: String, lifetime: TimeSpan)
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Whether a code for the number needs no message: the operator gave it one for tests.
    public func isForTests(_ number: PhoneNumber, call: CallContext) -> Bool {
        call.settings.oneTime.testCode(for: number, at: call.now) != nil
    }

    /// Sends a code. Answers alike whether the number is known or not.
    ///
    /// - Returns: what to bring back with the code.
    /// - Throws: as ``RequestPhoneCode``.
    public func ask(_ number: PhoneNumber, call: CallContext) async throws -> String {
        try await RequestPhoneCode(ports)(number, call: call)
        return try session(for: number, call: call)
    }

    /// What to bring back with a code that was sent: good for as long as the code.
    public func session(for number: PhoneNumber, call: CallContext) throws(AuthError) -> String {
        try SealedNumber(
            .asked, number, at: call.now, until: call.now + call.codeLifetime(.phoneSignIn), random: ports.random
        ).sealed(in: call.directory, random: ports.random)
    }

    /// - Parameter user: whom to give the number, as their session was authenticated in this call; `nil` to sign in
    ///   whoever has it.
    /// - Throws: ``AuthErrorCode/phoneSignInDisabled``; ``AuthErrorCode/flowStateNotFound``,
    ///   ``AuthErrorCode/flowStateExpired`` for what the app brings back; ``AuthErrorCode/oneTimeTokenInvalid``;
    ///   ``AuthErrorCode/userBanned``; to link, as ``LinkAddress``, and ``AuthErrorCode/phoneExists`` where it was said
    ///   already that the number is another's.
    public func callAsFunction(
        _ proof: NumberProof, linkingTo user: AuthenticatedUser? = nil, call: CallContext
    ) async throws -> Outcome {
        guard call.settings.signUp.phoneEnabled else { throw AuthError(.phoneSignInDisabled) }
        switch proof {
        case .code(let session, let code):
            return try await answer(code, SealedNumber(session, .asked, call: call).number, user, call)
        case .proved(let number, let text):
            let proved = try SealedNumber(text, .proved, call: call)
            guard proved.number == number, let holder = proved.holder else { throw AuthError(.flowStateNotFound) }
            return try await redeem(proved, of: holder, user, call)
        }
    }

    private func answer(
        _ code: String, _ number: PhoneNumber, _ linking: AuthenticatedUser?, _ call: CallContext
    ) async throws -> Outcome {
        // A refusal must be committed with the attempt it counts, so it leaves the transaction as a value.
        let outcome: Result<Outcome, AuthError>? = try await ports.write(call) { step in
            let taken = try SpentProof(step).take(.code(.phone(number), code), purposes: [.phoneSignIn])
            guard let (token, holder) = taken else { return nil }
            // Thrown from here on, so that nothing is spent for what is refused.
            try call.requireUsable(holder)
            guard let linking else {
                let verified = try ProofEffects(step).apply(token, to: holder).user
                let isNew = verified.id != holder.id || holder.lastSignInAt == nil && !holder.isProved
                // As after any proof: see ``VerifyProof``.
                if let refusal = call.refusal(of: verified) { return .failure(AuthError(refusal)) }
                return .success(.signedIn(try Self.conclude(number, of: verified, nil, step), isNew: isNew))
            }
            return .success(try link(number, token, heldBy: holder, to: linking, step))
        }
        guard let outcome else { throw AuthError(.oneTimeTokenInvalid) }
        return try outcome.get()
    }

    private func link(
        _ number: PhoneNumber, _ token: OneTimeToken, heldBy holder: User, to linking: AuthenticatedUser,
        _ step: FlowStep
    ) throws -> Outcome {
        let present = try linking.usable(step.call, step.tx)
        try AssuranceRule(step).require(linking)
        let joining = AccountLinking(step)
        try joining.require(present)
        let linked: User
        if holder.id == present.id {
            linked = try ProofEffects(step).apply(token, to: present, isSignedIn: true).user
        } else if try joining.isOpenedForProof(holder, by: .phone(number)) {
            linked = try joining.take(.phone(number), from: holder, over: present)
            try AgreementLog.note(token, by: linked, before: present, step)
        } else {
            // Whoever has the number has the account that names it.
            let verified = try ProofEffects(step).apply(token, to: holder).user
            // Read once more: what the proof itself has ended is not in it.
            let proved = SealedNumber(
                .proved, number, holder: try step.tx.liveUser(verified.id, in: step.directory), at: step.now,
                until: step.now + Self.proofLifetime, random: step.random)
            return .anothers(
                number, proof: try proved.sealed(in: step.call.directory, random: step.random),
                lifetime: Self.proofLifetime)
        }
        return .signedIn(try Self.conclude(number, of: linked, linking, step), isNew: false)
    }

    private func redeem(
        _ proved: SealedNumber, of holder: UserID, _ linking: AuthenticatedUser?, _ call: CallContext
    ) async throws -> Outcome {
        try await ports.write(call) { step in
            guard let user = try step.tx.user(holder, in: step.directory), proved.holds(for: user, at: step.now)
            else { throw AuthError(.flowStateNotFound) }
            guard linking.map({ $0.user.id == user.id }) ?? true else { throw AuthError(.phoneExists, field: "phone") }
            try call.requireUsable(user)
            if let linking { _ = try linking.usable(call, step.tx) }
            guard try step.tx.spend(proved.nonce, in: step.directory, until: proved.expiresAt) else {
                throw AuthError(.flowStateNotFound)
            }
            return .signedIn(try Self.conclude(proved.number, of: user, linking, step), isNew: false)
        }
    }

    /// - Parameter linking: whose session this one takes the place of; where it is a user's own, it goes on.
    private static func conclude(
        _ number: PhoneNumber, of user: User, _ linking: AuthenticatedUser?, _ step: FlowStep
    ) throws -> SignInStep {
        guard let former = linking?.session else {
            let proof = SignInProof(
                .textMessage, answeredAt: number.e164, identifier: .phone(number), step.call)
            return try SessionIssuer(step).conclude(proof, of: user, .stored).get()
        }
        let proof = SignInProof(
            AuthenticationMethod(.textMessage, answeredAt: number.e164, step.call),
            inPlaceOf: try SessionEnding(step).replace(former.id), identifier: .phone(number))
        // Thrown where a step is to be taken first, so that the session there is stays, and nothing is linked.
        return .session(try SessionIssuer(step).conclude(proof, of: user, .stored).get().session())
    }
}
