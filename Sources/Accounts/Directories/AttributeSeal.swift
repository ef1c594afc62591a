// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Seals secrets among what a dialect keeps of a Directory (``DirectorySettings/attributes``), which is stored in the
/// clear: under the Directory's key, which the store seals (ADR 0017).
public struct AttributeSeal: Sendable {
    private static let purpose = "directory-attribute"

    private let random: any RandomSource

    init(_ ports: AccountPorts) {
        random = ports.random
    }

    /// - Parameter secret: at most 3,072 octets.
    /// - Throws: ``AuthErrorCode/invalidRequest`` for a longer one.
    public func seal(_ secret: Secret<String>, in directory: Directory) throws(AuthError) -> String {
        let octets = Array(secret.reveal().utf8)
        guard octets.count <= 3072 else { throw AuthError(.invalidRequest, reason: "too long", field: "secret") }
        return Base64.encode(
            try SealedFields([octets]).sealed(for: Self.purpose, in: directory, random: random))
    }

    /// `nil` for what ``seal(_:in:)`` did not make in the same Directory.
    public func open(_ text: String, in directory: Directory) -> Secret<String>? {
        guard let sealed = Base64.decode(text),
            let octets = SealedFields(sealed, for: Self.purpose, in: directory)?.fields.first
        else { return nil }
        return String(validating: octets, as: UTF8.self).map { Secret($0) }
    }
}
