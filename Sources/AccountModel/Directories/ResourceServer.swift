// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// An API that access tokens are for, with the scopes that it tells apart (RFC 6749, sections 1.1 and 3.3). A token's
/// scope names both: see ``text(of:)``.
public struct ResourceServer: Sendable, Equatable {
    /// One of the things that a token may allow there.
    public struct Scope: Sendable, Equatable {
        /// Visible ASCII but for `"`, `/` and `\`: what a whole scope begins with may have slashes, its end has none.
        public var name: String
        public var description: String

        public init(name: String, description: String) {
            self.name = name
            self.description = description
        }
    }

    public var directoryID: DirectoryID
    /// Unique in the Directory, compared exactly: a word or a URL, of visible ASCII but for `"` and `\`.
    public var identifier: String
    public var name: String
    public var scopes: [Scope]
    public var createdAt: Instant
    public var updatedAt: Instant

    public init(
        directoryID: DirectoryID, identifier: String, name: String, scopes: [Scope] = [], createdAt: Instant,
        updatedAt: Instant
    ) {
        self.directoryID = directoryID
        self.identifier = identifier
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// A scope as clients ask for it and tokens have it: `identifier/name`.
    public func text(of scope: Scope) -> String { identifier + "/" + scope.name }

    /// Every scope as clients ask for it.
    public var scopeTexts: [String] { scopes.map(text) }
}
