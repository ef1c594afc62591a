// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol DirectoryReading {
    func directory(_ id: DirectoryID) throws -> Directory?
    func directory(named name: String) throws -> Directory?
    /// In order of their names.
    func directories() throws -> [Directory]
}

public protocol DirectoryWriting: DirectoryReading {
    /// - Throws: ``StoreConflict/duplicate(_:)`` with `directory.name`.
    func insert(_ directory: Directory) throws
    /// Writes every field where the stored version is still `directory.version`, and raises it.
    /// - Throws: ``StoreConflict/stale(_:)``.
    func update(_ directory: Directory) throws
    /// Deletes the Directory and everything that belongs to it. Whether there was one.
    func deleteDirectory(_ id: DirectoryID) throws -> Bool
}
