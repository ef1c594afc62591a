// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension PasswordHash {
    /// Computes the password's hash with this one's salt and cost, and compares in constant time. `nil` when it could
    /// not be computed, for want of memory or because the text is damaged: that is not the user's mistake and must not
    /// count as one.
    ///
    /// Argon2id hashes are of the normalized password, as this library makes them. The others come from elsewhere,
    /// where a password was hashed as it was typed, and are compared with it as it was typed.
    ///
    /// A text that is too long for a password is wrong, at the same cost.
    ///
    /// - Parameter memory: in which Argon2 is computed: the calling thread's, where it keeps some.
    func matches(_ password: Secret<String>, in memory: Argon2Memory = Argon2Memory()) -> Bool? {
        guard let normalized = NormalizedPassword(password) else {
            return matches(Secret(""), in: memory).map { _ in false }
        }
        return switch algorithm {
        case .argon2id(let parameters, let salt, let tag):
            memory.tag(of: normalized.bytes, Argon2(parameters: parameters, salt: salt, length: tag.count))
                .map { constantTimeEqual($0, tag) }
        case .bcrypt: Bcrypt.verify(Array(password.reveal().utf8), encoded)
        case .scrypt(let parameters, let salt, let tag):
            parameters.tag(of: Array(password.reveal().utf8), salt: salt, length: tag.count)
                .map { constantTimeEqual($0, tag) }
        case .signerKeyScrypt(let hash): hash.matches(Array(password.reveal().utf8))
        case .pbkdf2(let hash): hash.matches(Array(password.reveal().utf8))
        case .argon2Variant(let hash): hash.matches(Array(password.reveal().utf8), in: memory)
        case .digest(let hash): hash.matches(Array(password.reveal().utf8))
        case nil: nil
        }
    }
}
