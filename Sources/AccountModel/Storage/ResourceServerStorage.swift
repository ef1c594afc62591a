// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol ResourceServerReading {
    /// In order of their identifiers.
    func resourceServers(in directory: DirectoryID) throws -> [ResourceServer]
    func resourceServer(_ identifier: String, in directory: DirectoryID) throws -> ResourceServer?
}

public protocol ResourceServerWriting: ResourceServerReading {
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `resource_server.identifier`.
    func insert(_ server: ResourceServer) throws
    /// Writes name and scopes.
    /// - Throws: ``StoreConflict/stale(_:)`` where there is none.
    func update(_ server: ResourceServer) throws
    /// Whether there was one.
    func deleteResourceServer(_ identifier: String, in directory: DirectoryID) throws -> Bool
}
