// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Hummingbird

/// Says an error in the words of a dialect.
public protocol ErrorRenderer: Sendable {
    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) -> Response
}

/// A part of the server's URL space that speaks one dialect: what it answers to, and how it says no.
public struct Surface: Sendable {
    /// The paths that belong to it start with this, such as `/auth/v1`; empty for what is left over.
    public var prefix: String
    public var renderer: any ErrorRenderer

    public init(prefix: String, renderer: any ErrorRenderer) {
        self.prefix = prefix
        self.renderer = renderer
    }

    func contains(_ path: String) -> Bool {
        prefix.isEmpty || path == prefix || path.hasPrefix(prefix + "/")
    }
}
