// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A user's own sessions: to look at, and to end (G-6).
public struct SessionList: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Those that live, the last active first.
    public func list(_ authenticated: AuthenticatedUser, call: CallContext) async throws -> [Session] {
        let user = authenticated.user
        return try await ports.store.read { tx in
            try tx.sessions(of: user.id, in: user.directoryID).filter { !$0.hasEnded(call) }
        }
    }

    /// One line of the list.
    public struct Entry: Sendable {
        public var session: Session
        /// Whether the caller's own call came in it.
        public var isCurrent: Bool
        /// What the app is called that the session was opened through; `nil` where it is not registered.
        public var app: String?
        /// Whether it is on a device that is asked for its secret at the next sign-in (``UserDevices``).
        public var isOnRememberedDevice: Bool
    }

    public struct Page: Sendable {
        public var entries: [Entry]
        /// Where the next page starts; `nil` for the last.
        public var next: SessionPosition?
    }

    public static let maximumLimit = 100

    /// Those that live, whoever signed in last first: no use of a session moves it from one page to another. A page may
    /// be short, or empty, although another follows.
    ///
    /// - Parameter limit: 1 to ``maximumLimit``.
    /// - Throws: ``AuthErrorCode/invalidRequest`` with the field `limit`.
    public func page(
        of authenticated: AuthenticatedUser, after position: SessionPosition? = nil, limit: Int, call: CallContext
    ) async throws -> Page {
        guard (1...Self.maximumLimit).contains(limit) else { throw AuthError(.invalidRequest, field: "limit") }
        let user = authenticated.user
        return try await ports.store.read { tx in
            let found = try tx.sessions(of: user.id, in: user.directoryID, after: position, limit: limit + 1)
            let shown = found.prefix(limit)
            var apps: [ClientID: String] = [:]
            for id in Set(shown.compactMap(\.clientID)) { apps[id] = try tx.client(id)?.name }
            let remembered = try Self.remembered(shown, of: user, tx)
            return Page(
                entries: shown.filter { !$0.hasEnded(call) }.map { session in
                    Entry(
                        session: session, isCurrent: session.id == authenticated.session?.id,
                        app: session.clientID.flatMap { apps[$0] },
                        isOnRememberedDevice: session.rememberedDevice.map(remembered.contains) ?? false)
                },
                next: found.count > limit
                    ? shown.last.map { SessionPosition(createdAt: $0.createdAt, id: $0.id) } : nil)
        }
    }

    /// Those of the sessions' devices that are remembered: what is only known of is asked for nothing.
    private static func remembered(
        _ sessions: some Sequence<Session>, of user: User, _ tx: any RememberedDeviceReading
    ) throws -> Set<RememberedDeviceID> {
        guard sessions.contains(where: { $0.rememberedDevice != nil }) else { return [] }
        return Set(try tx.rememberedDevices(of: user.id, in: user.directoryID).filter(\.isRemembered).map(\.id))
    }

    /// Ends all of the user's sessions but the one that the call came in.
    ///
    /// - Returns: how many there were.
    /// - Throws: ``AuthErrorCode/sessionNotFound`` for a call that came in none: there are no others.
    public func revokeOthers(of authenticated: AuthenticatedUser, call: CallContext) async throws -> Int {
        guard let current = authenticated.session else { throw AuthError(.sessionNotFound) }
        return try await ports.write(call) { step in
            let count = try SessionEnding(step).endAll(
                of: authenticated.user.id, except: current.id, because: .signedOut)
            try step.record(
                .sessionRevoked, authenticated.user,
                details: ["sessions": .integer(Int64(count)), "kept": .string(current.id.rawValue)])
            return count
        }
    }

    /// Ends one of the user's own sessions.
    ///
    /// - Throws: ``AuthErrorCode/sessionNotFound``, also for another user's session.
    public func revoke(_ id: SessionID, of authenticated: AuthenticatedUser, call: CallContext) async throws {
        let user = authenticated.user
        try await ports.write(call) { step in
            guard let session = try step.tx.session(id, in: user.directoryID), session.userID == user.id,
                try SessionEnding(step).end(id, because: .signedOut)
            else { throw AuthError(.sessionNotFound) }
            try step.record(.sessionRevoked, user, details: ["session": .string(id.rawValue)])
        }
    }
}
