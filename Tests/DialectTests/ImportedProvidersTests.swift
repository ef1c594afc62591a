// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import CognitoAPI
import FirebaseAPI
import SupabaseAPI
import TestBench
import Testing

@Suite struct ImportedProvidersTests {
    private static let names: [(dialect: String, words: [String: String])] = [
        ("supabase", SupabaseDialect.providerNames), ("cognito", CognitoDialect.providerNames),
        ("firebase", FirebaseDialect.providerNames),
    ]

    @Test(
        "R12.2 who is imported with what their vendor calls a provider is the same user when they come by it",
        arguments: [
            ("supabase", "azure", IdentityProvider.Kind.microsoft), ("supabase", "google", .google),
            ("cognito", "Google", .google), ("cognito", "SignInWithApple", .apple), ("cognito", "Facebook", .facebook),
            ("firebase", "google.com", .google), ("firebase", "apple.com", .apple),
            ("firebase", "microsoft.com", .microsoft), ("firebase", "facebook.com", .facebook),
            ("firebase", "github.com", .github),
        ])
    func found(dialect: String, word: String, kind: IdentityProvider.Kind) async throws {
        let upstream = ScriptedIdentityProviders()
        let bench = try await AccountBench(identityProviders: upstream)
        try await configure(kind.rawValue, kind, bench)
        let names = try #require(Self.names.first { $0.dialect == dialect }).words
        let id = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
        try await importing(id, word, names, bench)
        #expect(try await user(kind.rawValue, bench, upstream) == UserID(id))
    }

    @Test("R12.2 a name that a provider of the Directory has is that one's, whatever a vendor means by it")
    func own() async throws {
        let upstream = ScriptedIdentityProviders()
        let bench = try await AccountBench(identityProviders: upstream)
        for (name, kind) in [("azure", IdentityProvider.Kind.openID), ("microsoft", .microsoft)] {
            try await configure(name, kind, bench)
        }
        let id = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
        try await importing(id, "azure", SupabaseDialect.providerNames, bench)
        #expect(try await user("azure", bench, upstream) == UserID(id))
        #expect(try await user("microsoft", bench, upstream) != UserID(id))
    }

    @Test(
        "R12.2 what the container wrote down for the issuer of GitHub and others keeps nobody out",
        arguments: [
            ("github", "https://api.github.com"), ("facebook", "https://graph.facebook.com/me"),
            ("google", "https://www.googleapis.com/userinfo/v2/me"), ("apple", "https://appleid.apple.com"),
        ])
    func issuers(name: String, issuer: String) async throws {
        let upstream = ScriptedIdentityProviders()
        let bench = try await AccountBench(identityProviders: upstream)
        try await configure(name, try #require(IdentityProvider.Kind(rawValue: name)), bench)
        let id = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
        let data: JSONObject = ["iss": .string(issuer), "sub": "7", "user_name": "ada"]
        try await importing(id, name, SupabaseDialect.providerNames, bench, data: data)
        #expect(try await user(name, bench, upstream) == UserID(id))
    }

    private func configure(_ name: String, _ kind: IdentityProvider.Kind, _ bench: AccountBench) async throws {
        let provider = IdentityProvider(
            id: bench.ports.random.identifier(), directoryID: bench.directory.id, name: name, kind: kind,
            issuer: kind == .openID ? "https://id.example" : nil, clientIDs: ["client"], createdAt: bench.now,
            updatedAt: bench.now)
        try await bench.ports.store.write { try $0.insert(provider) }
    }

    private func importing(
        _ id: String, _ provider: String, _ names: [String: String], _ bench: AccountBench, data: JSONObject = [:]
    ) async throws {
        let line: JSONObject = [
            "id": .string(id), "identities": [["provider": .string(provider), "subject": "7", "data": .object(data)]],
        ]
        var lines = [line.text][...]
        let summary = try await UserImport(
            store: bench.ports.store, random: bench.ports.random, dialects: [], providerNames: names
        ).run(into: bench.directory, at: bench.now, nextLine: { lines.popFirst() })
        #expect(summary.imported == 1)
    }

    /// Whoever comes by the provider as 7.
    private func user(
        _ provider: String, _ bench: AccountBench, _ upstream: ScriptedIdentityProviders
    ) async throws -> UserID {
        upstream.vouch(
            FederatedProof(
                provider: provider, issuer: "https://\(provider).example", subject: "7", audience: "client",
                email: try EmailAddress("new-\(provider)@example.com"), isEmailVouched: true), by: provider)
        let outcome = try await IDTokenSignIn(bench.ports)(
            .accessToken(Secret(provider)), of: provider, policy: FederationPolicy(), call: bench.call())
        return outcome.record.user.id
    }
}
