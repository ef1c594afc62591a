// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

extension Sample {
    /// One of each kind.
    static func credentials() throws -> [Factor.Credential] {
        [
            .totp(Secret(hash("secret of an app"))), .phone(try PhoneNumber("+4915112345678")),
            .email(try EmailAddress("second@example.com")), key,
        ]
    }

    private static let key = Factor.Credential
        .webAuthn(
            WebAuthnCredential(
                use: .signIn, id: hash("credential"), publicKey: hash("public key"), signatureCount: .max,
                transports: ["internal", "hybrid"], aaguid: Array(hash("model").prefix(16)),
                relyingParty: "auth.example", isDiscoverable: true, isUserVerified: true, isBackupEligible: true,
                isBackedUp: true, userHandle: hash("handle")))

    static func factor(_ id: String, of user: User, _ credential: Factor.Credential) -> Factor {
        Factor(
            id: FactorID(id), directoryID: user.directoryID, userID: user.id, credential: credential,
            name: "Zoë’s \(id)", verifiedAt: at(1), isEnabled: false, isPreferred: true, createdAt: at(2),
            updatedAt: at(3), lastUsedAt: at(4), lastChallengedAt: at(5))
    }

    static func backupCodes(_ id: String, of user: User) -> BackupCodes {
        BackupCodes(
            id: BackupCodesID(id), directoryID: user.directoryID, userID: user.id, name: "Zoë’s codes",
            createdAt: at(1),
            codes: [
                BackupCodes.Code(hash: hash("a of " + id)), BackupCodes.Code(hash: hash("b of " + id)),
                BackupCodes.Code(hash: hash("c of " + id), usedAt: at(2)),
            ])
    }

    static func challenge(_ id: String, of user: User, factor: FactorID?, at seconds: Int64) -> FactorChallenge {
        FactorChallenge(
            id: FactorChallengeID(id), directoryID: user.directoryID, userID: user.id, factorID: factor,
            holder: "session “Σ”", codeHash: hash("code"), data: metadata, createdAt: at(seconds),
            expiresAt: at(seconds + 300))
    }
}
