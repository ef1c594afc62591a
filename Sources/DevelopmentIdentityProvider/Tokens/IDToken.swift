// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import JOSE

/// An ID token as a vendor makes it (OpenID Connect Core 1.0, section 2, and what each of them adds and leaves out).
struct IDToken: Sendable {
    var vendor: Vendor
    var person: Person
    var audience: String
    /// Who asked for it, where that is not whom it is for: Google's `azp`.
    var authorizedParty: String
    var scopes: [String]
    var nonce: String?
    /// What it is handed out with, named in it by `at_hash` (section 3.1.3.6).
    var accessToken: String?
    /// Made for an app on a phone, which Apple says more to.
    var isNative = false
    var signedInAt: Instant
    var now: Instant
    /// Of this server.
    var url: String

    init(_ grant: Grant, accessToken: String?, at now: Instant, url: String) {
        vendor = grant.vendor
        person = grant.person
        audience = grant.clientID
        authorizedParty = grant.clientID
        scopes = grant.scopes
        nonce = grant.nonce
        self.accessToken = accessToken
        signedInAt = grant.signedInAt
        self.now = now
        self.url = url
    }

    /// - Throws: where the signature can't be made.
    func signed(with key: SigningKey) throws -> String {
        // Apple's name their key and nothing else.
        try JWS.sign(claims, type: vendor == .apple ? nil : JWS.defaultType, with: key)
    }

    var claims: JSONObject {
        var claims: JSONObject = [
            "iss": .string(vendor.issuer(url: url, tenant: person.tenant)), "sub": .string(person.subject),
            "aud": .string(audience), "iat": .integer(now.seconds),
            "exp": .integer(now.seconds + vendor.idTokenLifetime),
        ]
        claims["nonce"] = nonce.map { .string($0) }
        // Microsoft's have none where a code was redeemed.
        if vendor != .microsoft { claims["at_hash"] = accessToken.map { .string(Self.hash(of: $0)) } }
        switch vendor {
        case .google: addGoogles(to: &claims)
        case .apple: addApples(to: &claims)
        case .microsoft: addMicrosofts(to: &claims)
        case .openID:
            claims["auth_time"] = .integer(signedInAt.seconds)
            claims = claims.merging(Profile(person).standard(scopes))
        case .facebook, .gitHub: claims = claims.merging(Profile(person).facebookToken)
        }
        return claims.merging(person.claims)
    }

    private func addGoogles(to claims: inout JSONObject) {
        claims["azp"] = .string(authorizedParty)
        claims["hd"] = person.hostedDomain.map { .string($0) }
        claims = claims.merging(Profile(person).standard(scopes))
    }

    /// The name is never in it, and what is true or false is text.
    private func addApples(to claims: inout JSONObject) {
        claims["auth_time"] = .integer(signedInAt.seconds)
        claims["nonce_supported"] = true
        if isNative { claims["real_user_status"] = 2 }
        guard let email = person.email else { return }
        claims["email"] = .string(email)
        claims["email_verified"] = person.isEmailVerified ? "true" : "false"
        if person.isPrivateEmail { claims["is_private_email"] = "true" }
    }

    /// The address is whatever an administrator of the directory has written; only `xms_edov` vouches for its domain.
    private func addMicrosofts(to claims: inout JSONObject) {
        claims["nbf"] = claims["iat"]
        claims["ver"] = "2.0"
        claims["tid"] = .string(person.tenant)
        claims["oid"] = .string(Self.objectID(of: person))
        if scopes.contains("profile") {
            claims["name"] = person.name.map { .string($0) }
            claims["preferred_username"] = person.email.map { .string($0) }
        }
        guard scopes.contains("email"), let email = person.email else { return }
        claims["email"] = .string(email)
        if person.isDomainOwnerVerified { claims["xms_edov"] = true }
    }

    /// The left half of the hash that the signature is made with; all algorithms here have SHA-256.
    static func hash(of token: String) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(token.utf8)).prefix(16)))
    }

    /// The same for every app of the directory, where `sub` is one for each.
    private static func objectID(of person: Person) -> String {
        UUIDText.encode(Array(SHA256.hash(data: Array("oid of \(person.subject)".utf8)))[..<16])
    }
}
