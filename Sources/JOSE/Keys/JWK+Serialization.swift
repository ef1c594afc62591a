// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

extension JWK {
    /// The members to publish, with `use` and, where the key has one, `alg` and `kid`; `nil` for an HMAC secret.
    public var publicObject: JSONObject? {
        guard let numbers = material.publicPart?.requiredMembers else { return nil }
        var object = numbers
        describe(&object)
        return object
    }

    /// All members, private ones too.
    public var secretObject: Secret<JSONObject> {
        var object = material.requiredMembers
        switch material {
        case .elliptic(_, _, _, let d), .edwards(_, let d):
            if let d { object["d"] = .string(Base64URL.encode(d.reveal())) }
        case .rsa(_, _, let numbers):
            guard let numbers = numbers?.reveal() else { break }
            object["d"] = .string(Base64URL.encode(numbers.d))
            object["p"] = .string(Base64URL.encode(numbers.p))
            object["q"] = .string(Base64URL.encode(numbers.q))
            object["dp"] = .string(Base64URL.encode(numbers.dp))
            object["dq"] = .string(Base64URL.encode(numbers.dq))
            object["qi"] = .string(Base64URL.encode(numbers.qi))
        case .symmetric: break
        }
        describe(&object)
        return Secret(object)
    }

    /// RFC 7638: base64url of the SHA-256 of the required members alone, in the order of their names.
    ///
    /// That of an HMAC secret tells whoever guesses the secret that he guessed right: do not publish it.
    public var thumbprint: String { material.thumbprint }

    private func describe(_ object: inout JSONObject) {
        object["use"] = "sig"
        if let algorithm { object["alg"] = .string(algorithm.rawValue) }
        if let keyID { object["kid"] = .string(keyID) }
    }
}

extension JWK: CustomStringConvertible, CustomReflectable {
    /// Names the key, never its numbers.
    public var description: String { "JWK(\(keyID ?? "no kid"))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension KeyMaterial {
    var thumbprint: String {
        let members = requiredMembers.members.sorted { $0.name < $1.name }
        var object = JSONObject()
        for member in members { object[member.name] = member.value }
        return Base64URL.encode(Array(SHA256.hash(data: object.serialized())))
    }

    /// RFC 7638, section 3.2; RFC 8037, section 2.
    fileprivate var requiredMembers: JSONObject {
        switch self {
        case .elliptic(let curve, let x, let y, _):
            [
                "kty": "EC", "crv": .string(curve.rawValue), "x": .string(Base64URL.encode(x)),
                "y": .string(Base64URL.encode(y)),
            ]
        case .rsa(let n, let e, _):
            ["kty": "RSA", "n": .string(Base64URL.encode(n)), "e": .string(Base64URL.encode(e))]
        case .edwards(let x, _): ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64URL.encode(x))]
        case .symmetric(let secret): ["kty": "oct", "k": .string(Base64URL.encode(secret.reveal()))]
        }
    }
}
