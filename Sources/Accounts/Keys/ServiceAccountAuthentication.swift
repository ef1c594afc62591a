// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE

/// Recognises what service accounts sign, and gives them access tokens for it.
///
/// An access token is sealed and not kept: it says which key it was given for, and is good for as long as that is, an
/// hour at most.
public struct ServiceAccountAuthentication: Sendable {
    /// Seconds that an access token, and an assertion, is good for at most.
    public static let lifetime: Int64 = 3600
    /// Whoever finds one in a file or a log sees what it is.
    static let prefix = "lk_acc_"
    private static let purpose = "latchkey service account token 1"

    /// Whose word it is.
    public struct Caller: Sendable {
        public var key: ServiceAccountKey
        /// The account's own: never a part of it.
        public var directory: Directory
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The key of the account that a token was signed with; `nil` where it was signed with none of them. Says nothing
    /// of what the token says.
    ///
    /// - Throws: ``AuthErrorCode/unavailable`` when the store can't be reached.
    public func signer(
        of token: ParsedJWS, account: String, in directory: Directory
    ) async throws -> ServiceAccountKey? {
        let keys = try await ports.store.read { try $0.serviceAccountKeys(of: account, in: directory.id) }
        // Not every SDK names its key in the header.
        for key in keys where token.header.keyID == nil || token.header.keyID == key.id.rawValue {
            guard let jwk = try? JWK(parsing: key.publicJWK.utf8), let verifier = try? VerificationKey(jwk) else {
                throw AuthError(.internalFailure, reason: "a service account's key can't be read: \(key.id)")
            }
            if (try? token.verify(with: verifier, allowing: [.rs256])) != nil { return key }
        }
        return nil
    }

    /// An access token for whoever has proved to hold the key.
    public func accessToken(
        for key: ServiceAccountKey, in directory: Directory, at now: Instant
    ) throws -> Secret<String> {
        let expiry = now + .seconds(Self.lifetime)
        let sealed = try SealedFields([Array(key.id.rawValue.utf8), Array(field: expiry.microseconds)])
            .sealed(for: Self.purpose, in: directory, random: ports.random)
        return Secret("\(Self.prefix)\(directory.id.rawValue).\(Base64URL.encode(sealed))")
    }

    /// Whose access token `text` is; `nil` when it is none, has expired, or its key was revoked.
    ///
    /// - Throws: ``AuthErrorCode/unavailable`` when the store can't be reached.
    public func authenticate(_ text: String, at now: Instant) async throws -> Caller? {
        guard text.hasPrefix(Self.prefix), text.utf8.count <= 512,
            let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")),
            let sealed = Base64URL.decode(String(text[text.utf8.index(after: dot)...]))
        else { return nil }
        let id = DirectoryID(String(text[..<dot].dropFirst(Self.prefix.count)))
        let purpose = Self.purpose
        return try await ports.store.read { tx in
            guard let directory = try tx.directory(id),
                let fields = SealedFields(sealed, for: purpose, in: directory)?.fields, fields.count == 2,
                let expiry = fields[1].fieldNumber, now.microseconds < expiry,
                let key = try tx.serviceAccountKey(ServiceAccountKeyID(fields[0].fieldText), in: id),
                key.revokedAt == nil
            else { return nil }
            return Caller(key: key, directory: directory)
        }
    }
}
