// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// What a provider said of a user, in the members that this platform makes of it: `identity_data`, and what of it apps
/// read in `user_metadata` (`full_name`, `avatar_url`, …).
///
/// The store holds the provider's own claims, and in `email_verified` whether it vouches for the address. An identity
/// that an import brought along is in this form already.
struct IdentityData: Sendable {
    let identity: Identity
    private let claims: JSONObject

    /// Octets of `custom_claims` that go into a user's metadata, and so into tokens, whose size headers bound.
    private static let customClaimsLimit = 4 << 10

    init(_ identity: Identity) {
        self.identity = identity
        claims = identity.data
    }

    var json: JSONObject {
        guard claims["provider_id"] == nil else { return claims }
        var json = JSONObject()
        func copy(_ name: String, as member: String? = nil) {
            guard let value = claims[name], !value.isNull, value != "" else { return }
            json[member ?? name] = value
        }
        copy("iss")
        json["sub"] = .string(identity.subject)
        for name in Self.profile { copy(name) }
        let name = fullName
        switch identity.provider {
        case "microsoft":
            // There the name has one place only.
            json["name"] = nil
            json["full_name"] = claims["name"]
        case "github":
            copy("login", as: "preferred_username")
            copy("preferred_username", as: "user_name")
            copy("login", as: "user_name")
            json["full_name"] = name
        default:
            json["name"] = name
            json["full_name"] = name
        }
        if let picture = picture {
            if identity.provider != "github" { json["picture"] = picture }
            json["avatar_url"] = picture
        }
        json["email"] = claims["email"]
        json["email_verified"] = .bool(claims["email_verified"] == true)
        json["phone_verified"] = .bool(claims["phone_verified"] == true || claims["phone_number_verified"] == true)
        json["provider_id"] = .string(identity.subject)
        let custom = customClaims
        if !custom.isEmpty { json["custom_claims"] = .object(custom) }
        return json
    }

    private var fullName: JSONValue? {
        if let name = claims["name"]?.stringValue, !name.isEmpty { return .string(name) }
        let parts = ["given_name", "family_name"].compactMap { claims[$0]?.stringValue }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : .string(parts.joined(separator: " "))
    }

    /// What of it stands among a user's metadata.
    var metadata: JSONObject {
        var metadata = json
        if let custom = metadata["custom_claims"], custom.serialized().count > Self.customClaimsLimit {
            metadata["custom_claims"] = nil
        }
        return metadata
    }

    /// A URL: one provider has an object around it.
    private var picture: JSONValue? {
        let nested = claims["picture"]?.objectValue?["data"]?.objectValue?["url"]
        return [claims["picture"], claims["avatar_url"], nested].compactMap { $0?.stringValue }
            .first { !$0.isEmpty }.map { .string($0) }
    }

    private var customClaims: JSONObject {
        var custom = JSONObject()
        switch identity.provider {
        case "google": custom["hd"] = claims["hd"]
        case "apple":
            for name in ["auth_time", "is_private_email", "transfer_sub"] { custom[name] = claims[name] }
            // The provider writes it as a text at times.
            if let text = custom["is_private_email"]?.stringValue { custom["is_private_email"] = .bool(text == "true") }
        case "facebook", "github": break
        // There those alone that an operator has listed, and nobody can list any here.
        case _ where ProviderName(of: identity.provider).isCustom: break
        case "microsoft":
            custom = rest(beyond: Self.protocolClaims.union(["sub", "name", "preferred_username", "email_verified"]))
        default: custom = rest(beyond: Self.protocolClaims.union(Self.profile).union(Self.standard))
        }
        return custom
    }

    private func rest(beyond known: Set<String>) -> JSONObject {
        var rest = JSONObject()
        for member in claims.members where !known.contains(member.name) { rest[member.name] = member.value }
        return rest
    }

    /// OpenID Connect Core, section 5.1, so far as they are copied as they are.
    private static let profile: [String] = [
        "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "website",
        "gender", "birthdate", "zoneinfo", "locale", "updated_at",
    ]
    private static let standard: Set<String> = [
        "sub", "email", "email_verified", "phone_number", "phone_number_verified", "phone_verified", "picture",
        "avatar_url",
    ]
    /// What is about the token and not about the user.
    private static let protocolClaims: Set<String> = [
        "iss", "aud", "azp", "exp", "iat", "nbf", "jti", "nonce", "nonce_supported", "at_hash", "c_hash", "s_hash",
        "auth_time", "acr", "amr", "sid", "aio", "rh", "uti", "ver",
    ]
}
