// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol ClientReading {
    /// By identifier alone: the client names its Directory.
    func client(_ id: ClientID) throws -> Client?
    /// The oldest first.
    func clients(in directory: DirectoryID) throws -> [Client]
}

public protocol ClientWriting: ClientReading {
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `client.id`.
    func insert(_ client: Client) throws
    /// Writes name, secret and settings where the stored version is still `client.version`, and raises it.
    /// - Throws: ``StoreConflict/stale(_:)``.
    func update(_ client: Client) throws
    /// Whether there was one.
    func deleteClient(_ id: ClientID, in directory: DirectoryID) throws -> Bool
}
