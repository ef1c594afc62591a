// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// The sessions of browsers with the server itself (ADR 0036). They are opened by any sign-in of a call that is
/// ``CallContext/inBrowser``, and listed, revoked and ended as every other session is.
public struct BrowserSessions: Sendable {
    /// A session that has ended, and which clients had been given sessions in it.
    public struct Ended: Sendable {
        public var session: BrowserSession
        /// Each once, those with offline sessions too.
        public var clients: [ClientID]
    }

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// The session of a browser's cookie; `nil` for none, for one that has ended, and for a text that is none.
    public func find(_ cookie: Secret<String>?, call: CallContext) async throws -> BrowserSession? {
        let call = call.inBrowser
        guard let token = Self.token(cookie, call) else { return nil }
        // Mostly nothing is to be written: that it is in use was noted a moment ago.
        if let issued = try await ports.store.read({ try SessionIssuer.renewal(of: token, call: call, in: $0) }) {
            return BrowserSession(issued)
        }
        return try await ports.writeBriefly(call) { try Self.session(cookie, $0) }
    }

    /// Takes over a session that a sign-in has just opened in a browser that may have had one.
    ///
    /// Where it is the same user's, the former goes on with the new proof, for as long as a session that begins with
    /// it: what clients were given in it stays, and the name that they know it by (`sid`). Its cookie is another:
    /// whoever had the former one has proved nothing. Another user's ends, with all that clients were given in it.
    ///
    /// - Parameters:
    ///   - issued: opened by a call that was ``CallContext/inBrowser``.
    ///   - former: the cookie that the browser came with.
    /// - Returns: the browser's session from now on, with what its cookie is to hold.
    public func begin(
        _ issued: IssuedSession, over former: Secret<String>?, call: CallContext
    ) async throws -> BrowserSession {
        guard Self.token(former, call.inBrowser) != nil else { return BrowserSession(issued) }
        return try await ports.writeBriefly(call.inBrowser) { step in
            guard var known = try Self.session(former, step), known.session.id != issued.session.id else {
                return BrowserSession(issued)
            }
            guard known.user.id == issued.user.id else {
                try SessionEnding(step).end(known.session.id, because: .replaced)
                return BrowserSession(issued)
            }
            // As it is by now: a factor that it was opened by may have gone, or all of the user's sessions.
            guard let opened = try step.tx.session(issued.session.id, in: step.directory), opened.revokedAt == nil
            else { return BrowserSession(issued) }
            let before = known.session.family.generation
            let live = known.session.family.restart(
                for: known.session.id, secret: step.random.bytes(RefreshToken.secretLength), at: step.now)
            known.cookie = Secret(live.encoded(in: call.directory, for: .browser))
            known.session.methods = opened.methods
            known.session.assurance = opened.assurance
            // Its time begins with the proof: whoever signs in anew when it is nearly over is not asked again soon
            // after.
            known.session.createdAt = opened.createdAt
            known.session.notAfter = opened.notAfter
            known.session.lastActiveAt = step.now.orLater(known.session.lastActiveAt)
            guard try step.tx.restart(known.session, from: before) else {
                throw StoreConflict.stale("session")
            }
            try SessionEnding(step).end(issued.session.id, because: .replaced)
            known.user = issued.user
            return known
        }
    }

    /// Signs the browser out: its session ends, and what clients were given in it but offline.
    ///
    /// - Returns: `nil` where there was no live one.
    public func end(_ cookie: Secret<String>?, call: CallContext) async throws -> Ended? {
        let call = call.inBrowser
        guard Self.token(cookie, call) != nil else { return nil }
        return try await ports.writeBriefly(call) { step in
            guard let known = try Self.session(cookie, step) else { return nil }
            let children = try step.tx.sessions(under: known.session.id, in: step.directory)
            guard try SessionEnding(step).end(known.session.id, because: .signedOut) else { return nil }
            try step.record(
                .signedOut, known.user,
                details: ["scope": "local", "session": .string(known.session.id.rawValue)])
            var seen: Set<ClientID> = []
            return Ended(
                session: known, clients: children.compactMap(\.clientID).filter { seen.insert($0).inserted })
        }
    }

    /// Judges a cookie within a transaction, as the path of a refresh does (``SessionIssuer/renew(_:)``).
    static func session(_ cookie: Secret<String>?, _ step: FlowStep) throws -> BrowserSession? {
        let call = step.call.inBrowser
        guard let token = token(cookie, call) else { return nil }
        if let issued = try SessionIssuer.renewal(of: token, call: call, in: step.tx) { return BrowserSession(issued) }
        // A cookie of before the user's latest proof is dead, and no sign of theft: another tab may have sent it
        // meanwhile.
        guard let known = try step.tx.session(token.session, in: step.directory),
            known.family.generation == token.generation
        else { return nil }
        switch try SessionIssuer(step.with(call)).renew(token) {
        case .issued(let issued): return BrowserSession(issued)
        case .refused: return nil
        }
    }

    /// Whose the browser is, as ``session(_:_:)`` judges it, for whoever needs no more of it.
    static func holder(of cookie: Secret<String>?, _ step: FlowStep) throws -> (session: Session, user: User)? {
        if let kept = try kept(cookie, step.call, step.tx) { return kept }
        return try session(cookie, step).map { ($0.session, $0.user) }
    }

    /// As ``holder(of:_:)``, where there is nothing to keep of it; `nil` where only that can say.
    static func kept(
        _ cookie: Secret<String>?, _ call: CallContext, _ tx: any StoreReading
    ) throws -> (session: Session, user: User)? {
        let call = call.inBrowser
        guard let token = token(cookie, call) else { return nil }
        return try SessionIssuer.kept(token, call: call, in: tx).map { ($0.session, $0.user) }
    }

    private static func token(_ cookie: Secret<String>?, _ call: CallContext) -> RefreshToken? {
        cookie.flatMap { RefreshToken($0.reveal(), in: call) }
    }
}
