// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import SupabaseAPI

@Suite("What identities say") struct IdentityDataTests {
    private func identity(_ provider: String, _ data: JSONObject, at seconds: Int64 = 1) -> Identity {
        Identity(
            id: IdentityID("i"), directoryID: DirectoryID("d"), userID: UserID("u"), provider: provider, subject: "s-1",
            data: data, lastSignInAt: Instant(seconds: seconds), createdAt: Instant(seconds: 1),
            updatedAt: Instant(seconds: 1))
    }

    @Test(
        "R12.4 each provider's claims become the platform's members",
        arguments: [
            (
                "microsoft",
                [
                    "iss": "i", "name": "Ada", "preferred_username": "ada", "email": "a@example.com",
                    "email_verified": true, "tid": "t", "oid": "o", "aud": "x", "exp": 1, "nonce": "n",
                ],
                [
                    "iss": "i", "full_name": "Ada", "preferred_username": "ada", "email": "a@example.com",
                    "email_verified": true,
                    "custom_claims": ["email": "a@example.com", "tid": "t", "oid": "o"],
                ]
            ),
            (
                "github",
                [
                    "iss": "i", "login": "ada", "name": "Ada", "avatar_url": "https://p.example/a",
                    "email": "a@example.com",
                ],
                [
                    "iss": "i", "preferred_username": "ada", "user_name": "ada", "name": "Ada", "full_name": "Ada",
                    "avatar_url": "https://p.example/a", "email": "a@example.com", "email_verified": false,
                ]
            ),
            (
                "facebook", ["name": "Ada", "picture": ["data": ["url": "https://p.example/a"]]],
                [
                    "name": "Ada", "full_name": "Ada", "picture": "https://p.example/a",
                    "avatar_url": "https://p.example/a", "email_verified": false,
                ]
            ),
            (
                "keycloak", ["given_name": "Ada", "family_name": "Lind", "groups": ["a"], "sid": "x"],
                [
                    "given_name": "Ada", "family_name": "Lind", "name": "Ada Lind", "full_name": "Ada Lind",
                    "email_verified": false, "custom_claims": ["groups": ["a"]],
                ]
            ),
            ("custom:acme", ["groups": ["a"]], ["email_verified": false]),
        ] as [(String, JSONObject, JSONObject)])
    func members(provider: String, claims: JSONObject, wanted: JSONObject) {
        let common: JSONObject = ["sub": "s-1", "provider_id": "s-1", "phone_verified": false]
        let found = IdentityData(identity(provider, claims)).json
        #expect(found == common.merging(wanted), "\(JSONValue.object(found).text)")
    }

    @Test("R12.4 what an import brought along in the platform's form stays as it is")
    func imported() {
        let data: JSONObject = ["provider_id": "s-1", "sub": "s-1", "anything": ["x"]]
        #expect(IdentityData(identity("google", data)).json == data)
    }

    @Test(
        "R12.4 metadata say what the provider used last says, below the user's own, and no more than tokens can carry")
    func metadata() {
        var user = User(id: UserID("u"), directoryID: DirectoryID("d"), createdAt: Instant(seconds: 1))
        user.userMetadata = ["full_name": "Countess"]
        let big = JSONValue.string(String(repeating: "x", count: 5000))
        let metadata = UserResponse.metadata(
            of: user,
            [
                identity("google", ["name": "New", "picture": "https://p.example/new"], at: 9),
                identity("keycloak", ["name": "Old", "picture": "https://p.example/old", "groups": big], at: 5),
                identity("email", ["name": "never"], at: 99),
            ])
        #expect(metadata["name"] == "New" && metadata["avatar_url"] == "https://p.example/new")
        #expect(metadata["full_name"] == "Countess" && metadata["custom_claims"] == nil)
    }

    @Test("R12.4 the platform's name of a provider is shown, and ours is stored")
    func names() {
        #expect(ProviderName("Azure").ours == "microsoft" && ProviderName(of: "microsoft").wire == "azure")
        #expect(ProviderName("google").ours == "google" && ProviderName("CUSTOM:x").isCustom)
        var user = User(id: UserID("u"), directoryID: DirectoryID("d"), createdAt: Instant(seconds: 1))
        user.appMetadata = ["provider": "microsoft", "providers": ["email", "microsoft"], "plan": "pro"]
        #expect(
            UserResponse.appMetadata(of: user, [])
                == ["provider": "azure", "providers": ["email", "azure"], "plan": "pro"])
    }
}
