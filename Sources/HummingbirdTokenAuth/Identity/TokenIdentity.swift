// SPDX-License-Identifier: Apache-2.0

import TokenVerifier

/// Who a request comes from, after ``TokenAuthMiddleware`` has judged what it carried.
public enum TokenIdentity: Sendable {
    /// A user, by a verified token.
    case token(VerifiedToken)
    /// A user, by a verified token, whose groups the application keeps itself: those that the token names don't count.
    case member(VerifiedToken, of: Set<String>)
    /// A program, by its API key.
    indirect case apiKey(APIKeyRecord)
    /// A made-up user of ``DevelopmentMode``. Nothing was verified.
    indirect case developer(DevelopmentUser)

    /// The token's `sub`, the key's identifier, or the made-up user's name.
    public var subject: String? {
        switch self {
        case .token(let token), .member(let token, _): token.subject
        case .apiKey(let key): key.id
        case .developer(let user): user.name
        }
    }

    /// What the token or the key may be used for (RFC 6749, section 3.3).
    public var scopes: Set<String> {
        switch self {
        case .token(let token), .member(let token, _): token.scopes
        case .apiKey(let key): key.scopes
        case .developer(let user): user.scopes
        }
    }

    /// The groups that whoever it is belongs to; with ``member(_:of:)`` those of the application, not of the token.
    public var groups: Set<String> {
        switch self {
        case .token(let token): token.groups
        case .member(_, let groups): groups
        case .apiKey(let key): key.groups
        case .developer(let user): user.groups
        }
    }

    /// The authenticator assurance level (NIST SP 800-63B): 1 to 3, or 0 where none is known. A key has none: nobody
    /// signed in.
    public var assuranceLevel: Int {
        switch self {
        case .token(let token), .member(let token, _): token.assuranceLevel ?? 0
        case .apiKey: 0
        case .developer(let user): user.assuranceLevel
        }
    }

    /// The verified token, when it is by one that the request came.
    public var verifiedToken: VerifiedToken? {
        switch self {
        case .token(let token), .member(let token, _): token
        case .apiKey, .developer: nil
        }
    }
}
