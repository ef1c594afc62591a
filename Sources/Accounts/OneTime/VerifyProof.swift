// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What somebody shows to prove that a message reached them.
public enum Proof: Sendable {
    /// The link was opened in a browser. When its request used PKCE, an authorization code comes of it, since anybody
    /// on the way could have read the link.
    case link(token: String)
    /// The app itself hands over the link's token, as a page of its own that the link leads to does.
    case linkToken(String)
    /// The code was typed by hand.
    case code(SignInIdentifier, String)
}

public enum VerifyOutcome: Sendable {
    case session(IssuedSession)
    /// To be exchanged through ``ExchangeCode`` by whoever asked for the link; it was asked for this purpose.
    case authorizationCode(String, OneTimeToken.Purpose)
    /// One address agreed to the change; the other has still to.
    case halfConfirmed(UserRecord)
}

/// Accepts a link or a code, does what it stands for, and signs the user in.
///
/// Wrong, expired, spent and unknown proofs, of known and unknown people, give one error at one cost.
public struct VerifyProof: Sendable {
    private static let maximumTokenLength = 256
    /// How many users that wait for one address to confirm are considered.
    private static let maximumSharers = 8

    private let ports: AccountPorts
    private let codes: OneTimeCodeCheck
    private let effects: ProofEffects

    public init(_ ports: AccountPorts) {
        self.ports = ports
        codes = OneTimeCodeCheck(ports)
        effects = ProofEffects(ports)
    }

    /// - Parameter purposes: What the proof may be for, as the caller's request names it. Reauthentication is not
    ///   among what is accepted here: see ``OneTimeCodeCheck``.
    /// - Throws: ``AuthErrorCode/oneTimeTokenInvalid``; after a right proof ``AuthErrorCode/userBanned``, and
    ///   ``AuthErrorCode/emailExists`` or ``AuthErrorCode/phoneExists`` when the wanted address became another's.
    public func callAsFunction(
        _ proof: Proof, purposes: [OneTimeToken.Purpose], call: CallContext
    ) async throws -> VerifyOutcome {
        do {
            // A refusal must be committed with the attempt it counts, so it leaves the transaction as a value.
            let outcome = try await ports.store.write { tx in
                try verify(proof, purposes: purposes, call: call, in: tx)
            }
            guard let outcome else { throw AuthError(.oneTimeTokenInvalid) }
            return outcome
        } catch StoreConflict.duplicate("user.email") {
            throw AuthError(.emailExists)
        } catch StoreConflict.duplicate("user.phone") {
            throw AuthError(.phoneExists)
        }
    }

    private func verify(
        _ proof: Proof, purposes: [OneTimeToken.Purpose], call: CallContext, in tx: any StoreWriting
    ) throws -> VerifyOutcome? {
        let purposes = purposes.filter { $0 != .reauthentication }
        let token =
            switch proof {
            case .link(let text), .linkToken(let text): try spend(link: text, purposes: purposes, call: call, in: tx)
            case .code(let identifier, let code):
                try codes.match(
                    code, among: candidates(identifier, purposes: purposes, call: call, in: tx),
                    address: identifier.email, call: call, in: tx)
            }
        guard let token else { return nil }
        guard let user = try tx.user(token.userID, in: call.directory.id), user.deletedAt == nil,
            ProofEffects.isCurrent(token, for: user)
        else {
            try record(token.userID, reason: "outdated", call: call, in: tx)
            return nil
        }
        // Thrown, so that nothing is confirmed and nothing spent for an account that may not be used.
        guard !user.isBanned(at: call.now) else { throw AuthError(.userBanned) }
        guard let verified = try effects.apply(token, to: user, call: call, in: tx) else {
            return .halfConfirmed(try record(of: user.id, call: call, in: tx))
        }
        if case .link = proof, let challenge = token.codeChallenge {
            return .authorizationCode(
                try authorizationCode(for: verified, challenge: challenge, purpose: token.purpose, call: call, in: tx),
                token.purpose)
        }
        return .session(
            try SessionIssuer(random: ports.random).issue(for: verified, by: .oneTimeCode, call: call, in: tx))
    }

    private func spend(
        link text: String, purposes: [OneTimeToken.Purpose], call: CallContext, in tx: any StoreWriting
    ) throws -> OneTimeToken? {
        let hash = OneTimeToken.hash(link: text.utf8.count <= Self.maximumTokenLength ? text : "")
        guard let token = try tx.oneTimeToken(linkHash: hash, in: call.directory.id),
            purposes.contains(token.purpose), token.expiresAt > call.now, try tx.consume(token.id)
        else {
            try record(nil, reason: "unknown_link", call: call, in: tx)
            return nil
        }
        return token
    }

    private func candidates(
        _ identifier: SignInIdentifier, purposes: [OneTimeToken.Purpose], call: CallContext, in tx: any StoreReading
    ) throws -> [OneTimeToken] {
        let directory = call.directory.id
        let address = identifier.recipient.address
        let user =
            switch identifier {
            case .email(let email): try tx.user(email: email, in: directory)
            case .phone(let phone): try tx.user(phone: phone, in: directory)
            }
        var purposes = purposes
        // A text message confirms a sign-up and signs in under one name.
        if case .phone = identifier, purposes.contains(.phoneSignIn), !purposes.contains(.signUpConfirmation) {
            purposes.append(.signUpConfirmation)
        }
        return try purposes.flatMap { purpose -> [OneTimeToken] in
            switch purpose {
            case .emailChangeNew, .phoneChange:
                return try tx.oneTimeTokens(
                    to: address, purpose: purpose, in: directory, limit: Self.maximumSharers)
            default:
                guard let user, let token = try tx.oneTimeToken(of: user.id, purpose: purpose, in: directory),
                    token.recipient == address
                else { return [] }
                return [token]
            }
        }
    }

    private func authorizationCode(
        for user: User, challenge: String, purpose: OneTimeToken.Purpose, call: CallContext, in tx: any StoreWriting
    ) throws -> String {
        let code = Base64URL.encode(ports.random.bytes(32))
        try tx.insert(
            AuthorizationCode(
                id: ports.random.identifier(at: call.now), directoryID: call.directory.id, userID: user.id,
                codeHash: OneTimeToken.hash(link: code), codeChallenge: challenge, method: purpose.method,
                createdAt: call.now,
                expiresAt: call.now + .seconds(call.settings.oneTime.authorizationCodeLifetime)))
        return code
    }

    private func record(_ user: UserID?, reason: String, call: CallContext, in tx: any StoreWriting) throws {
        // Links can't be guessed, so they do not count towards the lock on codes: no user is named.
        var details: JSONObject = ["reason": .string(reason)]
        if let user { details["subject"] = .string(user.rawValue) }
        try tx.append(
            AuditEvent(
                .verificationFailed, user: nil, email: nil, details: details, call: call, random: ports.random))
    }

    private func record(of user: UserID, call: CallContext, in tx: any StoreReading) throws -> UserRecord {
        guard let current = try tx.user(user, in: call.directory.id) else { throw StoreConflict.stale("user") }
        return UserRecord(user: current, identities: try tx.identities(of: user, in: call.directory.id))
    }
}

extension SignInIdentifier {
    var email: EmailAddress? { if case .email(let address) = self { address } else { nil } }

    var recipient: OneTimeIssuer.Recipient {
        switch self {
        case .email(let address): .email(address)
        case .phone(let number): .phone(number)
        }
    }
}
