// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol DomainReading {
    /// By name alone: the domain names its Directory.
    func domain(named name: String) throws -> DirectoryDomain?
    /// In order of their kinds.
    func domains(in directory: DirectoryID) throws -> [DirectoryDomain]
}

public protocol DomainWriting: DomainReading {
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `domain.name`, or with `domain.kind` where the Directory has one.
    func insert(_ domain: DirectoryDomain) throws
    /// Writes the attributes.
    /// - Throws: ``StoreConflict/stale(_:)`` where the Directory has none of the name.
    func update(_ domain: DirectoryDomain) throws
    /// Whether there was one.
    func deleteDomain(named name: String, in directory: DirectoryID) throws -> Bool
}
