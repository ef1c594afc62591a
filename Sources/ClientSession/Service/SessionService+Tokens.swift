// SPDX-License-Identifier: Apache-2.0

import AuthTypes

// What a vendor has beyond the features that all have, in the name of whoever is signed in:
// `try await service.withTokens { try await backend.sendVerification($0) }`.
extension SessionService {
    /// Calls a backend with the tokens that are live now; refreshed first where they must be.
    ///
    /// Where the service does not take them, they are renewed once, for all callers, and the call is made once more.
    ///
    /// - Parameter call: gets the tokens for as long as it takes, and keeps none.
    /// - Throws: what `call` throws; what ``accessToken()`` throws; `superseded` where the session ended, or another
    ///   one began, before the call did: then nothing of its result is to be shown.
    public func withTokens<Value: Sendable>(
        _ call: @escaping @Sendable (TokenSet) async throws -> Value
    ) async throws -> Value {
        try await foreign { error in
            try await self.ask { session throws(AuthError) in
                let value = try await Self.own(error) { try await call(session.tokens) }
                // A caller who lets the compiler choose this one loses no tokens by it.
                if let grant = value as? SessionGrant { try await self.take(grant, of: session) }
                guard self.isThere(session) else { throw AuthError(.superseded) }
                return value
            }
        }
    }

    /// The same for a call that may bring new tokens: they take the place of the session's own, and are given back
    /// where it has ended meanwhile. Such calls are made one after the other.
    ///
    /// - Returns: the session's user from then on.
    @discardableResult
    public func withTokens(
        _ call: @escaping @Sendable (TokenSet) async throws -> SessionGrant
    ) async throws -> SessionUser {
        try await foreign { error in
            try await self.inTurn { session throws(AuthError) in
                let grant = try await Self.own(error) { try await call(session.tokens) }
                return try await self.take(grant, of: session)
            }
        }
    }

    // MARK: The session of a call

    struct CalledSession: Sendable {
        let family: String
        let subject: String
        let tokens: TokenSet
        let given: GivenToken
    }

    /// One operation after the other: each begins with the tokens that the one before has left.
    ///
    /// - Parameters:
    ///   - isBrief: whether no user takes their time within it. Then no other process renews the session meanwhile,
    ///     since what it has by then may be worth nothing once this is answered; and it comes to its end when its
    ///     caller is cancelled: an answer that nobody hears would leave the device with tokens that the service has
    ///     ended.
    func inTurn<Value: Sendable>(
        isBrief: Bool = false,
        _ call: @escaping @Sendable (CalledSession) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        let outcome: Result<Value, AuthError>
        // Who asked for it, and not who is there when its turn comes.
        let caller = subject
        do {
            outcome = try await operations.take { [self] in
                do throws(AuthError) {
                    return .success(
                        try await ask(of: caller) { session throws(AuthError) in
                            guard isBrief else { return try await self.answered { try await call(session) } }
                            // The lock before the turn: a refresh that holds it and is refused waits for the turn.
                            return try await self.withStoreLock { () throws(AuthError) in
                                guard let present = self.present(session) else { throw AuthError(.superseded) }
                                return try await self.answered { try await call(present) }
                            }
                        })
                } catch { return .failure(error) }
            }
        } catch { throw AuthError(.cancelled) }
        return try outcome.get()
    }

    /// A refresh that is refused meanwhile waits for what this brings.
    private func answered<Value: Sendable>(_ call: () async throws -> Value) async throws(AuthError) -> Value {
        do { return try await answers.take(call) } catch let error as AuthError { throw error } catch {
            throw AuthError(.cancelled)
        }
    }

