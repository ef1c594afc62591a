// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes

/// What an administrator is shown: nothing of how anybody signs in, and no secret.
enum AdminDocuments {
    static func user(_ user: User, at now: Instant) -> JSONObject {
        [
            "id": .string(user.id.rawValue),
            "email": text(user.email?.rawValue),
            "emailVerified": .bool(user.emailVerifiedAt != nil),
            "phone": text(user.phone?.e164),
            "phoneVerified": .bool(user.phoneVerifiedAt != nil),
            "anonymous": .bool(user.isAnonymous),
            "banned": .bool(user.isBanned(at: now)),
            "damaged": .bool(user.isDamaged),
            "deleted": .bool(user.deletedAt != nil),
            "deletionDueAt": text(user.deletionDueAt?.rfc3339),
            "lastSignInAt": text(user.lastSignInAt?.rfc3339),
            "createdAt": .string(user.createdAt.rfc3339),
        ]
    }

    static func session(_ session: Session) -> JSONObject {
        [
            "id": .string(session.id.rawValue),
            "device": text(session.device.name),
            "operatingSystem": text(session.device.operatingSystem),
            "appVersion": text(session.device.appVersion),
            "userAgent": text(session.device.userAgent),
            "address": text(session.device.truncatedAddress),
            "assuranceLevel": .integer(Int64(session.assurance.rawValue)),
            "methods": .array(session.methods.map { .string($0.name.rawValue) }),
            "createdAt": .string(session.createdAt.rfc3339),
            "lastActiveAt": .string(session.lastActiveAt.rfc3339),
            "expiresAt": text(session.notAfter?.rfc3339),
        ]
    }

    static func group(_ group: Group) -> JSONObject {
        [
            "name": .string(group.name), "description": text(group.description),
            "precedence": group.precedence.map { .integer($0) } ?? .null,
            "createdAt": .string(group.createdAt.rfc3339),
        ]
    }

    static func lockout(_ locked: LockedIdentifier) -> JSONObject {
        [
            "id": .string(locked.id), "userId": text(locked.user?.rawValue),
            "address": text(locked.truncatedAddress), "lockedAt": .string(locked.lockedAt.rfc3339),
            "lockedUntil": .string(locked.until.rfc3339),
        ]
    }

    static func event(_ event: AuditEvent) -> JSONObject {
        [
            "id": .string(event.id.rawValue), "action": .string(event.action.rawValue),
            "actor": .string(actor(event.actor)), "userId": text(event.userID?.rawValue),
            "address": text(event.truncatedAddress), "userAgent": text(event.userAgent),
            "details": .object(event.details), "at": .string(event.at.rfc3339),
        ]
    }

    private static func actor(_ actor: AuditEvent.Actor) -> String {
        switch actor {
        case .user(let id): "user:" + id.rawValue
        case .administrator(let name): "administrator:" + name
        case .commandLine: "command-line"
        case .unknown: "unknown"
        }
    }

    private static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
}
