// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A sign-in by custom challenges between two calls. The client carries it, sealed, with what its answer will be judged
/// by: the server keeps only which were answered.
struct CustomSignInState: Equatable {
    /// Characters of the text that a client carries.
    static let maximumText = 4096
    private static let purpose = "latchkey custom sign-in 3"
    private static let nonceLength = 16

    /// Who was named: a user, or for a name that nobody has an identifier that follows from it, of the same length.
    var subject: UserID
    var isReal: Bool
    var answered: [CustomChallenge.Answered] = []
    /// What is to be answered.
    var asked = CustomChallenge.Kind.passwordBegun
    var metadata: String?
    var kept = JSONObject()
    let dialect: DialectName?
    let client: ClientID?
    /// What was issued to the user before their tokens were taken back is void, and so is this.
    let begunAt: Instant
    /// ``User/endedCodes`` of the user when it was begun; 0 where there is none.
    private let endedCodes: Int64
    /// Names the challenge, so that it is answered once.
    var nonce: [UInt8] = []
    var expiresAt: Instant

    /// - Parameter user: who was named; `nil` for a name that nobody has.
    init(_ identifier: SignInIdentifier, user: User?, call: CallContext) {
        subject = identifier.subject(user, in: call.directory)
        isReal = user != nil
        endedCodes = user?.endedCodes ?? 0
        dialect = call.dialect
        client = call.client?.id
        begunAt = call.now
        expiresAt = call.now
    }

    /// Whether what was proved in it still opens a session of the user's: nothing has ended since that could.
    func holds(for user: User, at now: Instant) -> Bool {
        isOf(user) && user.endedCodes == endedCodes
            && user.acceptsTokens(issuedAt: begunAt.seconds, at: now)
    }

    func isOf(_ user: User) -> Bool { isReal && user.id == subject && user.deletedAt == nil }

    /// Those to what programs have made.
    var ownAnswers: [CustomChallenge.Answered] {
        answered.filter { if case .own = $0.kind { true } else { false } }
    }

    /// What has said who it is. The password was proved after the sign-in had begun, and is taken to be as old as that.
    func methods(at now: Instant) -> [AuthenticationMethod] {
        (answered.contains { $0.kind == .password } ? [AuthenticationMethod(.password, at: begunAt)] : [])
            + (ownAnswers.isEmpty ? [] : [AuthenticationMethod(.custom, at: now)])
    }

    /// - Throws: ``AuthErrorCode/hookFailed`` where what the program keeps is too much to be carried.
    mutating func sealed(_ call: CallContext, random: any RandomSource) throws(AuthError) -> Secret<String> {
        nonce = random.bytes(Self.nonceLength)
        expiresAt =
            call.now + (call.client?.settings.stepLifetime.map { .seconds($0) } ?? call.stepLifetime ?? .minutes(3))
        let fields = fields
        guard fields.allSatisfy({ $0.count <= Int(UInt16.max) }) else { throw HookFailure.tooLarge.error("challenge") }
        let text = Base64URL.encode(
            try SealedFields(fields).sealed(for: Self.purpose, in: call.directory, random: random))
        guard text.utf8.count <= Self.maximumText else { throw HookFailure.tooLarge.error("challenge") }
        return Secret(text)
    }

    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for what was not given here to this client in this dialect;
    ///   ``AuthErrorCode/flowStateExpired``.
    init(_ text: String, call: CallContext) throws(AuthError) {
        guard text.utf8.count <= Self.maximumText, let sealed = Base64URL.decode(text),
            let fields = SealedFields(sealed, for: Self.purpose, in: call.directory)?.fields,
            let state = Self(fields), state.dialect == call.dialect, state.client == call.client?.id
        else { throw AuthError(.flowStateNotFound) }
        guard call.now < state.expiresAt else { throw AuthError(.flowStateExpired) }
        self = state
    }

    // MARK: Form

    private var fields: [[UInt8]] {
        let texts = [
            subject.rawValue, isReal ? "1" : "0", dialect?.rawValue ?? "", client?.rawValue ?? "", asked.text,
            metadata ?? "", String(decoding: kept.serialized(), as: UTF8.self),
        ]
        return texts.map { Array($0.utf8) }
            + [
                nonce, Array(field: begunAt.microseconds), Array(field: expiresAt.microseconds),
                Array(field: endedCodes),
            ]
            + answered.flatMap { [Array($0.kind.text.utf8), [$0.isRight ? 1 : 0], Array(($0.metadata ?? "").utf8)] }
    }

    private init?(_ fields: [[UInt8]]) {
        guard fields.count >= 11, (fields.count - 11).isMultiple(of: 3), let begun = fields[8].fieldNumber,
            let expiry = fields[9].fieldNumber, let ended = fields[10].fieldNumber,
            let kept = try? JSONObject(parsing: fields[6]),
            let asked = CustomChallenge.Kind(fields[4].fieldText)
        else { return nil }
        func text(_ index: Int) -> String? { fields[index].isEmpty ? nil : fields[index].fieldText }
        subject = UserID(fields[0].fieldText)
        isReal = fields[1].fieldText == "1"
        dialect = text(2).map { DialectName($0) }
        client = text(3).map { ClientID($0) }
        self.asked = asked
        metadata = text(5)
        self.kept = kept
        nonce = fields[7]
        begunAt = Instant(microseconds: begun)
        expiresAt = Instant(microseconds: expiry)
        endedCodes = ended
        for index in stride(from: 11, to: fields.count, by: 3) {
            guard let kind = CustomChallenge.Kind(fields[index].fieldText) else { return nil }
            answered.append(
                CustomChallenge.Answered(kind, isRight: fields[index + 1] == [1], metadata: text(index + 2)))
        }
    }
}

extension CustomChallenge.Kind {
    private static let own = "="

    fileprivate var text: String {
        switch self {
        case .own(let name): Self.own + name
        case .passwordBegun: "begun"
        case .password: "password"
        }
    }

    fileprivate init?(_ text: String) {
        switch text {
        case "begun": self = .passwordBegun
        case "password": self = .password
        case let name where name.hasPrefix(Self.own): self = .own(String(name.dropFirst()))
        default: return nil
        }
    }
}
