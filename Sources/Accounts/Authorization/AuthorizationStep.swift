// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What follows in a browser that a client has sent here.
public enum AuthorizationStep: Sendable {
    /// - Parameter again: whether the user of the browser's session proves anew who they are; else nobody is signed in,
    ///   or not whoever is meant.
    case signIn(PendingAuthorization, again: Bool)
    case signUp(PendingAuthorization)
    case chooseAccount(PendingAuthorization, User)
    /// The user of the browser's session shows a second factor, by ``StepUp``.
    case secondFactor(PendingAuthorization, User)
    /// The user of the browser's session agrees to terms, by ``AgreeToTerms``.
    case terms(PendingAuthorization, User)
    /// - Parameter scopes: what the user is asked to agree to.
    case consent(PendingAuthorization, User, scopes: [String])
    case respond(AuthorizationResponse)

    /// The request that a page stands before; `nil` where there is an answer.
    public var pending: PendingAuthorization? {
        switch self {
        case .signIn(let pending, _), .signUp(let pending), .chooseAccount(let pending, _),
            .secondFactor(let pending, _), .terms(let pending, _), .consent(let pending, _, _):
            pending
        case .respond: nil
        }
    }

    /// The answer; `nil` where a page comes first.
    public var response: AuthorizationResponse? { if case .respond(let response) = self { response } else { nil } }
}
