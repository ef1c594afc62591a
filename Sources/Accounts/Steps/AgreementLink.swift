// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What stands in the address of the page where somebody agrees to what their sign-in waits for, and whose app knows no
/// such step. It opens nothing: whoever has it may read what is asked for, and agree to it.
public struct AgreementLink: Sendable, Equatable {
    /// Below the account pages.
    public static let path = "/terms"
    public static let parameter = "agreement"
    private static let purpose = "latchkey agreement link 1"
    private static let lifetime = TimeSpan.minutes(30)

    let user: UserID
    let dialect: DialectName?
    let client: ClientID?
    let issuedAt: Instant
    /// ``User/endedCodes`` of its user when it was given.
    private let endedCodes: Int64

    init(of user: User, call: CallContext) {
        self.user = user.id
        dialect = call.dialect
        client = call.client?.id
        issuedAt = call.now
        endedCodes = user.endedCodes
    }

    /// Opens what a browser brings.
    ///
    /// - Throws: ``AuthErrorCode/flowStateNotFound`` for what was not given in this Directory,
    ///   ``AuthErrorCode/flowStateExpired``.
    public init(_ text: String, call: CallContext) throws(AuthError) {
        guard text.utf8.count <= SealedFields.maximumLength, let sealed = Base64URL.decode(text),
            let fields = SealedFields(sealed, for: Self.purpose, in: call.directory)?.fields, fields.count == 5,
            let issued = fields[3].fieldNumber, let ended = fields[4].fieldNumber
        else { throw AuthError(.flowStateNotFound) }
        user = UserID(fields[0].fieldText)
        dialect = fields[1].isEmpty ? nil : DialectName(fields[1].fieldText)
        client = fields[2].isEmpty ? nil : ClientID(fields[2].fieldText)
        issuedAt = Instant(microseconds: issued)
        endedCodes = ended
        guard call.now < issuedAt + Self.lifetime else { throw AuthError(.flowStateExpired) }
    }

    /// The page's whole address; `nil` for a caller who knows of no pages.
    func address(_ call: CallContext, random: any RandomSource) throws(AuthError) -> String? {
        let home = call.links.home(of: call.directory)
        guard !home.isEmpty else { return nil }
        let fields = [
            Array(user.rawValue.utf8), Array((dialect?.rawValue ?? "").utf8), Array((client?.rawValue ?? "").utf8),
            Array(field: issuedAt.microseconds), Array(field: endedCodes),
        ]
        let sealed = try SealedFields(fields).sealed(for: Self.purpose, in: call.directory, random: random)
        return home + "\(Self.path)?\(Self.parameter)=\(Base64URL.encode(sealed))"
    }

    /// The user, where what they had proved holds still.
    ///
    /// - Throws: ``AuthErrorCode/flowStateExpired``, ``AuthErrorCode/userBanned``.
    func holder(_ call: CallContext, _ tx: any StoreReading) throws -> User {
        guard let found = try tx.user(user, in: call.directory.id), found.deletedAt == nil,
            found.endedCodes == endedCodes, found.acceptsTokens(issuedAt: issuedAt.seconds, at: call.now)
        else { throw AuthError(.flowStateExpired) }
        try call.requireUsable(found)
        return found
    }
}
