// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes

/// Makes of what a provider has said the proof that the domain decides by.
enum ProofMaking {
    /// Bytes that the claims of a proof take at most, as JSON, and how deep they are.
    static let largest = 16 << 10

    static let deepest = 8

    static func proof(
        of provider: IdentityProvider, issuer: String, subject: String, audience: String, claims: JSONObject
    ) -> FederatedProof {
        var proof = FederatedProof(provider: provider.name, issuer: issuer, subject: subject, audience: audience)
        let claims = bounded(claims)
        proof.claims = claims
        if let text = claims["email"]?.stringValue, let email = try? EmailAddress(text) {
            proof.email = email
            proof.isEmailVouched = EmailVouching.isVouched(email, by: provider.kind, claims)
        }
        proof.givenName = name(claims["given_name"])
        proof.familyName = name(claims["family_name"])
        proof.authenticatedAt = claims["auth_time"]?.integerValue.map { Instant(seconds: $0) }
        proof.acr = claims["acr"]?.stringValue
        proof.amr = (claims["amr"]?.arrayValue ?? []).prefix(16).compactMap(\.stringValue)
        return proof
    }

    /// What Apple's form says of the user at the very first sign-in, and never again: the name alone. Nobody has signed
    /// it, so that its address counts for nothing.
    static func add(appleUser text: String, to proof: inout FederatedProof) {
        let limits = JSONLimits(depth: 4, members: 32, bytes: 4 << 10)
        guard let user = try? JSONObject(parsing: text.utf8, limits: limits), let parts = user["name"]?.objectValue
        else { return }
        proof.givenName = name(parts["firstName"]) ?? proof.givenName
        proof.familyName = name(parts["lastName"]) ?? proof.familyName
    }

    /// The claims of an ID token, and those of UserInfo that it does not have. What is said about an address stays with
    /// that address: it is wholly of the one or of the other.
    static func merge(_ token: JSONObject, _ userInfo: JSONObject) -> JSONObject {
        let aboutAddress = ["email", "email_verified", "hd", "xms_edov"]
        let keepsAddress = token["email"]?.stringValue != nil || userInfo["email"]?.stringValue == nil
        var merged = token
        if !keepsAddress { for name in aboutAddress { merged[name] = userInfo[name] } }
        for member in userInfo.members where merged[member.name] == nil && !aboutAddress.contains(member.name) {
            merged[member.name] = member.value
        }
        return merged
    }

    /// What is looked for before all else.
    private static let standard: Set = [
        "email", "email_verified", "hd", "xms_edov", "name", "given_name", "family_name", "picture",
    ]
    /// Octets of the smallest member, as an object of its own.
    private static let smallest = "{\"\":1}".utf8.count

    /// As many members as fit, in their order, which is that of the token first. What a proof leaves out decides
    /// nothing: the identity is not among the claims.
    static func bounded(_ claims: JSONObject) -> JSONObject {
        let isFlat = claims.members.allSatisfy { hasDepth($0.value, upTo: deepest - 1) }
        guard !isFlat || claims.serialized().count > largest else { return claims }
        var kept = JSONObject()
        var left = largest - 2
        for isStandard in [true, false] {
            for member in claims.members where standard.contains(member.name) == isStandard {
                // However many there are: what can't fit is not written out to see that.
                guard member.name.utf8.count + smallest <= left else { continue }
                let size = ([member.name: member.value] as JSONObject).serialized().count
                guard size <= left, hasDepth(member.value, upTo: deepest - 1) else { continue }
                left -= size
                kept[member.name] = member.value
            }
        }
        return kept
    }

    private static func hasDepth(_ value: JSONValue, upTo limit: Int) -> Bool {
        switch value {
        case .object(let object): limit > 0 && object.members.allSatisfy { hasDepth($0.value, upTo: limit - 1) }
        case .array(let elements): limit > 0 && elements.allSatisfy { hasDepth($0, upTo: limit - 1) }
        default: true
        }
    }

    private static func name(_ value: JSONValue?) -> String? {
        guard let text = value?.stringValue, !text.isEmpty, text.utf8.count <= 1024 else { return nil }
        return text
    }
}
