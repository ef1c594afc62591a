// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Takes up a client's request for a code (RFC 6749, section 4.1.1; OpenID Connect Core, section 3.1.2.1). The call's
/// client is the one that the request names.
public struct BeginAuthorization: Sendable {
    /// How long pages may take.
    static let lifetime = TimeSpan.minutes(30)
    /// How long a pushed request waits for its first visit (RFC 9126, section 2.2).
    public static let pushedLifetime = TimeSpan.seconds(90)

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Keeps a request, to be gone on with by ``ContinueAuthorization``, or one that the client pushes, to be visited.
    ///
    /// - Parameters:
    ///   - browser: whose cookie will be asked for; `nil` for a pushed request.
    ///   - signed: whether it came signed by the client (RFC 9101).
    /// - Throws: ``AuthorizationRefusal``.
    public func callAsFunction(
        _ request: AuthorizationRequest, _ parameters: AuthorizationParameters, browser: BrowserID?,
        pushed: Bool = false, signed: Bool = false, call: CallContext
    ) async throws -> PendingAuthorization {
        let pending = try pending(
            request, parameters, browser: pushed ? nil : browser, isPushed: pushed, isSigned: signed, call: call)
        try await ports.writeBriefly(call) { try $0.tx.insert(pending) }
        return pending
    }

    /// Keeps a request that a page of the app's own stands before, in which its users are signed in: nobody's, until
    /// somebody looks at it there (``SiteAuthorization``). Its `resource` opens nothing, and the exchange must name the
    /// same.
    ///
    /// - Parameter lifetime: how long that page may take.
    /// - Throws: ``AuthorizationRefusal``.
    public func forSite(
        _ request: AuthorizationRequest, _ parameters: AuthorizationParameters, lifetime: TimeSpan, call: CallContext
    ) async throws -> PendingAuthorization {
        var pending = try pending(
            request, parameters, browser: nil, isPushed: false, bindsResources: true, call: call)
        pending.expiresAt = call.now + lifetime
        let kept = pending
        try await ports.writeBriefly(call) { try $0.tx.insert(kept) }
        return kept
    }

    /// Takes a request up and says what follows, in one transaction. Nothing is kept of one that is answered at once,
    /// and where its answer needs nothing either, nothing is written at all.
    ///
    /// - Parameters:
    ///   - signed: whether it came signed by the client (RFC 9101).
    ///   - session: the cookie of the browser's session.
    /// - Throws: ``AuthorizationRefusal``.
    public func step(
        _ request: AuthorizationRequest, _ parameters: AuthorizationParameters, signed: Bool = false,
        browser: BrowserID, session: Secret<String>?, call: CallContext
    ) async throws -> AuthorizationStep {
        let pending = try pending(
            request, parameters, browser: browser, isPushed: false, isSigned: signed, call: call)
        if let session {
            let answer = try await ports.store.read { [random = ports.random] tx -> AuthorizationResponse? in
                // That a session is in use is written down now and then.
                guard let holder = try BrowserSessions.kept(session, call, tx) else { return nil }
                return try OpenAuthorization(pending, of: holder, call, tx, random).answer()
            }
            if let answer { return .respond(answer) }
        }
        return try await ports.writeBriefly(call) { step in
            try OpenAuthorization(pending, session: session, step).proceed(isStored: false, step)
        }
    }

    /// The same with a request that the client has pushed. A visit does not use it up, an answer does.
    ///
    /// - Throws: ``AuthorizationRefusal``, also for one that another client pushed.
    public func visit(
        _ pushed: PendingAuthorizationID, browser: BrowserID, session: Secret<String>?, call: CallContext
    ) async throws -> AuthorizationStep {
        try await ports.writeBriefly(call) { step in
            guard let origin = try step.tx.pendingAuthorization(pushed), origin.isPushed,
                origin.directoryID == step.directory, origin.clientID == call.client?.id
            else { throw AuthorizationRefusal(.unknown) }
            if origin.completedAt != nil { throw AuthorizationRefusal(.completed) }
            guard origin.expiresAt > step.now else { throw AuthorizationRefusal(.expired) }
            let visit = PendingAuthorization(
                id: Self.identifier(ports.random), directoryID: origin.directoryID, clientID: origin.clientID,
                request: origin.request, parameters: origin.parameters, pushedID: origin.id, browser: browser.hash,
                createdAt: step.now, expiresAt: step.now + Self.lifetime)
            return try OpenAuthorization(visit, session: session, step).proceed(isStored: false, step)
        }
    }

    private func pending(
        _ request: AuthorizationRequest, _ parameters: AuthorizationParameters, browser: BrowserID?, isPushed: Bool,
        isSigned: Bool = false, bindsResources: Bool = false, call: CallContext
    ) throws(AuthorizationRefusal) -> PendingAuthorization {
        guard let client = call.client, client.directoryID == call.directory.id else {
            throw AuthorizationRefusal(.unauthorizedClient, "the client is not registered")
        }
        let rules = AuthorizationRules(client)
        try rules.requireGood(request.redirectURI)
        try rules.requireAllowed(request, parameters)
        var request = request
        request.clientID = client.id
        request = try rules.checked(
            request, parameters, isPushed: isPushed, isSigned: isSigned, bindsResources: bindsResources)
        return PendingAuthorization(
            id: Self.identifier(ports.random), directoryID: call.directory.id, clientID: client.id, request: request,
            parameters: parameters, isPushed: isPushed, browser: browser?.hash, createdAt: call.now,
            expiresAt: call.now + (isPushed ? Self.pushedLifetime : Self.lifetime))
    }

    /// 192 random bits, of which nothing says when it was made.
    private static func identifier(_ random: any RandomSource) -> PendingAuthorizationID {
        PendingAuthorizationID(Base64URL.encode(random.bytes(24)))
    }
}
