// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes

/// A call of an OAuth client's, of a dialect that answers it in its own words: see ``ProviderDialect``.
public struct ClientCall: Sendable {
    /// In the client's Directory, and of its dialect.
    public var flow: CallContext
    public var client: Client
    /// Of the query or of the form, as they came.
    public var parameters: [(name: String, value: String)]
    public var headers: HTTPFields

    /// - Parameter flow: of whichever dialect.
    public init(
        _ flow: CallContext, of client: Client, parameters: [(name: String, value: String)], headers: HTTPFields
    ) {
        self.flow = flow
        self.flow.dialect = client.dialect
        // What its clients are shown it says itself.
        self.flow.shows = .all
        self.flow.client = client
        self.client = client
        self.parameters = parameters
        self.headers = headers
    }

    /// The parameter's value; `nil` where it is missing, empty, or given twice (RFC 6749, section 3.1).
    public subscript(name: String) -> String? { parameters.single(name) }

    /// - Throws: `invalid_request`.
    public func required(_ name: String) throws(OAuthError) -> String {
        guard let value = self[name] else {
            throw OAuthError(.badRequest, "invalid_request", "\(name) is missing")
        }
        return value
    }

    /// The words of a list with spaces between them, each once and in their order; empty for a list that is not there.
    public func words(_ name: String) -> [String] {
        (self[name] ?? "").split(separator: " ").map(String.init).reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
    }
}

extension Collection where Element == (name: String, value: String) {
    /// The value of a parameter; `nil` where it is missing, empty, or given twice (RFC 6749, section 3.1).
    public func single(_ name: String) -> String? {
        let given = filter { $0.name == name }
        guard given.count == 1, let value = given.first?.value, !value.isEmpty else { return nil }
        return value
    }
}
