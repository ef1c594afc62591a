// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird

/// Says an error in the words of a dialect.
public protocol ErrorRenderer: Sendable {
    func response(for error: AuthError, to request: Request, context: LatchkeyRequestContext) async -> Response
}

/// A part of the server's URL space that speaks one dialect: what it answers to, and how it says no.
public struct Surface: Sendable {
    /// The paths that belong to it start with this, such as `/auth/v1`; empty for what is left over. An asterisk stands
    /// for one segment, whatever it is.
    public var prefix: String
    public var renderer: any ErrorRenderer
    /// The methods that belong to it, where others at the same paths are somebody else's; `nil` for all.
    public var methods: Set<HTTPRequest.Method>?

    public init(prefix: String, renderer: any ErrorRenderer, methods: Set<HTTPRequest.Method>? = nil) {
        self.prefix = prefix
        self.renderer = renderer
        self.methods = methods
    }

    func contains(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        methods?.contains(method) != false && contains(path)
    }

    private func contains(_ path: String) -> Bool {
        guard prefix.contains("*") else { return prefix.isEmpty || path == prefix || path.hasPrefix(prefix + "/") }
        let wanted = prefix.split(separator: "/", omittingEmptySubsequences: false)
        let given = path.split(
            separator: "/", maxSplits: wanted.count, omittingEmptySubsequences: false)
        return given.count >= wanted.count && zip(wanted, given).allSatisfy { $0 == "*" || $0 == $1 }
    }
}
