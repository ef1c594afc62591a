// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The form of an export (JSON Schema, draft 2020-12): each file is valid by the definition of its name. It is in each
/// export, and `docs/account-export.schema.json`.
public enum ExportSchema {
    public static let document: JSONObject = [
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Everything that is held about a user, a definition for each file of the archive",
        "$defs": .object(definitions),
    ]

    private static let definitions: JSONObject = {
        var definitions = JSONObject()
        for file in ExportFile.allCases { definitions[file.rawValue] = definition(file) }
        return definitions
    }()

    private static func definition(_ file: ExportFile) -> JSONValue {
        switch file {
        case .account: account
        case .profile: object([], ["name": text, "picture": text, "locale": text, "updated_at": time])
        case .identities:
            list(
                ["provider", "subject", "data", "created_at", "updated_at"],
                [
                    "provider": text, "subject": text, "data": anything, "last_sign_in_at": time, "created_at": time,
                    "updated_at": time,
                ])
        case .sessions: sessions
        case .factors: factors
        case .devices:
            list(
                ["id", "is_remembered", "assurance", "created_at", "updated_at", "last_used_at"],
                [
                    "id": text, "is_remembered": flag, "assurance": level, "name": text, "network": text,
                    "created_at": time, "updated_at": time, "last_used_at": time,
                ])
        case .activities:
            list(
                ["id", "type", "description", "duration_seconds", "at"],
                ["id": text, "type": text, "description": text, "duration_seconds": count, "at": time])
        case .consents:
            list(
                ["client", "scopes", "created_at", "updated_at"],
                ["client": text, "scopes": texts, "created_at": time, "updated_at": time])
        case .agreements:
            list(
                ["name", "version", "is_given", "occasion", "at"],
                [
                    "name": text, "version": text, "is_given": flag, "occasion": text, "dialect": text,
                    "client": text, "at": time,
                ])
        case .audit:
            list(
                ["action", "by", "details", "at"],
                [
                    "action": text, "by": ["enum": ["user", "administrator", "operator", "unknown"]],
                    "details": anything, "network": text, "user_agent": text, "at": time,
                ])
        case .messages:
            list(
                ["channel", "kind", "recipient", "state", "created_at"],
                [
                    "channel": text, "kind": text, "recipient": text, "state": text, "created_at": time,
                    "sent_at": time,
                ])
        case .pending: pending
        }
    }

    private static let account = object(
        [
            "id", "origin", "external_identifiers", "has_password", "is_anonymous", "user_metadata", "app_metadata",
            "dialects", "messages_sent_at", "groups", "created_at", "updated_at", "exported_at",
        ],
        [
            "id": text, "origin": text, "external_identifiers": anything, "email": text, "email_verified_at": time,
            "phone": text, "phone_verified_at": time, "username": text, "pending_email": text, "pending_phone": text,
            "has_password": flag, "password_changed_at": time, "confirmed_at": time, "role": text,
            "is_anonymous": flag, "banned_until": time, "invited_at": time, "last_sign_in_at": time,
            "language": text, "tokens_valid_since": time, "user_metadata": anything, "app_metadata": anything,
            "dialects": anything,
            "messages_sent_at": ["type": "object", "additionalProperties": time], "groups": texts,
            "created_at": time, "updated_at": time, "exported_at": time,
        ])

    private static let sessions = list(
        ["id", "methods", "assurance", "created_at", "last_active_at"],
        [
            "id": text, "device": text, "operating_system": text, "app_version": text, "user_agent": text,
            "network": text, "remembered_device": text, "client": text,
            "methods": list(["name", "at"], ["name": text, "at": time]),
            "assurance": level, "scopes": texts, "claims": anything,
            "created_at": time, "last_active_at": time, "ends_at": time, "ended_at": time, "ended_because": text,
        ])

    private static let factors = object(
        ["factors"],
        [
            "factors": list(
                ["id", "kind", "is_enabled", "is_preferred", "created_at"],
                [
                    "id": text, "kind": text, "is_enabled": flag, "is_preferred": flag, "name": text,
                    "recipient": text, "credential_id": text, "relying_party": text, "verified_at": time,
                    "created_at": time, "last_used_at": time, "last_challenged_at": time,
                ]),
            "backup_codes": object(
                ["count", "used_at", "created_at"],
                [
                    "count": count, "used_at": ["type": "array", "items": time], "name": text, "created_at": time,
                ]),
        ])

    private static let pending = object(
        ["links", "sign_ups", "locks", "factor_recoveries"],
        [
            "factor_recoveries": list(
                ["requested_at", "due_at", "ends_at"],
                ["requested_at": time, "due_at": time, "ends_at": time, "told_at": time]),
            "links": list(
                ["purpose", "recipient", "created_at", "expires_at"],
                ["purpose": text, "recipient": text, "created_at": time, "expires_at": time]),
            "sign_ups": list(
                ["user_metadata", "dialects", "created_at"],
                [
                    "user_metadata": anything, "dialects": anything, "created_at": time, "email": text, "phone": text,
                    "network": text,
                ]),
            "locks": list(
                ["failed_at"],
                ["failed_at": ["type": "array", "items": time], "locked_at": time, "network": text]),
        ])

    // MARK: Parts

    private static let text: JSONValue = ["type": "string"]
    private static let texts: JSONValue = ["type": "array", "items": ["type": "string"]]
    private static let time: JSONValue = ["type": "string", "format": "date-time"]
    private static let flag: JSONValue = ["type": "boolean"]
    private static let count: JSONValue = ["type": "integer", "minimum": 0]
    private static let level: JSONValue = ["type": "integer", "minimum": 1, "maximum": 3]
    /// What the user, an app or a provider has put there.
    private static let anything: JSONValue = ["type": "object"]

    private static func object(_ required: [String], _ properties: JSONObject) -> JSONValue {
        [
            "type": "object", "additionalProperties": false, "required": .array(required.map { .string($0) }),
            "properties": .object(properties),
        ]
    }

    private static func list(_ required: [String], _ properties: JSONObject) -> JSONValue {
        ["type": "array", "items": object(required, properties)]
    }
}
