// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Whether a provider vouches for an address: it says that it has verified it, and is one who can know for as long as
/// the address exists. Anything else is a text that its user may have chosen, and joins nobody's account (R46).
enum EmailVouching {
    static func isVouched(_ email: EmailAddress, by kind: IdentityProvider.Kind, _ claims: JSONObject) -> Bool {
        switch kind {
        case .google:
            // It is authoritative for its own mail, and for domains that it hosts ("Authenticate with a backend
            // server", Google Identity); any other address may have changed hands since it looked.
            let isHosted = claims["hd"]?.stringValue?.isEmpty == false
            return claims["email_verified"] == .bool(true) && (email.domain == "gmail.com" || isHosted)
        case .apple:
            // Every address is verified or its own relay; the claim is a boolean or a word.
            return claims["email_verified"] == .bool(true) || claims["email_verified"] == .string("true")
        case .microsoft:
            // Administrators write `email` as they like; this alone says that the domain's owner was verified
            // ("xms_edov", Microsoft identity platform).
            return switch claims["xms_edov"] {
            case .bool(true), .integer(1), .string("1"), .string("true"): true
            default: false
            }
        case .openID: return claims["email_verified"] == .bool(true)
        // Its list of addresses says which is verified; that of the profile never is.
        case .github: return claims["email_verified"] == .bool(true)
        case .facebook: return false
        }
    }
}
