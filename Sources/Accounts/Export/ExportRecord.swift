// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What is held of a user, row by row. What is not known is left out; instants are RFC 3339.
enum ExportRecord {
    static func account(_ user: User) -> JSONObject {
        var json: JSONObject = ["id": .string(user.id.rawValue), "origin": .string(user.origin.rawValue)]
        json["external_identifiers"] = .object(user.externalIdentifiers.json)
        json["email"] = user.email.map { .string($0.rawValue) }
        json["email_verified_at"] = time(user.emailVerifiedAt)
        json["phone"] = user.phone.map { .string($0.e164) }
        json["phone_verified_at"] = time(user.phoneVerifiedAt)
        json["username"] = user.username.map { .string($0.rawValue) }
        json["pending_email"] = user.pendingEmail.map { .string($0.rawValue) }
        json["pending_phone"] = user.pendingPhone.map { .string($0.e164) }
        json["has_password"] = .bool(user.passwordHash != nil)
        json["password_changed_at"] = time(user.passwordChangedAt)
        json["confirmed_at"] = time(user.confirmedAt)
        json["role"] = user.role.map { .string($0) }
        json["is_anonymous"] = .bool(user.isAnonymous)
        json["banned_until"] = time(user.bannedUntil)
        json["invited_at"] = time(user.invitedAt)
        json["last_sign_in_at"] = time(user.lastSignInAt)
        json["language"] = user.language.map { .string($0.rawValue) }
        json["tokens_valid_since"] = time(user.tokensValidSince)
        json["user_metadata"] = .object(user.userMetadata)
        json["app_metadata"] = .object(user.appMetadata)
        json["dialects"] = .object(user.dialectData.json)
        json["messages_sent_at"] = .object(sent(user.sent))
        json["created_at"] = time(user.createdAt)
        json["updated_at"] = time(user.updatedAt)
        return json
    }

    private static func sent(_ times: User.MessageTimes) -> JSONObject {
        var json = JSONObject()
        json["confirmation"] = time(times.confirmation)
        json["recovery"] = time(times.recovery)
        json["email_change"] = time(times.emailChange)
        json["phone_change"] = time(times.phoneChange)
        json["reauthentication"] = time(times.reauthentication)
        return json
    }

    static func profile(_ profile: Profile) -> JSONObject {
        var json = JSONObject()
        json["name"] = profile.name.map { .string($0) }
        json["picture"] = profile.picture.map { .string($0) }
        json["locale"] = profile.locale.map { .string($0) }
        json["updated_at"] = time(profile.updatedAt)
        return json
    }

    static func identity(_ identity: Identity) -> JSONObject {
        var json: JSONObject = [
            "provider": .string(identity.provider), "subject": .string(identity.subject),
            "data": .object(identity.data),
        ]
        json["last_sign_in_at"] = time(identity.lastSignInAt)
        json["created_at"] = time(identity.createdAt)
        json["updated_at"] = time(identity.updatedAt)
        return json
    }

    static func session(_ session: Session) -> JSONObject {
        var json: JSONObject = ["id": .string(session.id.rawValue)]
        json["device"] = session.device.name.map { .string($0) }
        json["operating_system"] = session.device.operatingSystem.map { .string($0) }
        json["app_version"] = session.device.appVersion.map { .string($0) }
        json["user_agent"] = session.device.userAgent.map { .string($0) }
        json["network"] = session.device.truncatedAddress.map { .string($0) }
        json["remembered_device"] = session.rememberedDevice.map { .string($0.rawValue) }
        json["client"] = session.clientID.map { .string($0.rawValue) }
        json["methods"] = .array(
            session.methods.map { ["name": .string($0.name.rawValue), "at": .string($0.at.rfc3339)] })
        json["assurance"] = .integer(Int64(session.assurance.rawValue))
        json["scopes"] = session.grant.map { .array($0.scopes.map { .string($0) }) }
        if !session.claims.isEmpty { json["claims"] = .object(session.claims) }
        json["created_at"] = time(session.createdAt)
        json["last_active_at"] = time(session.lastActiveAt)
        json["ends_at"] = time(session.notAfter)
        json["ended_at"] = time(session.revokedAt)
        json["ended_because"] = session.revocation.map { .string($0.rawValue) }
        return json
    }

    static func factor(_ factor: Factor) -> JSONObject {
        var json: JSONObject = [
            "id": .string(factor.id.rawValue), "kind": .string(factor.kind.rawValue),
            "is_enabled": .bool(factor.isEnabled), "is_preferred": .bool(factor.isPreferred),
        ]
        json["name"] = factor.name.map { .string($0) }
        json["recipient"] = factor.recipient.map { .string($0) }
        if case .webAuthn(let credential) = factor.credential {
            json["credential_id"] = .string(Base64URL.encode(credential.id))
            json["relying_party"] = .string(credential.relyingParty)
        }
        json["verified_at"] = time(factor.verifiedAt)
        json["created_at"] = time(factor.createdAt)
        json["last_used_at"] = time(factor.lastUsedAt)
        json["last_challenged_at"] = time(factor.lastChallengedAt)
        return json
    }

