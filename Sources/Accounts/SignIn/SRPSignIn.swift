// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import SRP

/// What a client needs to prove that it knows the password, and what it must hand back. Numbers are big-endian.
public struct SRPChallenge: Sendable {
    /// 16 bytes.
    public var salt: [UInt8]
    /// B.
    public var serverPublic: [UInt8]
    /// What the client hashes in the user's place, whatever they typed.
    public var identity: String
    /// Opaque, under 2 KiB; goes back to ``SRPSignIn`` with the answer.
    public var state: [UInt8]
}

/// The secret that only the server and a client with the password share: what a dialect judges the answer by.
public struct SRPResult: Sendable {
    /// S.
    public var sharedSecret: [UInt8]
    /// u.
    public var scrambling: [UInt8]
    public var identity: String
}

/// Signs a user in by the Secure Remote Password protocol (RFC 5054): the password never reaches the server.
///
/// A stranger can't find out who has an account: for a name that nobody has, and a user without a verifier, there is a
/// challenge all the same, of the same form, at the same cost, and with the same salt each time. What is wrong with an
/// account is said only after a right answer.
public struct SRPSignIn: Sendable {
    /// From the challenge to its answer.
    public static let lifetime = TimeSpan.minutes(3)
    private static let way = "srp"

    /// A right answer, in the transaction that uses its challenge up.
    struct Proved {
        let user: User
        let standing: UserStanding
        let clientPublic: [UInt8]
        let attempt: SignInAttempt
        let step: FlowStep
    }

    typealias Consequence<Value> = @Sendable (Proved) throws -> Result<Value, AuthError>

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Opens a sign-in.
    ///
    /// - Parameter clientPublic: A, big-endian.
    /// - Throws: ``AuthErrorCode/invalidRequest`` for an A that is zero modulo N or not below it,
    ///   ``AuthErrorCode/emailSignInDisabled``, ``AuthErrorCode/phoneSignInDisabled``.
    public func begin(
        _ identifier: SignInIdentifier, clientPublic: [UInt8], call: CallContext
    ) async throws -> SRPChallenge {
        try call.requireFlow(.srp)
        return try await challenge(identifier, clientPublic: clientPublic, isWithinChallenges: false, call: call)
    }

    /// - Parameter isWithinChallenges: whether the answer is one of several, and opens no session by itself.
    /// - Throws: as ``begin(_:clientPublic:call:)``, whatever flows the client has.
    func challenge(
        _ identifier: SignInIdentifier, clientPublic: [UInt8], isWithinChallenges: Bool, call: CallContext
    ) async throws -> SRPChallenge {
        try call.requireEnabled(identifier)
        guard clientPublic.count <= SRPGroup.byteCount + 1, SRPServer.accepts(clientPublic: clientPublic) else {
            throw AuthError(.invalidRequest, reason: "not a public value of SRP", field: "srp_a")
        }
        let user = try await ports.look(for: Self.way, call: call) { tx in
            try tx.judged(try tx.user(known: identifier, in: call.directory.id), call)
        }
        // Derived for everybody, so that both ways take the same steps.
        let decoyIdentity: UserID = call.directory.derivedIdentifier("srp", of: identifier.name)
        let decoySalt = call.directory.srpSecret("salt", of: decoyIdentity.rawValue, count: SRPVerifier.saltLength)
        let decoy = Self.decoyVerifier(of: decoyIdentity.rawValue, in: call.directory)
        let known = call.settings.password.srpEnabled ? user?.srpVerifier : nil
        let verifier = known?.verifier.reveal() ?? decoy
        let ephemeral = ports.random.bytes(SRPServer.ephemeralByteCount)
        var state = SRPState(
            subject: identifier.subject(user, in: call.directory), isReal: known != nil,
            identity: known == nil ? decoyIdentity.rawValue : user?.id.rawValue ?? decoyIdentity.rawValue,
            salt: known?.salt ?? decoySalt,
            clientPublic: clientPublic, serverPublic: [], ephemeral: ephemeral, clientID: call.client?.id,
            nonce: ports.random.bytes(SRPState.nonceLength), expiresAt: call.now + Self.lifetime,
            isWithinChallenges: isWithinChallenges)
        state.serverPublic = try SRPFault.judged { () throws(SRPError) in
            try SRPServer.challenge(verifier: verifier, ephemeral: ephemeral)
        }
        return SRPChallenge(
            salt: state.salt, serverPublic: state.serverPublic, identity: state.identity,
            state: try state.sealed(in: call.directory, random: ports.random))
    }

    /// Judges the answer to a challenge, and signs the user in.
    ///
    /// - Parameters:
    ///   - state: as ``begin(_:clientPublic:call:)`` gave it. A wrong answer does not use it up, a right one does.
    ///   - accepts: whether the answer proves knowledge of the shared secret. Called for each state that is
    ///     genuine and in time, also where there is no such user; it compares in constant time.
    /// - Throws: ``AuthErrorCode/invalidCredentials`` for a wrong answer and for a state that is forged, expired, used
    ///   or another client's; ``AuthErrorCode/rateLimited`` after too many wrong ones; after a right one as
    ///   ``PasswordSignIn``.
    public func finish(
        state text: [UInt8], call: CallContext, accepts: @Sendable (SRPResult) -> Bool
    ) async throws -> SignInStep {
        try await prove(text, isWithinChallenges: false, call: call, accepts: accepts) { proved in
            let conclusion = try proved.attempt.conclude(
                SignInProof(.password, at: call.now), of: proved.user, proved.standing)
            if case .success(.device(let pending)) = conclusion {
                try KeptTicket(proved.step).keep(pending, for: proved.clientPublic)
            }
            return conclusion
        }
    }

