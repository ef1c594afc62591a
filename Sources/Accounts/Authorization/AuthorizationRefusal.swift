// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A request of a client's that is refused, in the words of OAuth.
public struct AuthorizationRefusal: Error, Sendable {
    /// What is the matter with a request that a browser came back to.
    public enum Staleness: Sendable, Hashable, CaseIterable {
        /// There is none, or it was begun in another browser: the two can't be told apart from outside.
        case unknown
        case expired
        /// It was answered: an answer is given once.
        case completed
    }

    public var code: AuthorizationErrorCode
    /// For the client's developer: printable ASCII without `"` and `\` (RFC 6749, section 4.1.2.1).
    public var description: String
    /// What the client is told through the browser. `nil` where nothing may go there: neither client nor redirect URI
    /// were good, or it is a call of the client's own, such as a pushed request.
    public var response: AuthorizationResponse?
    public var staleness: Staleness?
    /// Whose request it was that is over, where it was begun in this browser.
    public var client: ClientID?

    public init(_ code: AuthorizationErrorCode, _ description: String, response: AuthorizationResponse? = nil) {
        self.code = code
        self.description = description
        self.response = response
    }

    init(_ staleness: Staleness, of client: ClientID? = nil) {
        self.init(.invalidRequest, "the request is not known, has expired or was answered")
        self.client = client
        self.staleness = staleness
    }
}
