// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A second factor of a user, as `factors` lists them.
struct SupabaseFactor: Sendable {
    var id: String
    var kind: FactorKind
    var isVerified: Bool
    var name: String?
    var phone: String?
    var createdAt: Instant?

    /// `nil` for a kind that this library does not know.
    init?(_ value: JSONValue) {
        guard let factor = value.objectValue, let id = factor["id"]?.stringValue, (1...255).contains(id.utf8.count)
        else { return nil }
        switch factor["factor_type"]?.stringValue {
        case "totp": kind = .authenticator
        case "phone": kind = .phone
        case "webauthn": kind = .securityKey
        default: return nil
        }
        self.id = id
        isVerified = factor["status"]?.stringValue == "verified"
        name = factor["friendly_name"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        phone = factor["phone"]?.stringValue
        createdAt = factor["created_at"]?.stringValue.flatMap { Instant(rfc3339: $0) }
    }

    var choice: FactorChoice { FactorChoice(id: id, kind: kind, name: name, destination: phone) }

    var factor: SecondFactor {
        SecondFactor(
            id: id, kind: kind, name: name, destination: phone, isConfirmed: isVerified, createdAt: createdAt)
    }
}

extension SessionUser {
    /// An authenticator app first: its code costs nobody a message.
    var factors: [SupabaseFactor] {
        let all = (attributes["factors"]?.arrayValue ?? []).prefix(50).compactMap(SupabaseFactor.init)
        return [FactorKind.authenticator, .securityKey, .phone].flatMap { kind in all.filter { $0.kind == kind } }
    }
}