    /// Whether a challenge was given within others, so that its answer is ``CustomSignIn``'s to judge.
    public func isWithinChallenges(state text: [UInt8], call: CallContext) -> Bool {
        SRPState(text, in: call.directory)?.isWithinChallenges ?? false
    }

    /// Judges an answer.
    ///
    /// - Parameter follow: what comes of a right one.
    /// - Throws: as ``finish(state:call:accepts:)``, also for a challenge of the other kind; what `follow` refuses.
    func prove<Value: Sendable>(
        _ text: [UInt8], isWithinChallenges: Bool, call: CallContext, accepts: @Sendable (SRPResult) -> Bool,
        follow: @escaping Consequence<Value>
    ) async throws -> Value {
        guard let state = SRPState(text, in: call.directory), state.expiresAt > call.now,
            state.clientID == call.client?.id, state.isWithinChallenges == isWithinChallenges
        else { throw try await refuse(nil, nil, call) }
        // Looked up for everybody, so that both ways take the same steps.
        let (found, isSpent) = try await ports.look(for: Self.way, by: [state.nonce], call: call) { tx in
            (
                try tx.judged(try tx.user(state.subject, in: call.directory.id), call),
                try tx.isSpent(state.nonce, in: call.directory.id)
            )
        }
        guard !isSpent else { throw try await refuse(nil, nil, call) }
        let user = state.isReal ? found : nil
        // A verifier that was replaced since belongs to another password.
        let verifier = user.flatMap { $0.deletedAt == nil && $0.srpVerifier?.salt == state.salt ? $0.srpVerifier : nil }
        let decoy = Self.decoyVerifier(of: state.identity, in: call.directory)
        return try await ports.guessing(at: state.subject, for: Self.way, isHopeful: true, call: call) { guess in
            let isRight = accepts(try Self.result(state, verifier: verifier?.verifier.reveal() ?? decoy))
            guard isRight, let user, let verifier else { throw try await refuse(state.user, guess, call) }
            return try await goOn(user.id, verifier, state, guess, call, follow)
        }
    }

    private func goOn<Value: Sendable>(
        _ id: UserID, _ verifier: SRPVerifier, _ state: SRPState, _ guess: PasswordGuess, _ call: CallContext,
        _ follow: @escaping Consequence<Value>
    ) async throws -> Value {
        let outcome: Result<Value, AuthError> = try await ports.writeBriefly(call) { step in
            let attempt = SignInAttempt(step, by: Self.way)
            let standing: LockoutStanding
            switch try guess.judge(true, step) {
            case .refused(let error, let reason):
                return .failure(try attempt.refuse(error, reason: reason, user: id))
            case .right(let open): standing = open
            }
            // With what it allows: of two answers at once, in two processes even, one goes on, and none is lost to a
            // transaction that fails.
            guard try step.tx.spend(state.nonce, in: step.directory, until: state.expiresAt) else {
                return .failure(try attempt.refuse(.invalidCredentials, user: id))
            }
            let current = try step.tx.user(id, in: step.directory)
            guard let user = try step.tx.judged(current, call), user.deletedAt == nil, user.srpVerifier == verifier
            else { return .failure(try attempt.refuse(.invalidCredentials, user: id)) }
            if let refusal = try attempt.heard(true, of: user) { return .failure(refusal) }
            try Lockouts(step).succeed(standing)
            return try follow(
                Proved(
                    user: user, standing: user.standing(to: current), clientPublic: state.clientPublic,
                    attempt: attempt, step: step))
        }
        return try outcome.get()
    }

    private func refuse(_ user: UserID?, _ guess: PasswordGuess?, _ call: CallContext) async throws -> AuthError {
        try await ports.writeBriefly(call) { step in
            let attempt = SignInAttempt(step, by: Self.way)
            if case .refused(let error, let reason)? = try guess?.judge(false, step) {
                let found = try user.flatMap { try step.tx.user($0, in: step.directory) }
                if reason != .accountLocked, let refusal = try attempt.heard(false, of: found) { return refusal }
                return try attempt.refuse(error, reason: reason, user: user)
            }
            return try attempt.refuse(.invalidCredentials, user: user)
        }
    }

    private static func result(_ state: SRPState, verifier: [UInt8]) throws(AuthError) -> SRPResult {
        try SRPFault.judged { () throws(SRPError) in
            let (secret, scrambling) = try SRPServer.sharedSecret(
                clientPublic: state.clientPublic, serverPublic: state.serverPublic, ephemeral: state.ephemeral,
                verifier: verifier)
            return SRPResult(sharedSecret: secret, scrambling: scrambling, identity: state.identity)
        }
    }

    private static func decoyVerifier(of identity: String, in directory: Directory) -> [UInt8] {
        SRP.decoyVerifier(seed: directory.srpSecret("verifier", of: identity, count: 32))
    }
}

extension Directory {
    /// Up to 32 bytes that follow from a name, and that nobody without the Directory's key can compute.
    fileprivate func srpSecret(_ kind: String, of name: String, count: Int) -> [UInt8] {
        let mac = HMAC<SHA256>.authenticationCode(
            for: Array("srp.\(kind)\u{0}\(name)".utf8), using: SymmetricKey(data: tokenKey.reveal()))
        return Array(mac.prefix(count))
    }
}
