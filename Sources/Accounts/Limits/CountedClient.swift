// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Whose calls a ``ClientLimit`` counts: a client's, as a Directory sees it.
struct CountedClient: Sendable, Hashable {
    var directory: DirectoryID
    /// What the client is counted by.
    var origin: String

    init(directory: DirectoryID, origin: String) {
        self.directory = directory
        self.origin = origin
    }

    /// `nil` for a text that is none.
    init?(_ text: String) {
        guard let space = text.firstIndex(of: " ") else { return nil }
        directory = DirectoryID(String(text[..<space]))
        origin = String(text[text.index(after: space)...])
    }

    /// An identifier has no space in it.
    var text: String { directory.rawValue + " " + origin }
}
