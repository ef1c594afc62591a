// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What wrong passwords have locked, as an operator sees it. Of a name that nobody has it says nothing but that there
/// is such a lock: what strangers have tried is no list to be kept.
public struct LockedIdentifier: Sendable, Hashable {
    /// Opaque: what it is lifted by.
    public var id: String
    /// `nil` where nobody has the name.
    public var user: UserID?
    public var lockedAt: Instant
    public var until: Instant
    /// From where the attempt came that locked.
    public var truncatedAddress: String?
}

/// Locks in the hands of an administrator: to look at, and to lift.
public struct LockoutAdministration: Sendable {
    public static let maximumLimit = 100

    private let ports: AccountPorts

    public init(_ ports: AccountPorts) {
        self.ports = ports
    }

    /// Those that hold now, the newest first.
    ///
    /// - Parameters:
    ///   - position: of the last one of the page before.
    ///   - limit: 1 to ``maximumLimit``.
    /// - Throws: `AuthErrorCode.invalidRequest` naming the field, `.forbidden`.
    public func list(
        after position: LockoutPosition? = nil, limit: Int = maximumLimit, call: CallContext
    ) async throws -> (locked: [LockedIdentifier], next: LockoutPosition?) {
        try call.requireAdministrator()
        guard (1...Self.maximumLimit).contains(limit) else { throw AuthError(.invalidRequest, field: "limit") }
        guard let rule = LockoutRule(call.settings.lockout) else { return ([], nil) }
        let found = try await ports.store.read {
            try $0.lockouts(in: call.directory.id, after: position, limit: limit + 1)
        }
        // The newest first: after one that is over there are only others.
        let locked = found.filter { $0.wait(rule, at: call.now) != nil }
        let page = locked.prefix(limit)
        let next = locked.count > limit ? page.last.flatMap(LockoutPosition.init) : nil
        return (page.compactMap { LockedIdentifier($0, rule, at: call.now) }, next)
    }

    /// The one of a user; `nil` where there is none.
    ///
    /// - Throws: `AuthErrorCode.userNotFound`, `.forbidden`.
    public func lock(of user: UserID, call: CallContext) async throws -> LockedIdentifier? {
        try call.requireAdministrator()
        let found = try await ports.store.read { tx in
            guard try tx.user(user, in: call.directory.id) != nil else { throw AuthError(.userNotFound) }
            return try tx.lockouts(of: user, in: call.directory.id)
        }
        guard let rule = LockoutRule(call.settings.lockout) else { return nil }
        return found.filter { !$0.isOwn }.compactMap { LockedIdentifier($0, rule, at: call.now) }.first
    }

    /// Lifts one.
    ///
    /// - Parameter id: ``LockedIdentifier/id``.
    /// - Throws: `AuthErrorCode.notFound` for one that there is not, or not any more; `.forbidden`.
    public func lift(_ id: String, call: CallContext) async throws {
        try call.requireAdministrator()
        guard id.utf8.count == 32, let key = Hex.decode(id), let rule = LockoutRule(call.settings.lockout) else {
            throw AuthError(.notFound)
        }
        try await ports.write(call) { step in
            guard let lockout = try step.tx.lockout(key, in: step.directory), !lockout.isOwn,
                lockout.wait(rule, at: step.now) != nil
            else { throw AuthError(.notFound) }
            if let user = lockout.userID {
                try Lockouts(step).lift(user, by: "administrator")
            } else {
                _ = try step.tx.deleteLockout(key, in: step.directory)
                try step.record(.accountUnlocked, user: nil, details: ["by": "administrator"])
            }
        }
    }

    /// Lifts whatever is locked of a user's.
    ///
    /// - Returns: whether something was.
    /// - Throws: `AuthErrorCode.userNotFound`, `.forbidden`.
    public func lift(of user: UserID, call: CallContext) async throws -> Bool {
        try call.requireAdministrator()
        return try await ports.write(call) { step in
            guard try step.tx.user(user, in: step.directory) != nil else { throw AuthError(.userNotFound) }
            return try Lockouts(step).lift(user, by: "administrator")
        }
    }
}

extension LockoutPosition {
    init?(_ lockout: Lockout) {
        guard let lockedAt = lockout.lockedAt else { return nil }
        self.init(lockedAt: lockedAt, key: lockout.key)
    }
}

extension LockedIdentifier {
    /// `nil` where it is over.
    init?(_ lockout: Lockout, _ rule: LockoutRule, at now: Instant) {
        guard let lockedAt = lockout.lockedAt, let wait = lockout.wait(rule, at: now) else { return nil }
        id = Hex.encode(lockout.key)
        user = lockout.userID
        self.lockedAt = lockedAt
        until = now + wait
        truncatedAddress = lockout.truncatedAddress
    }

    /// Where a list goes on after it; `nil` for what is no such identifier.
    public var position: LockoutPosition? { Hex.decode(id).map { LockoutPosition(lockedAt: lockedAt, key: $0) } }
}
