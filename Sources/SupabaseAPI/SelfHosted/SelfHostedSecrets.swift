// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Factors
import Passwords

/// What users are known by, in the forms that the platform's own server reads (`auth.users.encrypted_password`,
/// `auth.mfa_factors.secret`): by which it can serve again where this one has.
public enum SelfHostedSecrets {
    /// Characters that the column holds.
    private static let longest = 255
    /// What `golang.org/x/crypto/bcrypt` reads.
    private static let bcrypt = ["$2a$", "$2b$", "$2y$"]

    /// Bcrypt, Argon2i and Argon2id of version 1.3, and scrypt with a signer key: what its `internal/crypto` compares
    /// with.
    ///
    /// - Returns: `nil` for a hash of another form.
    public static func encryptedPassword(_ hash: PasswordHash) -> String? {
        let text = hash.encoded
        guard text.utf8.count <= longest else { return nil }
        if bcrypt.contains(where: { text.hasPrefix($0) }) { return text }
        if text.hasPrefix("$fbscrypt$v=1,") { return text }
        // Neither keys nor associated data.
        guard text.hasPrefix("$argon2id$v=19$m=") || text.hasPrefix("$argon2i$v=19$m="), !text.contains("data="),
            isBearable(text)
        else { return nil }
        return text
    }

    /// An authenticator app's secret in Base32; `nil` for a factor of another kind.
    public static func secret(of factor: Factor) -> String? {
        guard case .totp(let secret) = factor.credential else { return nil }
        return Base32.encode(secret.reveal())
    }

    /// Up to 1 GiB, 20 passes and 16 lanes.
    private static func isBearable(_ argon2: String) -> Bool {
        let fields = argon2.split(separator: "$")
        guard fields.count == 5 else { return false }
        let cost = fields[2].split(separator: ",").map { Int($0.drop { $0 != "=" }.dropFirst()) ?? .max }
        return cost.count == 3 && cost[0] <= 1 << 20 && cost[1] <= 20 && cost[2] <= 16
    }
}
