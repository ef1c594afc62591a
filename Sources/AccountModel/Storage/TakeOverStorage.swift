// SPDX-License-Identifier: Apache-2.0

import AuthTypes

public protocol TakeOverReading {
    /// `nil` where none of this source was begun.
    func takeOver(of source: String) throws -> TakeOver?
    /// By ``BroughtRefreshToken/hash``; `nil` also once its session is purged.
    func broughtToken(_ hash: [UInt8], in directory: DirectoryID) throws -> BroughtRefreshToken?
}

public protocol TakeOverWriting: TakeOverReading {
    /// Begins one, or writes how far it is.
    func put(_ takeOver: TakeOver) throws
    /// - Throws: ``StoreConflict/duplicate(_:)`` for one that is there.
    func insert(_ tokens: [BroughtRefreshToken]) throws
}
