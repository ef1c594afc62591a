// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// How a request wants to be answered, and what it asks of the sign-in: what is done with once there is an answer
/// (OpenID Connect Core, section 3.1.2.1).
public struct AuthorizationParameters: Sendable, Hashable {
    /// How the answer reaches the client (OAuth 2.0 Multiple Response Types, section 2.1; Form Post Response Mode).
    public enum ResponseMode: String, Sendable, CaseIterable {
        case query
        case fragment
        case formPost = "form_post"
    }

    public enum Prompt: String, Sendable, CaseIterable {
        /// No page, whatever would follow.
        case none
        /// The user proves anew who they are.
        case login
        case consent
        case selectAccount = "select_account"
        /// Initiating User Registration via OpenID Connect 1.0.
        case create
    }

    /// Goes back with the answer as it came.
    public var state: String?
    public var responseMode: ResponseMode
    public var prompts: Set<Prompt>
    /// How long ago the user may have proved who they are, in seconds.
    public var maxAge: Int64?
    /// Whom the client thinks it sends here: for a form, and believed by nobody.
    public var loginHint: String?
    /// Whom an ID token of ours names that came along (`id_token_hint`): nobody else may be signed in.
    public var hintedSubject: UserID?
    /// BCP 47, the preferred first.
    public var uiLocales: [String]
    /// As ``AssuranceLevel/acr``, the preferred first. A wish: see ``AuthorizationRequest/claims`` for a demand.
    public var acrValues: [String]

    public init(
        state: String? = nil, responseMode: ResponseMode = .query, prompts: Set<Prompt> = [], maxAge: Int64? = nil,
        loginHint: String? = nil, hintedSubject: UserID? = nil, uiLocales: [String] = [], acrValues: [String] = []
    ) {
        self.state = state
        self.responseMode = responseMode
        self.prompts = prompts
        self.maxAge = maxAge
        self.loginHint = loginHint
        self.hintedSubject = hintedSubject
        self.uiLocales = uiLocales
        self.acrValues = acrValues
    }
}

extension AssuranceLevel {
    /// As `acr` says it in tokens and requests: `aal1` and so on (NIST SP 800-63B).
    public var acr: String { "aal\(rawValue)" }

    /// The classes that some way of signing in gives: what a request may demand, and what the metadata names. The
    /// second is within reach of who has a second factor.
    public static let reachable: [AssuranceLevel] = [.aal1, .aal2]

    /// `nil` for a class that is none of ours.
    public init?(acr: String) {
        guard let level = Self.allCases.first(where: { $0.acr == acr }) else { return nil }
        self = level
    }
}