    static func device(_ device: RememberedDevice) -> JSONObject {
        var json: JSONObject = [
            "id": .string(device.id.rawValue), "is_remembered": .bool(device.isRemembered),
            "assurance": .integer(Int64(device.assurance.rawValue)),
        ]
        json["name"] = device.name.map { .string($0) }
        json["network"] = device.truncatedAddress.map { .string($0) }
        json["created_at"] = time(device.createdAt)
        json["updated_at"] = time(device.updatedAt)
        json["last_used_at"] = time(device.lastUsedAt)
        return json
    }

    static func backupCodes(_ codes: BackupCodes) -> JSONObject {
        var json: JSONObject = [
            "count": .integer(Int64(codes.codes.count)),
            "used_at": .array(codes.codes.compactMap { time($0.usedAt) }),
        ]
        json["name"] = codes.name.map { .string($0) }
        json["created_at"] = time(codes.createdAt)
        return json
    }

    static func activity(_ activity: Activity) -> JSONObject {
        [
            "id": .string(activity.id.rawValue), "type": .string(activity.type),
            "description": .string(activity.description), "duration_seconds": .integer(activity.durationSeconds),
            "at": .string(activity.at.rfc3339),
        ]
    }

    static func consent(_ consent: Consent) -> JSONObject {
        [
            "client": .string(consent.clientID.rawValue), "scopes": .array(consent.scopes.map { .string($0) }),
            "created_at": .string(consent.createdAt.rfc3339), "updated_at": .string(consent.updatedAt.rfc3339),
        ]
    }

    static func agreement(_ agreement: Agreement) -> JSONObject {
        var json: JSONObject = [
            "name": .string(agreement.terms.name), "version": .string(agreement.terms.version),
            "is_given": .bool(agreement.isGiven), "occasion": .string(agreement.occasion.rawValue),
            "at": .string(agreement.at.rfc3339),
        ]
        json["dialect"] = agreement.dialect.map { .string($0.rawValue) }
        json["client"] = agreement.clientID.map { .string($0.rawValue) }
        return json
    }

    static func event(_ event: AuditEvent) -> JSONObject {
        var json: JSONObject = [
            "action": .string(event.action.rawValue), "by": .string(actor(event.actor)),
            "details": .object(event.details), "at": .string(event.at.rfc3339),
        ]
        json["network"] = event.truncatedAddress.map { .string($0) }
        json["user_agent"] = event.userAgent.map { .string($0) }
        return json
    }

    /// Which administrator it was is no concern of the user's.
    private static func actor(_ actor: AuditEvent.Actor) -> String {
        switch actor {
        case .user: "user"
        case .administrator: "administrator"
        case .commandLine: "operator"
        case .unknown: "unknown"
        }
    }

    static func message(_ message: OutboxMessage) -> JSONObject {
        var json: JSONObject = [
            "channel": .string(message.channel.rawValue), "kind": .string(message.kind),
            "recipient": .string(message.recipient), "state": .string(message.state.rawValue),
            "created_at": .string(message.createdAt.rfc3339),
        ]
        json["sent_at"] = time(message.sentAt)
        return json
    }

    static func token(_ token: OneTimeToken) -> JSONObject {
        [
            "purpose": .string(token.purpose.rawValue), "recipient": .string(token.recipient),
            "created_at": .string(token.createdAt.rfc3339), "expires_at": .string(token.expiresAt.rfc3339),
        ]
    }

    static func signUp(_ attempt: SignUpAttempt) -> JSONObject {
        var json: JSONObject = [
            "user_metadata": .object(attempt.userMetadata), "dialects": .object(attempt.dialectData.json),
            "created_at": .string(attempt.createdAt.rfc3339),
        ]
        json["email"] = attempt.email.map { .string($0.rawValue) }
        json["phone"] = attempt.phone.map { .string($0.e164) }
        json["network"] = attempt.truncatedAddress.map { .string($0) }
        return json
    }

    static func lockout(_ lockout: Lockout) -> JSONObject {
        var json: JSONObject = ["failed_at": .array(lockout.failures.map { .string($0.rfc3339) })]
        json["locked_at"] = time(lockout.lockedAt)
        json["network"] = lockout.truncatedAddress.map { .string($0) }
        return json
    }

    static func recovery(_ recovery: FactorRecovery) -> JSONObject {
        var json: JSONObject = [
            "requested_at": .string(recovery.requestedAt.rfc3339), "due_at": .string(recovery.dueAt.rfc3339),
            "ends_at": .string(recovery.endsAt.rfc3339),
        ]
        json["told_at"] = time(recovery.toldAt)
        return json
    }

    private static func time(_ instant: Instant?) -> JSONValue? { instant.map { .string($0.rfc3339) } }
}
