// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import SRP

/// The devices that keep a secret for a user (ADR 0072): confirmed by the session that is on them, looked at,
/// remembered or not, forgotten, by their user and by operators.
public struct UserDevices: Sendable {
    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Whose devices it is about, and by what right.
    public enum Owner: Sendable {
        case caller(AuthenticatedUser)
        case user(UserID)
    }

    /// The device that the caller's session has begun on has made a secret. Where the user has as many as they may, the
    /// one that was used the longest ago is forgotten.
    ///
    /// - Parameters:
    ///   - verifier: of the secret: a number of the group, with a salt of ``AccountModel/RememberedDevice/saltLengths``
    ///     octets.
    ///   - name: at most ``AccountModel/RememberedDevice/mostOfName`` characters.
    /// - Throws: ``AuthErrorCode/deviceNotFound`` for another device than the session's; ``AuthErrorCode/conflict``
    ///   with the field `device` for one that is confirmed; ``AuthErrorCode/invalidRequest`` with the field `verifier`,
    ///   `salt` or `name`; what a session that has ended throws.
    public func confirm(
        _ id: RememberedDeviceID, _ verifier: SRPVerifier, named name: String?, of authenticated: AuthenticatedUser,
        call: CallContext
    ) async throws -> RememberedDevice {
        guard RememberedDevice.saltLengths.contains(verifier.salt.count) else {
            throw AuthError(.invalidRequest, field: "salt")
        }
        guard SRPServer.accepts(clientPublic: verifier.verifier.reveal()) else {
            throw AuthError(.invalidRequest, reason: "not a number of the group", field: "verifier")
        }
        guard name?.unicodeScalars.count ?? 0 <= RememberedDevice.mostOfName else {
            throw AuthError(.invalidRequest, field: "name")
        }
        return try await ports.write(call) { step in
            let user = try authenticated.usable(call, step.tx)
            guard let session = try authenticated.session.flatMap({ try step.tx.session($0.id, in: step.directory) }),
                session.rememberedDevice == id
            else { throw AuthError(.deviceNotFound) }
            guard try step.tx.rememberedDevice(id, in: step.directory) == nil else {
                throw AuthError(.conflict, field: "device")
            }
            try Self.makeRoom(for: user, step)
            // A token of before a factor was shown in the session may be in other hands.
            let isSure = try AssuranceRule.isMet(by: authenticated, call, step.tx)
            let device = RememberedDevice(
                id: id, directoryID: step.directory, userID: user.id, verifier: verifier,
                isRemembered: step.settings.devices.rememberUnasked, assurance: isSure ? session.assurance : .aal1,
                name: name,
                truncatedAddress: call.device.truncatedAddress, createdAt: step.now)
            try step.tx.insert(device)
            try step.record(.deviceConfirmed, user, details: ["device": .string(id.rawValue)])
            return device
        }
    }

    private static func makeRoom(for user: User, _ step: FlowStep) throws {
        let known = try step.tx.rememberedDevices(of: user.id, in: step.directory)
        guard known.count >= RememberedDevice.mostOfUser, let oldest = known.min(by: { $0.lastUsedAt < $1.lastUsedAt })
        else { return }
        try forget(oldest, of: user, sparing: nil, step)
    }

    /// In the order of their identifiers.
    ///
    /// - Throws: ``AuthErrorCode/userNotFound``, ``AuthErrorCode/forbidden``; what a session that has ended throws.
    public func list(of owner: Owner, call: CallContext) async throws -> [RememberedDevice] {
        try await ports.store.read { tx in
            try tx.rememberedDevices(of: try Self.user(owner, call, tx).id, in: call.directory.id)
        }
    }

    /// - Throws: ``AuthErrorCode/deviceNotFound``, also for another user's; and as ``list(of:call:)``.
    public func get(_ id: RememberedDeviceID, of owner: Owner, call: CallContext) async throws -> RememberedDevice {
        try await ports.store.read { tx in try tx.rememberedDevice(id, of: try Self.user(owner, call, tx)) }
    }

    /// Whether a device is asked for its secret from now on. It is worth as much as the session on it that says so.
    ///
    /// - Throws: as ``get(_:of:call:)``; ``AuthErrorCode/insufficientAssurance`` for a user who has a second factor and
    ///   has not shown it, where it is to be remembered.
    public func remember(
        _ id: RememberedDeviceID, _ isRemembered: Bool, of owner: Owner, call: CallContext
    ) async throws {
        try await ports.write(call) { step in
            let user = try Self.user(owner, call, step.tx)
            var device = try step.tx.rememberedDevice(id, of: user)
            if isRemembered, case .caller(let authenticated) = owner {
                try AssuranceRule(step).require(authenticated)
                if let session = try authenticated.session.flatMap({ try step.tx.session($0.id, in: step.directory) }),
                    session.rememberedDevice == id
                {
                    device.assurance = max(device.assurance, session.assurance)
                }
            }
            device.isRemembered = isRemembered
            device.updatedAt = step.now
            try step.tx.update(device)
            try step.record(
                .deviceChanged, user,
                details: ["device": .string(id.rawValue), "remembered": .bool(isRemembered)])
        }
    }

    /// Forgets a device, and ends the sessions on it. The caller's own goes on, and is on no device afterwards.
    ///
    /// - Throws: as ``get(_:of:call:)``.
    public func forget(_ id: RememberedDeviceID, of owner: Owner, call: CallContext) async throws {
        try await ports.write(call) { step in
            let user = try Self.user(owner, call, step.tx)
            let device = try step.tx.rememberedDevice(id, of: user)
            var own: SessionID?
            if case .caller(let authenticated) = owner { own = authenticated.session?.id }
            try Self.forget(device, of: user, sparing: own, step)
        }
    }

    private static func forget(
        _ device: RememberedDevice, of user: User, sparing own: SessionID?, _ step: FlowStep
    ) throws {
        _ = try step.tx.deleteRememberedDevice(device.id, in: step.directory)
        for session in try step.tx.sessions(of: user.id, in: step.directory) where session.rememberedDevice == device.id
        {
            guard session.id == own else {
                try SessionEnding(step).end(session.id, because: .signedOut)
                continue
            }
            var moved = session
            moved.rememberedDevice = nil
            guard try step.tx.advance(moved, from: session.family.generation) else {
                throw StoreConflict.stale("session")
            }
        }
        try step.record(.deviceForgotten, user, details: ["device": .string(device.id.rawValue)])
    }

    private static func user(_ owner: Owner, _ call: CallContext, _ tx: any StoreReading) throws -> User {
        switch owner {
        case .caller(let authenticated): return try authenticated.usable(call, tx)
        case .user(let id):
            try call.requireAdministrator()
            return try tx.liveUser(id, in: call.directory.id)
        }
    }
}
