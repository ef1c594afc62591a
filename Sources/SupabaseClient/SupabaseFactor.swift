// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession

/// A second factor of a user, as `factors` lists them.
struct SupabaseFactor: Sendable {
    var id: String
    var kind: String
    var isVerified: Bool
    var phone: String?

    init?(_ value: JSONValue) {
        guard let factor = value.objectValue, let id = factor["id"]?.stringValue,
            let kind = factor["factor_type"]?.stringValue
        else { return nil }
        self.id = id
        self.kind = kind
        isVerified = factor["status"]?.stringValue == "verified"
        phone = factor["phone"]?.stringValue
    }

    var isPhone: Bool { kind == "phone" }
    /// A security key needs the system's own sheet, and is not asked for.
    var canBeAsked: Bool { isVerified && ["totp", "phone"].contains(kind) }
}

extension SessionUser {
    /// An authenticator app first: its code costs nobody a message.
    var factors: [SupabaseFactor] {
        let all = (attributes["factors"]?.arrayValue ?? []).compactMap(SupabaseFactor.init)
        return all.filter { !$0.isPhone } + all.filter(\.isPhone)
    }
}
