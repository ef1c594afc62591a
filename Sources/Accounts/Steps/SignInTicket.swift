// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto
import Passwords

/// A sign-in that is under way: says that its holder has proved who they are, and which step is theirs to take. The
/// client carries it, sealed, and the server keeps only that it was used.
///
/// It is good once, for its time, in its Directory, dialect and client, and as long as what was proved holds: what ends
/// the user's tokens or codes ends it too, and another password makes the judgement on the former one void.
public struct SignInTicket: Sendable, Equatable {
    /// What the holder has to do. A later kind is a case here, whose requirement asks for it (``SignInRequirement``).
    public enum Step: String, Sendable, CaseIterable {
        case newPassword = "new_password"
        case secondFactor = "second_factor"
        case enrolment = "factor_enrolment"
        case device
        case terms
        /// Nothing, as far as was known: for protocols that take a step in one call and ask for what follows in
        /// another.
        case conclusion

        /// That a ticket for one may be answered like one for the other.
        static let factors: [Step] = [.secondFactor, .enrolment]

        /// What asks for the step; `nil` where nothing does.
        var requirement: SignInRequirement? {
            switch self {
            case .newPassword: .ownPassword
            case .secondFactor: .secondFactor
            case .enrolment: .enrolment
            case .device: .device
            case .terms: .terms
            case .conclusion: nil
            }
        }

        /// What a caller is told whose protocol does not know the step.
        public var refusal: AuthErrorCode {
            switch self {
            case .newPassword: .passwordChangeRequired
            case .secondFactor: .secondFactorRequired
            case .enrolment: .factorEnrolmentRequired
            case .device: .secondFactorRequired
            case .terms: .termsNotAgreed
            case .conclusion: .flowStateNotFound
            }
        }
    }

    private static let purpose = "latchkey sign-in ticket 1"
    private static let nonceLength = 16
    /// Seconds, where neither client nor call says anything.
    private static let lifetime: Int64 = 180

    public let step: Step
    public let user: UserID
    let methods: [AuthenticationMethod]
    let assurance: AssuranceLevel
    let claims: JSONObject
    /// ``SignInProof/device``.
    let device: RememberedDeviceID?
    let dialect: DialectName?
    let client: ClientID?
    /// Since when there is the password that was proved; empty where none was. Whatever replaces one ends the user's
    /// codes besides (``endedCodes``).
    let credential: [UInt8]
    /// Names the ticket, so that it is used once.
    let nonce: [UInt8]
    let issuedAt: Instant
    let expiresAt: Instant
    /// ``User/endedCodes`` of its user when it was given.
    let endedCodes: Int64

    /// - Parameter user: as now stored.
    init(_ step: Step, for user: User, _ proof: SignInProof, call: CallContext, random: any RandomSource) {
        self.step = step
        self.user = user.id
        methods = proof.methods
        assurance = proof.assurance
        claims = proof.claims
        device = proof.device
        dialect = call.dialect
        client = call.client?.id
        credential = Self.credential(of: user, proof)
        nonce = random.bytes(Self.nonceLength)
        issuedAt = call.now
        endedCodes = user.endedCodes
        expiresAt =
            call.now
            + (call.client?.settings.stepLifetime.map { .seconds($0) } ?? call.stepLifetime ?? .seconds(Self.lifetime))
    }

    /// What was proved before the step. What was typed is not kept: it was judged before the ticket was given. What of
    /// it still holds is said by ``found(_:_:)``.
    var proof: SignInProof {
        var proof = SignInProof(methods: methods, assurance: assurance, claims: claims)
        proof.device = device
        return proof
    }

    /// Opens a ticket that a client brings back. Says nothing yet of whether it was used.
    ///
    /// - Parameter text: as ``PendingSignIn/ticket``.
    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for one that was not given here: forged, for another step, or of
    ///   another Directory, dialect or client; ``AuthErrorCode/flowStateExpired``.
    public init(_ text: String, for step: Step, call: CallContext) throws(AuthError) {
        try self.init(text, forAnyOf: [step], call: call)
    }

    /// As ``init(_:for:call:)``, for a protocol that takes several steps in one way.
    public init(_ text: String, forAnyOf steps: [Step], call: CallContext) throws(AuthError) {
        guard text.utf8.count <= SealedFields.maximumLength, let sealed = Base64URL.decode(text),
            let fields = SealedFields(sealed, for: Self.purpose, in: call.directory)?.fields,
            let ticket = Self(fields), steps.contains(ticket.step), ticket.dialect == call.dialect,
            ticket.client == call.client?.id
        else { throw AuthError(.flowStateNotFound) }
        guard call.now < ticket.expiresAt else { throw AuthError(.flowStateExpired) }
        self = ticket
    }

