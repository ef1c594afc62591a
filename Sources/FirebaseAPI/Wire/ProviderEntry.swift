// SPDX-License-Identifier: Apache-2.0

import Accounts
import AuthTypes

/// An identity of another provider as an operator writes it: what ``UserInfo`` shows of one.
enum ProviderEntry {
    /// `nil` for one that is no provider's, or has no subject.
    static func read(_ entry: Input, subject: String?) throws -> GivenIdentity? {
        guard let name = try entry.given("providerId"), let subject else { return nil }
        var data = JSONObject()
        data["email"] = try entry.given("email").map { .string($0) }
        data["name"] = try entry.given("displayName").map { .string($0) }
        data["picture"] = try entry.given("photoUrl").map { .string($0) }
        return try? GivenIdentity(name: ProviderID(name).name, subject: subject, data: data)
    }

    /// What an operator's update says with `linkProviderUserInfo`.
    ///
    /// - Throws: `MISSING_PROVIDER_ID`, `MISSING_RAW_ID`, `INVALID_PROVIDER_ID`.
    static func linked(by body: Input) throws -> [GivenIdentity] {
        guard let entry = try body.members("linkProviderUserInfo") else { return [] }
        guard let name = try entry.given("providerId") else { throw WireError("MISSING_PROVIDER_ID") }
        guard let subject = try entry.given("rawId") else { throw WireError("MISSING_RAW_ID") }
        // An address and a number are members of the update.
        guard name != "password", name != "phone", let provider = try read(entry, subject: subject) else {
            throw WireError("INVALID_PROVIDER_ID")
        }
        return [provider]
    }
}
