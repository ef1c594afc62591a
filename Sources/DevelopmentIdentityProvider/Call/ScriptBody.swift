// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import ServerKit

/// Reads what scripts send: each member of its type, or refused by its name.
enum ScriptBody {
    static func vendor(_ call: Call) throws(OAuthError) -> Vendor {
        guard let vendor = try text(call, "provider").flatMap(Vendor.init(rawValue:)) else { throw invalid("provider") }
        return vendor
    }

    /// - Returns: `nil` for a member that is not there.
    static func text(_ call: Call, _ name: String) throws(OAuthError) -> String? {
        switch call.body[name] {
        case nil, .null?: nil
        case .string(let text)? where StreamSafeText.accepts(text): text
        default: throw invalid(name)
        }
    }

    static func invalid(_ name: String) -> OAuthError {
        OAuthError(.badRequest, "invalid_request", "The member \(name) is missing, or not as it has to be")
    }
}
