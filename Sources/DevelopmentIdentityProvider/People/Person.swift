// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Somebody who has an account at a vendor's: invented, or typed in.
struct Person: Sendable, Hashable {
    /// Unique at the vendor's.
    var subject: String
    var email: String?
    /// Whether the vendor has seen to it that the address is theirs.
    var isEmailVerified = false
    /// The organisation of Google's Workspace that the account is of (`hd`).
    var hostedDomain: String?
    /// Whether Microsoft knows the address's domain to be their directory's (`xms_edov`).
    var isDomainOwnerVerified = false
    /// Microsoft's directory that the account is of.
    var tenant = Person.organisation
    var givenName: String?
    var familyName: String?
    /// What ID tokens say in place of what they would have said; a null takes a claim away.
    var claims: JSONObject = [:]

    /// The invented organisation's directory at Microsoft.
    static let organisation = "11111111-2222-4333-8444-555555555555"
    /// That of all personal accounts; Microsoft's own.
    static let consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"

    var name: String? {
        let parts = [givenName, familyName].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// What they are called on a page.
    var label: String { name ?? email ?? subject }
    /// A name without blanks, as GitHub has it.
    var login: String { email.map { String($0.prefix { $0 != "@" }) } ?? "user-\(subject.prefix(20))" }
    var isPrivateEmail: Bool { email?.hasSuffix("@privaterelay.appleid.com") ?? false }
}
