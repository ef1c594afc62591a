// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import Testing

@testable import FirebaseAPI

/// Sign-in by other people's identity providers, over the bench's scripted ones.
extension FirebaseBench {
    func addProvider(
        _ kind: IdentityProvider.Kind = .google, name: String? = nil, in directory: DirectoryID? = nil,
        _ change: (inout IdentityProvider) -> Void = { _ in }
    ) async throws {
        var provider = IdentityProvider(
            id: ports.random.identifier(), directoryID: directory ?? self.directory.id, name: name ?? kind.rawValue,
            kind: kind, clientIDs: ["app"], createdAt: now, updatedAt: now)
        change(&provider)
        let made = provider
        try await ports.store.write { try $0.insert(made) }
    }

    /// From now on a credential proves this.
    func vouch(
        _ credential: String, subject: String = "117", provider: String = "google", email: String? = "ada@example.com",
        vouched: Bool = true, name: String? = "Ada Lovelace"
    ) throws {
        var claims: JSONObject = ["sub": .string(subject), "email_verified": .bool(vouched)]
        claims["name"] = name.map { .string($0) }
        providers.vouch(
            FederatedProof(
                provider: provider, issuer: "https://\(provider).example", subject: subject, audience: "app",
                email: try email.map { try EmailAddress($0) }, isEmailVouched: vouched, claims: claims,
                expiresAt: now + .hours(1)), by: credential)
    }

    /// With a credential of a provider's SDK.
    func signInWithProvider(
        _ credential: String, provider: String = "google.com", kind: String = "id_token", _ more: JSONObject = [:]
    ) async throws -> Reply {
        var body: JSONObject = [
            "requestUri": "http://localhost", "returnSecureToken": true,
            "postBody": .string("\(kind)=\(credential)&providerId=\(provider)"),
        ]
        for member in more.members { body[member.name] = member.value }
        return try await call("signInWithIdp", body)
    }

    /// What the operator sees of a user.
    func user(_ localID: String) async throws -> JSONObject {
        let reply = try await administer("/accounts:lookup", ["localId": [.string(localID)]])
        return try #require(reply["users"]?.arrayValue?.first?.objectValue, "\(reply.text)")
    }

    /// By what the operator sees that a user signs in.
    func providers(of localID: String) async throws -> [String] {
        try await user(localID)["providerUserInfo"]?.arrayValue?
            .compactMap { $0.objectValue?["providerId"]?.stringValue } ?? []
    }
}
