// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What the server must know again when a client answers an SRP challenge. The client carries it, sealed: the server
/// keeps nothing of a sign-in that may never be finished.
struct SRPState: Equatable {
    static let nonceLength = 16

    /// Who was named: a user, or for a name that nobody has an identifier that follows from it. Both are of one length,
    /// so that the length of the sealed text does not tell them apart.
    var subject: UserID
    /// Whether the subject is a user with a verifier.
    var isReal: Bool
    /// What the client was told to hash in the user's place.
    var identity: String
    var salt: [UInt8]
    var clientPublic: [UInt8]
    var serverPublic: [UInt8]
    /// b.
    var ephemeral: [UInt8]
    var clientID: ClientID?
    /// Names the challenge, so that it is used once.
    var nonce: [UInt8]
    var expiresAt: Instant
    /// Whether other challenges follow: then the answer opens no session by itself.
    var isWithinChallenges: Bool

    /// The user whose verifier judges the answer; `nil` where a made-up one does.
    var user: UserID? { isReal ? subject : nil }

    private static let purpose = "latchkey srp state 4"

    func sealed(in directory: Directory, random: any RandomSource) throws(AuthError) -> [UInt8] {
        try SealedFields(fields).sealed(for: Self.purpose, in: directory, random: random)
    }

    /// `nil` unless ``sealed(in:random:)`` made it in this Directory.
    init?(_ sealed: [UInt8], in directory: Directory) {
        guard let fields = SealedFields(sealed, for: Self.purpose, in: directory)?.fields, fields.count == 11,
            let expiry = fields[9].fieldNumber
        else { return nil }
        self.init(
            subject: UserID(fields[0].fieldText), isReal: fields[1] == [1], identity: fields[2].fieldText,
            salt: fields[3], clientPublic: fields[4], serverPublic: fields[5], ephemeral: fields[6],
            clientID: fields[7].isEmpty ? nil : ClientID(fields[7].fieldText), nonce: fields[8],
            expiresAt: Instant(microseconds: expiry), isWithinChallenges: fields[10] == [1])
    }

    init(
        subject: UserID, isReal: Bool, identity: String, salt: [UInt8], clientPublic: [UInt8], serverPublic: [UInt8],
        ephemeral: [UInt8], clientID: ClientID?, nonce: [UInt8], expiresAt: Instant, isWithinChallenges: Bool
    ) {
        self.subject = subject
        self.isReal = isReal
        self.identity = identity
        self.salt = salt
        self.clientPublic = clientPublic
        self.serverPublic = serverPublic
        self.ephemeral = ephemeral
        self.clientID = clientID
        self.nonce = nonce
        self.expiresAt = expiresAt
        self.isWithinChallenges = isWithinChallenges
    }

    /// A text of no bytes stands for none.
    private var fields: [[UInt8]] {
        [
            Array(subject.rawValue.utf8), [isReal ? 1 : 0], Array(identity.utf8), salt, clientPublic, serverPublic,
            ephemeral, Array((clientID?.rawValue ?? "").utf8), nonce, Array(field: expiresAt.microseconds),
            [isWithinChallenges ? 1 : 0],
        ]
    }
}
