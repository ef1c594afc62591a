// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// An attempt at an authorization code, and what is to be said of it by what the store says. To judge it has no effect.
struct CodeRedemption: Sendable {
    enum Verdict {
        /// Used up before: whatever it became is to end.
        case replayed
        /// - Parameter usesUp: whether the attempt leaves nothing of the code.
        case refused(AuthErrorCode, usesUp: Bool)
        /// - Parameters:
        ///   - request: what is given of what the code was asked for.
        ///   - browser: the session that it was asked for in, which lives; `nil` where it was in none.
        case good(AuthorizationRequest, User, browser: Session?)
    }

    let code: String
    let verifier: String?
    let redirectURI: String?
    let dpopKey: String?
    let terms: ExchangeCode.Terms
    let call: CallContext

    /// What the code stands for; `nil` where that is nothing.
    func presented(in tx: any StoreReading) throws -> PresentedCode? { try PresentedCode(code, call, tx) }

    func verdict(on presented: PresentedCode, in tx: any StoreReading) throws -> Verdict {
        let known = presented.code
        if known.usedAt != nil { return .replayed }
        guard known.expiresAt > call.now else { return .refused(.flowStateExpired, usesUp: false) }
        guard known.request.isOf(client: call.client?.id, redirectURI: place(in: known.request)),
            terms.resources.allSatisfy(known.request.resources.containsOctets)
        else { return .refused(.flowStateNotFound, usesUp: true) }
        guard known.request.isMet(by: verifier), known.request.dpopKey.map({ $0 == dpopKey }) ?? true else {
            return .refused(.codeVerifierMismatch, usesUp: true)
        }
        let browser = try known.parentID.flatMap { try tx.session($0, in: call.directory.id) }
        guard let user = try tx.user(known.userID, in: call.directory.id), user.deletedAt == nil,
            !presented.isEnded(for: user),
            known.parentID == nil || browser.map({ $0.revokedAt == nil && !$0.hasEnded(call) }) ?? false
        else { return .refused(.flowStateNotFound, usesUp: false) }
        guard let request = held(known.request) else { return .refused(.flowStateNotFound, usesUp: true) }
        return .good(request, user, browser: browser)
    }

    /// What the code's session goes on by: no more than the browser's shows by now, where it was given in one. A factor
    /// may have gone since.
    static func proof(of code: AuthorizationCode, in browser: Session?) -> SignInProof {
        var proof = SignInProof(methods: code.methods, assurance: code.assurance)
        guard let browser, browser.assurance < proof.assurance else { return proof }
        proof.methods.removeAll { method in
            method.name.isSecondFactor && !browser.methods.contains { $0.isSame(as: method) }
        }
        proof.assurance = browser.assurance
        return proof
    }

    /// What the client is given.
    func grant(of request: AuthorizationRequest) -> ClientGrant {
        let isPublic = call.client?.authenticates(by: .publicClient) ?? true
        return ClientGrant(
            scopes: request.scopes, resources: request.resources, claims: request.claims,
            isOffline: terms.isOffline || request.scopes.contains(ClientGrant.offlineAccess),
            dpopKey: isPublic ? dpopKey : nil)
    }

    /// The session that a code becomes which nothing speaks against, before it is kept; `nil` where only the
    /// transaction that keeps it can say what follows.
    func prospect(in tx: any StoreReading, _ random: any RandomSource) throws -> ProspectiveSession? {
        guard let presented = try presented(in: tx), let id = presented.session,
            case .good(let request, let user, browser: .some(let browser)) = try verdict(on: presented, in: tx),
            call.refusal(of: user) == nil
        else { return nil }
        let proof = Self.proof(of: presented.code, in: browser)
        let (session, live) = SessionIssuer.drawn(
            grant(of: request), as: id, under: browser, proof, of: user, call, random)
        var issued = try IssuedSession(
            user, try LocalIdentities.shown(of: user, call, tx), session, live, .signedIn, call, tx)
        issued.request = request
        return ProspectiveSession(code: presented, browser: browser, issued: issued)
    }

    /// What an operator has taken from the client since the user was asked is not given; `nil` where nothing is left.
    private func held(_ request: AuthorizationRequest) -> AuthorizationRequest? {
        guard let registered = call.client?.settings.authorization else { return request }
        let asked = ClientGrant(scopes: request.scopes, resources: terms.bindsResources ? [] : request.resources)
        guard let grant = registered.held(asked) else { return nil }
        var held = request
        held.scopes = grant.scopes
        if !terms.bindsResources { held.resources = grant.resources }
        return held
    }

    private func place(in request: AuthorizationRequest) -> String? {
        redirectURI == nil && terms.mayOmitRedirectURI && request.challenge != nil ? request.redirectURI : redirectURI
    }
}

/// A session that a code is about to become.
struct ProspectiveSession: Sendable {
    let code: PresentedCode
    /// The one that the code was given in.
    let browser: Session
    let issued: IssuedSession

    /// Keeps it, where what was judged still holds.
    ///
    /// - Returns: whether it did.
    func keep(_ step: FlowStep) throws -> Bool {
        let standing = SessionStanding(userVersion: issued.user.version, endedCodes: issued.user.endedCodes)
        guard try step.tx.standing(of: browser.id, in: step.directory) == standing, try code.isUnused(in: step.tx)
        else { return false }
        // A factor that goes lowers the browser's session and leaves its standing.
        if issued.session.assurance > .aal1 {
            let level = try step.tx.session(browser.id, in: step.directory)?.assurance ?? .aal1
            guard level >= issued.session.assurance else { return false }
        }
        try SessionIssuer(step).keep(issued.session, under: browser, of: issued.user)
        return true
    }
}
