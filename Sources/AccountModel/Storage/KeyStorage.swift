// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol KeyReading {
    /// Newest first.
    func signingKeys(in directory: DirectoryID) throws -> [SigningKeyRecord]
    /// Newest first, with the revoked.
    func apiKeys(in directory: DirectoryID) throws -> [APIKey]
    /// By hash alone: the key names its Directory.
    func apiKey(hash: [UInt8]) throws -> APIKey?
    /// Newest first, with the revoked.
    func serviceAccountKeys(in directory: DirectoryID) throws -> [ServiceAccountKey]
    /// Those of one account that are not revoked, newest first.
    func serviceAccountKeys(of account: String, in directory: DirectoryID) throws -> [ServiceAccountKey]
    /// Also when it is revoked.
    func serviceAccountKey(_ id: ServiceAccountKeyID, in directory: DirectoryID) throws -> ServiceAccountKey?
}

public protocol KeyWriting: KeyReading {
    func insert(_ key: SigningKeyRecord) throws
    /// Writes state and dates.
    func update(_ key: SigningKeyRecord) throws
    func deleteSigningKey(_ id: SigningKeyID, in directory: DirectoryID) throws -> Bool
    func insert(_ key: APIKey) throws
    /// Whether the key was live until now.
    func revokeAPIKey(_ id: APIKeyID, in directory: DirectoryID, at now: Instant) throws -> Bool
    func touchAPIKey(_ id: APIKeyID, in directory: DirectoryID, at now: Instant) throws
    func insert(_ key: ServiceAccountKey) throws
    /// Whether the key was live until now.
    func revokeServiceAccountKey(_ id: ServiceAccountKeyID, in directory: DirectoryID, at now: Instant) throws -> Bool
}
