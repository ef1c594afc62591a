// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import FirebaseAPI

@Suite struct ProviderProfileTests {
    private func encode(_ proof: FederatedProof, returnsRefreshToken: Bool = false) -> JSONObject {
        var json = JSONObject()
        ProviderProfile(proof).add(
            to: &json, returnsRefreshToken: returnsRefreshToken, at: Instant(seconds: 1_780_000_000))
        return json
    }

    @Test("R12.5 what Google says of a user is told in the platform's members, its user endpoint's old form among them")
    func google() throws {
        let json = encode(
            FederatedProof(
                provider: "google", issuer: "https://accounts.google.com", subject: "117", audience: "app",
                email: try EmailAddress("ada@gmail.com"), isEmailVouched: true,
                claims: [
                    "sub": "117", "name": "Ada Lovelace", "given_name": "Ada", "family_name": "Lovelace",
                    "picture": "https://example.com/a.png", "email_verified": true, "locale": "en",
                ]))
        #expect(json["providerId"] == "google.com" && json["federatedId"] == "https://accounts.google.com/117")
        #expect(json["email"] == "ada@gmail.com" && json["emailVerified"] == true)
        #expect(json["displayName"] == "Ada Lovelace" && json["fullName"] == "Ada Lovelace")
        #expect(json["firstName"] == "Ada" && json["lastName"] == "Lovelace" && json["language"] == "en")
        #expect(json["photoUrl"] == "https://example.com/a.png")
        let raw = try JSONObject(parsing: (json["rawUserInfo"]?.stringValue ?? "").utf8)
        #expect(raw["id"] == "117" && raw["verified_email"] == true && raw["name"] == "Ada Lovelace")
        #expect(raw["sub"] == nil)
        for name in ["screenName", "dateOfBirth", "oauthIdToken", "oauthAccessToken", "oauthExpireIn"] {
            #expect(json[name] == nil, "\(name)")
        }
    }

    @Test(
        "R12.5 a name that came beside Apple's token is the user's, and an address that nobody vouches for is unverified"
    )
    func others() throws {
        let apple = encode(
            FederatedProof(
                provider: "apple", issuer: "https://appleid.apple.com", subject: "000.a", audience: "app",
                claims: ["sub": "000.a"], givenName: "Grace", familyName: "Hopper"))
        #expect(apple["providerId"] == "apple.com" && apple["federatedId"] == "000.a")
        #expect(apple["displayName"] == "Grace Hopper" && apple["email"] == nil && apple["emailVerified"] == nil)
        let github = encode(
            FederatedProof(
                provider: "github", issuer: "https://github.com", subject: "7", audience: "app",
                email: try EmailAddress("octo@example.com"), claims: ["login": "octo", "id": 7]))
        #expect(github["providerId"] == "github.com" && github["screenName"] == "octo")
        #expect(github["emailVerified"] == false && github["rawUserInfo"] == #"{"login":"octo","id":7}"#)
    }

    @Test(
        "R12.5 the provider's tokens go to the app that brought them, its refresh token only where that was asked for")
    func tokens() {
        let proof = FederatedProof(
            provider: "oidc.acme", issuer: "https://idp.example", subject: "1", audience: "app",
            tokens: UpstreamTokens(
                access: Secret("access"), refresh: Secret("refresh"), id: Secret("id"),
                expiresAt: Instant(seconds: 1_780_000_600)))
        let json = encode(proof)
        #expect(json["oauthIdToken"] == "id" && json["oauthAccessToken"] == "access" && json["oauthExpireIn"] == 600)
        #expect(json["oauthRefreshToken"] == nil)
        #expect(encode(proof, returnsRefreshToken: true)["oauthRefreshToken"] == "refresh")
    }
}
