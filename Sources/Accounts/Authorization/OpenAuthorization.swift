// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A request for a code within one transaction, with all that is asked anew whenever the browser comes by: whether the
/// client may still have it, whose session the browser has, and what that user has agreed to.
struct OpenAuthorization {
    let client: Client
    /// That of the user whose answer it is, and the user.
    let session: (session: Session, user: User)?
    let judgement: AuthorizationJudgement
    private let call: CallContext
    private let random: any RandomSource

    private var pending: PendingAuthorization { judgement.pending }

    /// - Throws: ``AuthorizationRefusal`` where the client may no longer send anybody here, or not back to that place.
    init(_ pending: PendingAuthorization, session cookie: Secret<String>?, _ step: FlowStep) throws {
        try self.init(pending, of: BrowserSessions.holder(of: cookie, step), step.call, step.tx, step.random)
    }

    /// - Parameters:
    ///   - session: a live one; `nil` where nobody is signed in.
    ///   - isAtSite: whether the app's own pages stand before it, which raise their sessions by themselves.
    /// - Throws: as with a cookie.
    init(
        _ pending: PendingAuthorization, of session: (session: Session, user: User)?, isAtSite: Bool = false,
        _ call: CallContext, _ tx: any StoreReading, _ random: any RandomSource
    ) throws {
        guard let client = try tx.client(pending.clientID, knownAs: call.client),
            client.directoryID == call.directory.id
        else {
            throw AuthorizationRefusal(.unauthorizedClient, "the client is not registered")
        }
        try AuthorizationRules(client).requireGood(pending.request.redirectURI)
        try AuthorizationRules(client).requireAllowed(pending.request, pending.parameters)
        self.call = call
        self.random = random
        self.client = client
        self.session = session
        let consent = try session.flatMap {
            try tx.consent(of: $0.user.id, to: client.id, in: call.directory.id)
        }
        var judgement = AuthorizationJudgement(
            pending: pending, session: session?.session, consent: consent,
            policy: Self.policy(of: client, backTo: pending.request.redirectURI),
            providers: client.settings.authorization.ways, now: call.now)
        if let session, !isAtSite, judgement.asksForMore,
            try FactorStanding(of: session.user, call.settings, tx).isSet
        {
            judgement.reachable = .aal2
        }
        if let session, !isAtSite {
            judgement.owesTerms = try !AgreementLog.due(of: session.user, call, tx).isEmpty
        }
        self.judgement = judgement
    }

    /// Any program on a user's machine can come in the name of a client that keeps no secret and has its users sent
    /// back to that machine. What was agreed to once is no answer to whoever comes now (RFC 8252, section 8.6).
    private static func policy(of client: Client, backTo uri: String?) -> ClientAuthorization.Consent {
        let policy = client.settings.authorization.consent
        guard policy == .remembered, client.isPublic, let place = uri.flatMap(RedirectURL.init) else { return policy }
        return place.scheme == "https" && !place.isLoopback ? policy : .always
    }

    /// The answer, of a request that is stored nowhere, where nothing is to be stored for it either: most are asked in
    /// a browser that is signed in, and a code is for its bearer to keep. `nil` where ``proceed(isStored:_:)`` must say
    /// what follows.
    func answer() throws -> AuthorizationResponse? {
        guard pending.pushedID == nil else { return nil }
        switch judgement.verdict {
        case .issue(let scopes):
            guard let session else { return nil }
            let (code, request) = code(scopes, in: session)
            return try code.sealed(in: call.directory, random: random).map {
                .code($0, to: request, pending.parameters)
            }
        case .refuse(let code, let description):
            return .error(code, description, to: pending.request, pending.parameters)
        case .signIn, .signUp, .chooseAccount, .secondFactor, .terms, .consent: return nil
        }
    }

    /// What follows. An answer is given once: a code is made and the request completed, or the client is told why not.
    ///
    /// - Parameter isStored: whether the request is kept already; it is now if a page stands before its answer.
    /// - Throws: ``AuthorizationRefusal`` where another call has answered it meanwhile.
    func proceed(isStored: Bool, _ step: FlowStep) throws -> AuthorizationStep {
        let page: AuthorizationStep
        switch judgement.verdict {
        case .issue(let scopes):
            guard let session else { page = .signIn(pending, again: false); break }
            try complete(isStored: isStored, step)
            return .respond(try issue(scopes, in: session, step))
        case .refuse(let code, let description):
            try complete(isStored: isStored, step)
            return .respond(.error(code, description, to: pending.request, pending.parameters))
        case .signIn(let again): page = .signIn(pending, again: again)
        case .signUp: page = .signUp(pending)
        case .chooseAccount: page = session.map { .chooseAccount(pending, $0.user) } ?? .signIn(pending, again: false)
        case .secondFactor:
            page = session.map { .secondFactor(pending, $0.user) } ?? .signIn(pending, again: false)
        case .terms: page = session.map { .terms(pending, $0.user) } ?? .signIn(pending, again: false)
        case .consent(let asked):
            page = session.map { .consent(pending, $0.user, scopes: asked) } ?? .signIn(pending, again: false)
        }
        if !isStored { try step.tx.insert(pending) }
        return page
    }

    /// What the browser's user is asked to agree to now; `nil` where that is not what follows.
    var consentQuestion: (user: User, scopes: [String])? {
        guard case .consent(let asked) = judgement.verdict, let session else { return nil }
        return (session.user, asked)
    }

    private func complete(isStored: Bool, _ step: FlowStep) throws {
        // The pushed request first: two browsers may have visited one.
        if let pushed = pending.pushedID, try !step.tx.complete(pushed, at: step.now) {
            throw AuthorizationRefusal(.completed)
        }
        if isStored, try !step.tx.complete(pending.id, at: step.now) { throw AuthorizationRefusal(.completed) }
    }

    private func issue(
        _ scopes: [String], in session: (session: Session, user: User), _ step: FlowStep
    ) throws -> AuthorizationResponse {
        let (code, request) = code(scopes, in: session)
        if let text = try code.sealed(in: call.directory, random: random) {
            return .code(text, to: request, pending.parameters)
        }
        // Too long for a URL.
        let text = Base64URL.encode(random.bytes(32))
        var stored = code.content
        stored.codeHash = OneTimeToken.hash(link: text)
        try step.tx.insert(stored)
        return .code(text, to: request, pending.parameters)
    }

    private func code(
        _ scopes: [String], in session: (session: Session, user: User)
    ) -> (SealedCode, AuthorizationRequest) {
        var request = pending.request
        request.scopes = scopes
        let lifetime = min(call.settings.oneTime.authorizationCodeLifetime, Self.maximumCodeLifetime)
        let code = SealedCode(
            becoming: random.identifier(at: call.now), request, in: session.session, of: session.user, at: call.now,
            expiresAt: call.now + .seconds(lifetime))
        return (code, request)
    }

    /// FAPI 2.0 Security Profile, section 5.3.2.1: a minute.
    private static let maximumCodeLifetime: Int64 = 60
}
