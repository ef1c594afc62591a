// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol ClientReading {
    /// By identifier alone: the client names its Directory.
    func client(_ id: ClientID) throws -> Client?
    /// ``Client/version`` of the client, whatever changed it last; `nil` where there is none.
    func clientVersion(_ id: ClientID) throws -> Int64?
    /// The oldest first.
    func clients(in directory: DirectoryID) throws -> [Client]
}

extension ClientReading {
    /// The client as it is stored now. One that was read a moment ago is mostly still that: then its parts are not read
    /// again.
    public func client(_ id: ClientID, knownAs known: Client?) throws -> Client? {
        if let known, known.id == id, try clientVersion(id) == known.version { return known }
        return try client(id)
    }
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
