// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What an app says that somebody has agreed to, when and through what: kept with a message that is still to be
/// answered, and a word of the account's (``Agreement``) once it is.
public struct AgreedTerms: Sendable, Hashable {
    public var terms: [TermsReference]
    /// `nil` for this server's own API.
    public var dialect: DialectName?
    public var clientID: ClientID?
    public var at: Instant

    public init(_ terms: [TermsReference], dialect: DialectName? = nil, clientID: ClientID? = nil, at: Instant) {
        self.terms = terms
        self.dialect = dialect
        self.clientID = clientID
        self.at = at
    }
}