    /// Within the lock that a refresh holds too. A store that gives none holds up nobody. Who is cancelled before the
    /// lock is theirs has done nothing; after that it is done to its end.
    private func withStoreLock<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        let outcome = Guarded<Result<Value, AuthError>?>(nil)
        try? await store.store.exclusively(.session) {
            let result = await Self.toItsEnd(body)
            outcome.withLock { $0 = result }
        }
        if let outcome = outcome.value { return try outcome.get() }
        guard !Task.isCancelled else { throw AuthError(.cancelled) }
        return try await Self.toItsEnd(body).get()
    }

    /// In a task of its own, which nobody cancels.
    static func toItsEnd<Value: Sendable>(
        _ body: @escaping @Sendable () async throws(AuthError) -> Value
    ) async -> Result<Value, AuthError> {
        await Task { () -> Result<Value, AuthError> in
            do throws(AuthError) { return .success(try await body()) } catch { return .failure(error) }
        }.value
    }

    /// The same session with the tokens that it has now. `nil` where it is over.
    private func present(_ session: CalledSession) -> CalledSession? {
        let present = core.withLock { Self.called($0) }
        return present?.family == session.family ? present : nil
    }

    /// Whose session is there now; `nil` where none is, or nobody knows yet.
    private var subject: String? { core.withLock { $0.machine.phase.session?.user.subject } }

    /// Calls with live tokens, and once more with new ones where the service refuses these.
    ///
    /// - Parameter caller: whose call it is, where that was settled before; else who is there now.
    /// - Throws: `superseded` where another user is there once there are live tokens.
    func ask<Value: Sendable>(
        of caller: String? = nil, again isRefusal: (AuthErrorCode) -> Bool = \.refusesToken,
        _ call: @Sendable (CalledSession) async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        let caller = caller ?? subject
        var session = try await calledSession()
        guard caller == nil || Subject.isSame(caller, session.subject) else { throw AuthError(.superseded) }
        do throws(AuthError) { return try await call(session) } catch {
            guard isRefusal(error.code) else { throw error }
            // Only a refresh tells what that means.
            _ = try await givenToken(insteadOf: session.given)
            let family = session.family
            session = try await calledSession()
            guard session.family == family else { throw AuthError(.superseded) }
            return try await call(session)
        }
    }

    private func calledSession() async throws(AuthError) -> CalledSession {
        _ = try await givenToken()
        guard let session = core.withLock({ Self.called($0) }) else { throw AuthError(.notSignedIn) }
        return session
    }

    private static func called(_ core: SessionCore) -> CalledSession? {
        guard let session = core.machine.phase.session, let stamp = core.machine.stamp else { return nil }
        let given = GivenToken(token: session.tokens.accessToken, stamp: stamp, subject: session.user.subject)
        return CalledSession(
            family: session.kept.family, subject: session.user.subject, tokens: session.tokens, given: given)
    }

    func isThere(_ session: CalledSession) -> Bool {
        core.withLock { $0.machine.phase.session?.kept.family == session.family }
    }

    /// - Throws: `reauthentication_invalid` for another user's tokens, which are given back to the service.
    @discardableResult
    func take(_ grant: SessionGrant, of session: CalledSession) async throws(AuthError) -> SessionUser {
        if let user = grant.user, !user.subject.utf8.elementsEqual(session.subject.utf8) {
            revoke(grant.tokens, .local)
            throw AuthError(.reauthenticationInvalid, reason: "somebody else signed in")
        }
        await settle { core in
            var grant = grant
            // Services that give no new tokens are heard with those that were shown to them: what has taken their place
            // meanwhile stays.
            if grant.tokens.areSame(as: session.tokens), let present = Self.called(core),
                present.family == session.family
            {
                let attachments = grant.tokens.attachments
                let isMarked = attachments.reveal() != session.tokens.attachments.reveal()
                grant.tokens = present.tokens
                if isMarked { grant.tokens.attachments = attachments }
            }
            return .sessionReplaced(family: session.family, grant)
        }
        let user = core.withLock { core in
            let present = core.machine.phase.session
            return present?.kept.family == session.family ? present?.user : nil
        }
        guard let user else {
            giveBack(grant, of: session.family, session.subject)
            throw AuthError(.superseded)
        }
        return user
    }

    // MARK: Errors of others

    /// Carries an error that is none of the library's past what throws only those.
    private func foreign<Value: Sendable>(
        _ body: (Guarded<(any Error)?>) async throws -> Value
    ) async throws -> Value {
        let error = Guarded<(any Error)?>(nil)
        do { return try await body(error) } catch let own as AuthError {
            throw error.value ?? own
        }
    }

    private static func own<Value: Sendable>(
        _ error: Guarded<(any Error)?>, _ call: () async throws -> Value
    ) async throws(AuthError) -> Value {
        do { return try await call() } catch let own as AuthError { throw own } catch let other {
            error.withLock { $0 = other }
            throw AuthError(.internalFailure, reason: "an error of the caller's own")
        }
    }
}

extension AuthErrorCode {
    /// Whether a service that answers an operation with it has not taken the token, and done nothing.
    var refusesToken: Bool {
        [.tokenInvalid, .tokenExpired, .tokensRevoked, .sessionNotFound, .sessionExpired].contains(self)
    }
}
