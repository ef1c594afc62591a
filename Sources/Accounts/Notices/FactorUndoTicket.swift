// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Crypto

/// What the mail of a new factor or passkey carries, for an owner who has not added it: which one it was, and to whom
/// the mail went. It is sealed, and nothing waits for it in the store, so that each of several mails undoes its own
/// (ADR 0073).
struct FactorUndoTicket: Sendable, Equatable {
    /// Long enough for who sleeps. A mailbox that is somebody else's undoes a factor by it, which is why it is no
    /// longer.
    static let lifetime = TimeSpan.hours(24)
    /// Octets of its text that are read at most.
    static let longest = 1024
    private static let purpose = "latchkey factor undo 1"
    private static let nonceLength = 16

    let user: UserID
    let factor: FactorID
    /// When it began to count: one that was taken away and set up anew is another.
    let since: Instant
    let expiresAt: Instant
    /// By which it is known that it was used.
    let nonce: [UInt8]
    /// SHA-256 of the address.
    private let mailbox: [UInt8]

    init?(_ factor: Factor, to address: EmailAddress, _ step: FlowStep) {
        guard let since = factor.verifiedAt else { return nil }
        user = factor.userID
        self.factor = factor.id
        self.since = since
        expiresAt = step.now + Self.lifetime
        nonce = step.random.bytes(Self.nonceLength)
        mailbox = Self.hash(address)
    }

    /// `nil` for what ``sealed(_:)`` has not written in the same Directory, and for what is over.
    init?(_ text: String, _ call: CallContext) {
        guard text.utf8.count <= Self.longest, let octets = Base64URL.decode(text),
            let fields = SealedFields(octets, for: Self.purpose, in: call.directory)?.fields, fields.count == 6,
            let since = fields[2].fieldNumber, let end = fields[3].fieldNumber
        else { return nil }
        user = UserID(fields[0].fieldText)
        factor = FactorID(fields[1].fieldText)
        self.since = Instant(microseconds: since)
        expiresAt = Instant(microseconds: end)
        nonce = fields[4]
        mailbox = fields[5]
        guard call.now < expiresAt else { return nil }
    }

    func sealed(_ step: FlowStep) throws(AuthError) -> String {
        let fields = [
            Array(user.rawValue.utf8), Array(factor.rawValue.utf8), Array(field: since.microseconds),
            Array(field: expiresAt.microseconds), nonce, mailbox,
        ]
        return Base64URL.encode(
            try SealedFields(fields).sealed(for: Self.purpose, in: step.call.directory, random: step.random))
    }

    /// Whether the mail went to this address.
    func went(to address: EmailAddress) -> Bool { constantTimeEqual(mailbox, Self.hash(address)) }

    private static func hash(_ address: EmailAddress) -> [UInt8] {
        Array(SHA256.hash(data: Array(address.rawValue.utf8)))
    }
}