    /// Base64URL, under 2 KiB.
    func sealed(in directory: Directory, random: any RandomSource) throws(AuthError) -> Secret<String> {
        Secret(Base64URL.encode(try SealedFields(fields).sealed(for: Self.purpose, in: directory, random: random)))
    }

    /// Who goes on by a ticket, and what still holds of what they have proved: a factor may have gone since.
    struct Holder {
        var user: User
        var proof: SignInProof
    }

    /// The user, as ``found(_:_:)``, for who asks for no more of them.
    func holder(_ call: CallContext, _ tx: any StoreReading) throws -> User { try found(call, tx).user }

    /// The user, whose turn it still is.
    ///
    /// - Throws: ``AuthErrorCode/invalidCredentials`` for a ticket that was used, or whose proof is void;
    ///   ``AuthErrorCode/userBanned``, ``AuthErrorCode/temporaryPasswordExpired``.
    func found(_ call: CallContext, _ tx: any StoreReading) throws -> Holder {
        guard let found = try tx.user(user, in: call.directory.id), found.deletedAt == nil,
            constantTimeEqual(Self.credential(of: found, proof), credential), found.endedCodes == endedCodes,
            found.acceptsTokens(issuedAt: issuedAt.seconds, at: call.now),
            try !tx.isSpent(nonce, in: call.directory.id)
        else { throw AuthError(.invalidCredentials) }
        var proof = proof
        (proof.methods, proof.assurance) = try StandingMethods.left(
            of: methods, at: assurance, of: found.id, in: call.directory.id, tx)
        let holder = Holder(user: found, proof: proof)
        switch try SignInRequirement.firstUnmet(
            by: found, proof, call,
            factors: FactorNeed(of: found, after: proof.methods, on: device, in: call.directory, tx),
            terms: !AgreementLog.due(of: found, call, tx).isEmpty, through: step.requirement)
        {
        case .asks(step): return holder
        case .refused(let code): throw AuthError(code)
        case .asks, nil:
            guard step == .conclusion else { throw AuthError(.invalidCredentials) }
            return holder
        }
    }

    /// As ``found(_:_:)``, and spends the ticket: of two calls at once, one gets the user.
    func redeem(_ step: FlowStep) throws -> Holder {
        let holder = try found(step.call, step.tx)
        try spend(step)
        return holder
    }

    /// Spends the ticket, for a step after which nothing asks for it any more: of two calls at once, one goes on.
    func spend(_ step: FlowStep) throws {
        guard try step.tx.spend(nonce, in: step.directory, until: expiresAt) else {
            throw AuthError(.invalidCredentials)
        }
    }

    private static func credential(of user: User, _ proof: SignInProof) -> [UInt8] {
        guard proof.includes(.password) else { return [] }
        // Not by the hash: the same password is given another form in the sign-in itself.
        let since = user.passwordHash.map { _ in user.passwordChangedAt?.microseconds ?? 0 }
        return Array(SHA256.hash(data: since.map { [UInt8](field: $0) } ?? []).prefix(16))
    }

    // MARK: Form

    private var fields: [[UInt8]] {
        [
            Array(step.rawValue.utf8), Array(user.rawValue.utf8), Array((dialect?.rawValue ?? "").utf8),
            Array((client?.rawValue ?? "").utf8), credential, nonce, Array(field: expiresAt.microseconds),
            Array(field: Int64(assurance.rawValue)), claims.isEmpty ? [] : claims.serialized(),
            Array(field: issuedAt.microseconds), Array(field: endedCodes), Array((device?.rawValue ?? "").utf8),
        ]
            + Array(methods: methods)
    }

    private init?(_ fields: [[UInt8]]) {
        guard fields.count >= 12, let methods = Array(fields[12...]).methods,
            let step = Step(rawValue: fields[0].fieldText),
            let expiry = fields[6].fieldNumber, let level = fields[7].fieldNumber,
            let assurance = AssuranceLevel(rawValue: Int(level)),
            let claims = fields[8].isEmpty ? [:] : try? JSONObject(parsing: fields[8]),
            let issued = fields[9].fieldNumber, let endedCodes = fields[10].fieldNumber
        else { return nil }
        self.step = step
        user = UserID(fields[1].fieldText)
        dialect = fields[2].isEmpty ? nil : DialectName(fields[2].fieldText)
        client = fields[3].isEmpty ? nil : ClientID(fields[3].fieldText)
        credential = fields[4]
        nonce = fields[5]
        issuedAt = Instant(microseconds: issued)
        expiresAt = Instant(microseconds: expiry)
        self.endedCodes = endedCodes
        device = fields[11].isEmpty ? nil : RememberedDeviceID(fields[11].fieldText)
        self.assurance = assurance
        self.methods = methods
        self.claims = claims
    }
}
