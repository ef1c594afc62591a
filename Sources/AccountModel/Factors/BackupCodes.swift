// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// The codes that a user keeps for the day on which their factors are lost: one set at a time. Of each only a hash is
/// kept.
public struct BackupCodes: Sendable {
    public struct Code: Sendable, Equatable {
        public var hash: [UInt8]
        public var usedAt: Instant?

        public init(hash: [UInt8], usedAt: Instant? = nil) {
            self.hash = hash
            self.usedAt = usedAt
        }
    }

    public var id: BackupCodesID
    public var directoryID: DirectoryID
    public var userID: UserID
    /// What its user calls the set.
    public var name: String?
    public var createdAt: Instant
    public var codes: [Code]

    public init(
        id: BackupCodesID, directoryID: DirectoryID, userID: UserID, name: String? = nil, createdAt: Instant,
        codes: [Code]
    ) {
        self.id = id
        self.directoryID = directoryID
        self.userID = userID
        self.name = name
        self.createdAt = createdAt
        self.codes = codes
    }

    /// How many can still be used.
    public var remaining: Int { codes.count { $0.usedAt == nil } }

    /// HMAC-SHA256 of a code under the Directory's token key, bound to its user.
    package static func hash(_ code: String, of user: UserID, under key: Secret<[UInt8]>) -> [UInt8] {
        Array(
            HMAC<SHA256>.authenticationCode(
                for: Array("backup code\u{0}\(user.rawValue)\u{0}\(code)".utf8),
                using: SymmetricKey(data: key.reveal())))
    }
}

extension FactorChallenge {
    /// HMAC-SHA256 of a code that is sent, under the Directory's token key, bound to its challenge: a code has few
    /// digits, so its bare hash would be its text.
    package static func hash(_ code: String, for challenge: FactorChallengeID, under key: Secret<[UInt8]>) -> [UInt8] {
        Array(
            HMAC<SHA256>.authenticationCode(
                for: Array("factor code\u{0}\(challenge.rawValue)\u{0}\(code)".utf8),
                using: SymmetricKey(data: key.reveal())))
    }
}
