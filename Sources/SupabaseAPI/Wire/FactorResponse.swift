// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// A factor as the platform's clients know it. Of what proves it, only a number.
enum FactorResponse {
    static func encode(_ factor: FactorSummary) -> JSONObject {
        var json: JSONObject = [
            "id": .string(factor.id.rawValue), "created_at": .string(factor.createdAt.rfc3339),
            "updated_at": .string(factor.updatedAt.rfc3339),
            "status": factor.isVerified ? "verified" : "unverified",
        ]
        if let name = factor.name, !name.isEmpty { json["friendly_name"] = .string(name) }
        json["factor_type"] = .string(factor.kind.rawValue)
        if let phone = factor.phone { json["phone"] = .string(phone.digits) }
        json["last_challenged_at"] = factor.lastChallengedAt.map { .string($0.rfc3339) }
        return json
    }

    /// The member of a user, missing where there are none. One that was put aside elsewhere is not asked for: clients
    /// are not told of it, or they would ask.
    static func add(_ factors: [FactorSummary], to user: inout JSONObject) {
        let shown = factors.filter(\.isEnabled)
        guard !shown.isEmpty else { return }
        user["factors"] = .array(shown.map { .object(encode($0)) })
    }
}
