// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What an identity provider says of somebody, in this dialect's members: of every answer of `signInWithIdp`, whatever
/// became of it.
struct ProviderProfile: Sendable {
    let provider: ProviderID
    let proof: FederatedProof

    init(_ proof: FederatedProof) {
        self.proof = proof
        provider = ProviderID(proof.provider)
    }

    /// - Parameters:
    ///   - returnsRefreshToken: whether the app asked for the provider's.
    ///   - now: that `oauthExpireIn` counts from.
    func add(to json: inout JSONObject, returnsRefreshToken: Bool, at now: Instant) {
        json["providerId"] = .string(provider.text)
        json["federatedId"] = .string(federatedID)
        json["email"] = proof.email.map { .string($0.rawValue) }
        json["emailVerified"] = proof.email.map { _ in .bool(proof.isEmailVouched) }
        json["displayName"] = fullName.map { .string($0) }
        json["fullName"] = fullName.map { .string($0) }
        json["firstName"] = givenName.map { .string($0) }
        json["lastName"] = familyName.map { .string($0) }
        json["nickName"] = UserInfo.text(proof.claims["nickname"])
        json["photoUrl"] = UserInfo.text(proof.claims["picture"])
        json["screenName"] = screenName
        json["dateOfBirth"] = UserInfo.text(proof.claims["birthdate"])
        json["language"] = UserInfo.text(proof.claims["locale"])
        json["rawUserInfo"] = .string(JSONValue.object(rawUserInfo).text)
        addTokens(to: &json, returnsRefreshToken: returnsRefreshToken, at: now)
    }

    private func addTokens(to json: inout JSONObject, returnsRefreshToken: Bool, at now: Instant) {
        guard let tokens = proof.tokens else { return }
        json["oauthIdToken"] = tokens.id.map { .string($0.reveal()) }
        json["oauthAccessToken"] = tokens.access.map { .string($0.reveal()) }
        json["oauthExpireIn"] = tokens.expiresAt.map { .integer(max(0, $0.seconds - now.seconds)) }
        if returnsRefreshToken { json["oauthRefreshToken"] = tokens.refresh.map { .string($0.reveal()) } }
    }

    /// Of the one provider whose users were URLs once the platform still makes URLs.
    private var federatedID: String {
        provider.name == IdentityProvider.Kind.google.rawValue
            ? "https://accounts.google.com/" + proof.subject : proof.subject
    }

    private var givenName: String? { proof.givenName ?? text("given_name") }
    private var familyName: String? { proof.familyName ?? text("family_name") }

    private var fullName: String? {
        if let name = text("name") { return name }
        let parts = [givenName, familyName].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// `login` is what accounts are called at providers without OpenID Connect.
    private var screenName: JSONValue? {
        UserInfo.text(proof.claims["preferred_username"]) ?? UserInfo.text(proof.claims["login"])
    }

    /// The claims as they came; of Google's the form that its own user endpoint had, which apps read.
    private var rawUserInfo: JSONObject {
        guard provider.name == IdentityProvider.Kind.google.rawValue else { return proof.claims }
        var json: JSONObject = ["id": .string(proof.subject)]
        json["name"] = fullName.map { .string($0) }
        json["given_name"] = givenName.map { .string($0) }
        json["family_name"] = familyName.map { .string($0) }
        json["email"] = proof.email.map { .string($0.rawValue) }
        json["verified_email"] = .bool(proof.claims["email_verified"] == true)
        json["picture"] = UserInfo.text(proof.claims["picture"])
        json["locale"] = UserInfo.text(proof.claims["locale"])
        json["hd"] = UserInfo.text(proof.claims["hd"])
        return json
    }

    private func text(_ claim: String) -> String? { UserInfo.text(proof.claims[claim])?.stringValue }
}
