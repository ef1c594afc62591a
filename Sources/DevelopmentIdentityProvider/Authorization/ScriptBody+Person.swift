// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ServerKit

extension ScriptBody {
    /// An account that is known by its subject or its address, with the claims that the script gives laid over; one
    /// that is not is made of those alone.
    static func person(_ call: Call, at vendor: Vendor) throws(OAuthError) -> Person {
        guard let name = try text(call, "subject") else { throw invalid("subject") }
        var claims = JSONObject()
        switch call.body["claims"] {
        case nil, .null?: break
        case .object(let object)? where (try? object.serialized(within: TypedPerson.limits)) != nil: claims = object
        default: throw invalid("claims")
        }
        guard var known = call.book.people(at: vendor).first(where: { [$0.subject, $0.email].contains(name) }) else {
            return try TypedPerson.person(
                subject: name, email: claims["email"]?.stringValue,
                isVerified: claims["email_verified"] == true || claims["xms_edov"] == true,
                name: claims["name"]?.stringValue, claims: claims, at: vendor)
        }
        known.claims = known.claims.merging(claims)
        return known
    }
}
