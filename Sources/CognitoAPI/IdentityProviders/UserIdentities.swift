// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// By whom a user may be vouched for, as the service says it: a claim of ID tokens, and an attribute whose value is
/// JSON.
struct UserIdentities {
    static let name = "identities"

    private struct Entry {
        var userID: String
        var provider: String
        /// Whether the account began with it.
        var isPrimary: Bool
        /// Milliseconds since 1970.
        var createdAt: Int64
    }

    private let entries: [Entry]

    init(_ user: User, _ identities: [Identity]) {
        // A user without a provider, as nearly all, costs nothing.
        let foreign = identities.filter { !["email", "phone"].contains($0.provider) }
        entries = foreign.sorted { $0.createdAt < $1.createdAt }.map {
            Entry(
                userID: $0.subject, provider: $0.provider,
                isPrimary: user.isFederated && user.appMetadata["provider"]?.stringValue == $0.provider,
                createdAt: $0.createdAt.microseconds / 1000)
        }
    }

    /// The claim, in which every value is a text; `nil` for a user whom no provider knows.
    var claim: JSONValue? {
        json { ["primary": .string($0.isPrimary ? "true" : "false"), "dateCreated": .string(String($0.createdAt))] }
    }

    /// The attribute's value.
    var attribute: String? {
        json { ["primary": .bool($0.isPrimary), "dateCreated": .integer($0.createdAt)] }
            .map { String(decoding: $0.serialized(), as: UTF8.self) }
    }

    private func json(_ rest: (Entry) -> JSONObject) -> JSONValue? {
        guard !entries.isEmpty else { return nil }
        return .array(
            entries.map { entry in
                let name: JSONValue = .string(ProviderName.shown(entry.provider))
                let first: JSONObject = [
                    "userId": .string(entry.userID), "providerName": name,
                    "providerType": .string(ProviderName.type(of: entry.provider)), "issuer": .null,
                ]
                return .object(first.merging(rest(entry)))
            })
    }
}
