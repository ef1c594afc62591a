// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What follows a request for a code, by what is known of it now. A pure function, asked again after each page: nobody
/// keeps a list of pages that were shown, so none can be skipped, and what changed meanwhile is seen.
struct AuthorizationJudgement {
    enum Verdict: Hashable {
        case signIn(again: Bool)
        case signUp
        case chooseAccount
        /// The user shows a second factor, in the session that they have.
        case secondFactor
        /// The user agrees to terms that have taken effect since they signed in.
        case terms
        /// What the user is asked to agree to.
        case consent([String])
        /// What the client is given.
        case issue([String])
        case refuse(AuthorizationErrorCode, String)
    }

    var pending: PendingAuthorization
    /// The browser's, which was judged to live.
    var session: Session?
    /// What its user has agreed to before.
    var consent: Consent?
    var policy: ClientAuthorization.Consent
    /// By whom the user must have been vouched for in that session; `nil` where every way in leads to the client.
    var providers: [String]?
    /// How sure the session's user can make the server: more than by one factor, where they have a second one.
    var reachable = AssuranceLevel.aal1
    /// Whether there are terms that the session's user has yet to agree to.
    var owesTerms = false
    var now: Instant

    private var parameters: AuthorizationParameters { pending.parameters }
    private var scopes: [String] { pending.request.scopes }
    private var mayAsk: Bool { !parameters.prompts.contains(.none) }

    var verdict: Verdict {
        if pending.isDenied { return .refuse(.accessDenied, "the user did not agree") }
        if let fault = pending.fault { return .refuse(fault.code, fault.description) }
        guard let session else { return firstSignIn }
        // Proved since the client asked: for this request that is as fresh as it gets.
        let isFresh = session.authenticatedAt >= pending.createdAt && !session.authenticatedAt.liesAhead(of: now)
        if parameters.prompts.contains(.create), !isFresh { return .signUp }
        if let hinted = parameters.hintedSubject, hinted != session.userID {
            guard mayAsk, !isFresh else {
                return .refuse(.loginRequired, "another user is signed in than is hinted at")
            }
            return .signIn(again: false)
        }
        if let providers, !session.methods.contains(where: { $0.provider.map(providers.contains) ?? false }) {
            return mayAsk ? .signIn(again: true) : .refuse(.loginRequired, "the user came by none of the providers")
        }
        if parameters.prompts.contains(.selectAccount), pending.chosenSession != session.id, !isFresh {
            return .chooseAccount
        }
        if !isFresh, isStale(session) {
            return mayAsk ? .signIn(again: true) : .refuse(.loginRequired, "the sign-in is too old for the request")
        }
        return assuranceVerdict(session) ?? termsVerdict ?? consentVerdict(session.userID)
    }

    /// What a sign-in demands, a session that has outlived it does not take a client past.
    private var termsVerdict: Verdict? {
        guard owesTerms else { return nil }
        return mayAsk ? .terms : .refuse(.interactionRequired, "there are terms that the user has yet to agree to")
    }

    private var firstSignIn: Verdict {
        guard mayAsk else { return .refuse(.loginRequired, "nobody is signed in") }
        return parameters.prompts.contains(.create) ? .signUp : .signIn(again: false)
    }

    /// Whether the user is to prove anew who they are: `max_age=0` asks what `prompt=login` does (OpenID Connect Core,
    /// section 3.1.2.1).
    private func isStale(_ session: Session) -> Bool {
        if parameters.prompts.contains(.login) { return true }
        guard let maxAge = parameters.maxAge else { return false }
        return maxAge <= 0 || now.age(of: session.authenticatedAt) > .seconds(maxAge)
    }

    /// `acr_values` are a wish; an essential `acr` of the `claims` parameter must be met (OpenID Connect Core,
    /// section 5.5.1.1). A class above the one that is named meets it too.
    private func assuranceVerdict(_ session: Session) -> Verdict? {
        let wanted = wantedAssurance
        if let wanted, session.assurance >= wanted { return nil }
        // A session goes from one level to the next by a second factor alone: a password anew would leave it as it is.
        if let wanted, wanted <= reachable, mayAsk { return .secondFactor }
        guard demandedClasses != nil else { return nil }
        return .refuse(.unmetAuthenticationRequirements, "the essential acr is out of reach")
    }

    /// The lowest class that would do, of those that are known here.
    private var wantedAssurance: AssuranceLevel? {
        (demandedClasses ?? parameters.acrValues).compactMap(AssuranceLevel.init(acr:)).min()
    }

    /// Whether what follows hangs on ``reachable``: only then is it to be looked up.
    var asksForMore: Bool {
        guard let session, let wantedAssurance else { return false }
        return session.assurance < wantedAssurance
    }

    /// The classes of an essential `acr` that names any.
    private var demandedClasses: [String]? {
        guard let acr = pending.request.claims["id_token"]?.objectValue?["acr"]?.objectValue,
            acr["essential"]?.boolValue == true
        else { return nil }
        let classes =
            acr["values"]?.arrayValue?.map { $0.stringValue ?? "" } ?? acr["value"].map { [$0.stringValue ?? ""] }
        return classes.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func consentVerdict(_ user: UserID) -> Verdict {
        if pending.consentedBy == user { return .issue(pending.consentedScopes) }
        guard let asked = askedScopes else { return .issue(scopes) }
        return mayAsk ? .consent(asked) : .refuse(.consentRequired, "the user has not agreed to all that is asked for")
    }

    /// What the session's user is asked to agree to; `nil` where they need not be asked.
    var askedScopes: [String]? {
        if parameters.prompts.contains(.consent) { return scopes }
        switch policy {
        case .notAsked: return nil
        case .always: return scopes
        case .remembered:
            guard let consent else { return scopes }
            let missing = scopes.filter { !consent.scopes.contains($0) }
            return missing.isEmpty ? nil : missing
        }
    }
}
