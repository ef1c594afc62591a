// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Ends sessions, and lets the clients know that were given some in a browser's (OpenID Connect Back-Channel Logout
/// 1.0, section 2.3): in the transaction that ends them, so that no path forgets to. Whoever ends a session does it
/// here; `scripts/lint` looks for others.
struct SessionEnding {
    private let step: FlowStep

    init(_ step: FlowStep) {
        self.step = step
    }

    func session(_ id: SessionID) throws -> Session? { try step.tx.session(id, in: step.directory) }

    /// Ends a session, and those that clients were given in it but the offline ones. All of those clients are told.
    ///
    /// - Returns: whether it was live until now.
    @discardableResult
    func end(_ id: SessionID, because reason: SessionRevocation) throws -> Bool {
        let children = try step.tx.sessions(under: id, in: step.directory)
        guard try step.tx.revoke(id, in: step.directory, because: reason, at: step.now) else { return false }
        try tell(children)
        return true
    }

    /// Ends every session of the user, offline ones too, but what is spared (``SessionWriting``). Where they end since
    /// somebody else may have had one, a device that was remembered spares nobody a factor until one is shown on it
    /// anew.
    ///
    /// - Parameter level: where not `nil`, those at less alone.
    /// - Returns: how many there were.
    @discardableResult
    func endAll(
        of user: UserID, below level: AssuranceLevel? = nil, except spared: SessionID? = nil,
        because reason: SessionRevocation
    ) throws -> Int {
        // Mostly there is none.
        if let level, try !step.tx.hasSession(of: user, below: level, in: step.directory, except: spared) { return 0 }
        let children = try step.tx.clientSessions(of: user, in: step.directory)
        if level == nil, reason.doubtsDevices {
            try step.lowerDevices(
                of: user, except: try spared.flatMap { try session($0) }?.rememberedDevice)
        }
        let count =
            if let level {
                try step.tx.revokeSessions(
                    of: user, below: level, in: step.directory, except: spared, because: reason, at: step.now)
            } else {
                try step.tx.revokeSessions(
                    of: user, in: step.directory, except: spared, because: reason, at: step.now)
            }
        guard !children.isEmpty else { return count }
        let left = Set(try step.tx.clientSessions(of: user, in: step.directory).map(\.id))
        try tell(children.filter { !left.contains($0.id) })
        return count
    }

    /// Ends all that the user's client was given. It is told of nothing but what it finds out: that its tokens are
    /// gone.
    ///
    /// - Returns: how many there were.
    func endAll(of user: UserID, client: ClientID, because reason: SessionRevocation) throws -> Int {
        try step.tx.revokeSessions(of: user, client: client, in: step.directory, because: reason, at: step.now)
    }

    /// Each client once for each session of a browser's.
    private func tell(_ children: [Session]) throws {
        var told: Set<ClientLogout> = []
        for child in children {
            guard let client = child.clientID, let parent = child.parentID else { continue }
            let logout = ClientLogout(client: client, user: child.userID, session: parent)
            guard told.insert(logout).inserted,
                try step.tx.client(client)?.settings.authorization.backchannelLogoutURI != nil
            else { continue }
            try step.tx.enqueue(
                OutboxMessage(
                    id: step.identifier(), directoryID: step.directory, content: .clientLogout(logout), dueAt: step.now,
                    createdAt: step.now))
        }
    }
}

extension SessionRevocation {
    /// Whether what ended the sessions says as much of the devices that they were on.
    fileprivate var doubtsDevices: Bool {
        switch self {
        case .signedOut, .passwordChanged, .banned, .administrator, .identityRevoked: true
        // One session takes another's place, or there is nobody left whose device it could be.
        case .replaced, .replay, .deleted, .consentRevoked, .restored: false
        }
    }
}
