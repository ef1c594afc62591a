// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A number as an app carries it from one call to the next, sealed: the one that it asked a code for, or one whose code
/// was right though nobody was signed in by it. By itself the former proves nothing.
struct SealedNumber: Equatable {
    enum Stage: String {
        case asked
        case proved
    }

    private static let purpose = "latchkey number 2"
    private static let nonceLength = 16

    let stage: Stage
    let number: PhoneNumber
    /// Whose number it was when it was proved.
    let holder: UserID?
    let issuedAt: Instant
    /// ``User/endedCodes`` of the holder when it was given; 0 where there is none.
    private let endedCodes: Int64
    /// Names it, so that it is used once where it proves something.
    let nonce: [UInt8]
    let expiresAt: Instant

    /// - Parameter holder: as now stored.
    init(
        _ stage: Stage, _ number: PhoneNumber, holder: User? = nil, at now: Instant, until expiry: Instant,
        random: any RandomSource
    ) {
        self.stage = stage
        self.number = number
        self.holder = holder?.id
        issuedAt = now
        endedCodes = holder?.endedCodes ?? 0
        nonce = random.bytes(Self.nonceLength)
        expiresAt = expiry
    }

    /// Opens what an app brings back.
    ///
    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for what was not given here for this;
    ///   ``AuthErrorCode/flowStateExpired``.
    init(_ text: String, _ stage: Stage, call: CallContext) throws(AuthError) {
        guard text.utf8.count <= SealedFields.maximumLength, let sealed = Base64URL.decode(text),
            let fields = SealedFields(sealed, for: Self.purpose, in: call.directory)?.fields, fields.count == 7,
            fields[0].fieldText == stage.rawValue, let number = try? PhoneNumber(fields[1].fieldText),
            let expiry = fields[4].fieldNumber, let issued = fields[5].fieldNumber, let ended = fields[6].fieldNumber
        else { throw AuthError(.flowStateNotFound) }
        self.stage = stage
        self.number = number
        holder = fields[2].isEmpty ? nil : UserID(fields[2].fieldText)
        nonce = fields[3]
        expiresAt = Instant(microseconds: expiry)
        issuedAt = Instant(microseconds: issued)
        endedCodes = ended
        guard call.now < expiresAt else { throw AuthError(.flowStateExpired) }
    }

    /// Whether it proves that `user` may sign in by the number: it is theirs as it was, and nothing has ended since
    /// what could open a session of theirs.
    func holds(for user: User, at now: Instant) -> Bool {
        user.id == holder && user.deletedAt == nil && user.phone == number && user.phoneVerifiedAt != nil
            && user.endedCodes == endedCodes && user.acceptsTokens(issuedAt: issuedAt.seconds, at: now)
    }

    /// Base64URL, under 256 octets.
    func sealed(in directory: Directory, random: any RandomSource) throws(AuthError) -> String {
        let fields = [
            Array(stage.rawValue.utf8), Array(number.digits.utf8), Array((holder?.rawValue ?? "").utf8), nonce,
            Array(field: expiresAt.microseconds), Array(field: issuedAt.microseconds), Array(field: endedCodes),
        ]
        return Base64URL.encode(try SealedFields(fields).sealed(for: Self.purpose, in: directory, random: random))
    }
}
