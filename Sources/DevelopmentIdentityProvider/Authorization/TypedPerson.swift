// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import ServerKit

/// Reads an account that somebody makes up.
enum TypedPerson {
    /// What the claims of one account may hold.
    static let limits = JSONLimits(depth: 6, members: 50, bytes: 4 << 10)

    /// - Throws: `invalid_request`.
    static func person(
        subject: String, email: String?, isVerified: Bool, name: String?, claims: JSONObject, at vendor: Vendor
    ) throws(OAuthError) -> Person {
        guard (1...255).contains(subject.utf8.count), subject.utf8.allSatisfy({ (33...126).contains($0) }) else {
            throw invalid("The subject is 1 to 255 printable characters without blanks")
        }
        // Which is what its API says it is.
        guard vendor != .gitHub || Int64(subject).map({ $0 > 0 && String($0) == subject }) == true else {
            throw invalid("A subject of GitHub's is a whole number")
        }
        guard email.map({ $0.utf8.count <= 320 }) ?? true, name.map({ $0.utf8.count <= 200 }) ?? true else {
            throw invalid("The address or the name is too long")
        }
        guard (try? claims.serialized(within: limits)) != nil else { throw invalid("The claims are too large") }
        var person = Person(subject: subject, email: email, isEmailVerified: isVerified, claims: claims)
        let parts = (name ?? "").split(separator: " ", maxSplits: 1).map(String.init)
        person.givenName = parts.first
        person.familyName = parts.count > 1 ? parts[1] : nil
        person.hostedDomain = claims["hd"]?.stringValue
        person.isDomainOwnerVerified = isVerified
        if let tenant = claims["tid"]?.stringValue { person.tenant = tenant }
        return person
    }

    private static func invalid(_ description: String) -> OAuthError {
        OAuthError(.badRequest, "invalid_request", description)
    }
}

extension TypedPerson {
    /// From a page's form.
    ///
    /// - Throws: `invalid_request`.
    static func read(_ call: Call, at vendor: Vendor) throws(OAuthError) -> Person {
        var claims = JSONObject()
        if let text = call["claims"] {
            guard let object = try? JSONObject(parsing: text.utf8, limits: limits) else {
                throw invalid("The claims are not a JSON object, or are too large")
            }
            claims = object
        }
        return try person(
            subject: try call.required("subject"), email: call["email"], isVerified: call["verified"] != nil,
            name: call["name"], claims: claims, at: vendor)
    }
}
