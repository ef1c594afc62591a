// SPDX-License-Identifier: Apache-2.0

import AuthTypes

extension JWK {
    /// Reads a JWK from its JSON text.
    ///
    /// - Throws: ``JOSEError`` with ``JOSEError/Code/keyInvalid`` or ``JOSEError/Code/keyTooWeak``.
    public init(parsing bytes: some Collection<UInt8>) throws(JOSEError) {
        let object: JSONObject
        do {
            object = try JSONObject(parsing: bytes, limits: JSONLimits(depth: 8, members: 256, bytes: 64 << 10))
        } catch {
            throw JOSEError(.keyInvalid, "not a JSON object: \(error)")
        }
        try self.init(object)
    }

    /// Reads a JWK from its members (RFC 7517, section 4). Members it does not know are ignored.
    public init(_ object: JSONObject) throws(JOSEError) {
        let keyID = try object.optionalString("kid")
        let algorithm = try object.optionalString("alg").map(JWSAlgorithm.init(rawValue:))
        if let algorithm, !JWSAlgorithm.allKnown.contains(algorithm) {
            throw JOSEError(.keyInvalid, "alg is not a signature algorithm")
        }
        let material = try Self.material(object)
        try Self.checkPurpose(object, isSecret: material.isSecret)
        try self.init(material, algorithm: algorithm, keyID: keyID)
    }

    /// RFC 7517, sections 4.2 and 4.3: a key marked for another purpose is not used for signatures.
    private static func checkPurpose(_ object: JSONObject, isSecret: Bool) throws(JOSEError) {
        if let use = try object.optionalString("use"), use != "sig" {
            throw JOSEError(.keyInvalid, "use is not sig")
        }
        guard let operations = object["key_ops"] else { return }
        let names = operations.arrayValue?.compactMap(\.stringValue) ?? []
        guard names.count == operations.arrayValue?.count, Set(names).count == names.count,
            names.contains("verify") || (isSecret && names.contains("sign")),
            names.allSatisfy({ $0 == "sign" || $0 == "verify" })
        else { throw JOSEError(.keyInvalid, "key_ops is not for signatures") }
    }

    private static func material(_ object: JSONObject) throws(JOSEError) -> KeyMaterial {
        switch try object.optionalString("kty") {
        case "EC":
            guard let curve = EllipticCurve(rawValue: try object.optionalString("crv") ?? "") else {
                throw JOSEError(.keyInvalid, "unknown crv")
            }
            try object.refuse("k", "n", "e")
            return .elliptic(
                curve, x: try object.octets("x", count: curve.size), y: try object.octets("y", count: curve.size),
                d: object["d"] == nil ? nil : Secret(try object.octets("d", count: curve.size)))
        case "OKP":
            guard try object.optionalString("crv") == "Ed25519" else { throw JOSEError(.keyInvalid, "unknown crv") }
            try object.refuse("k", "n", "e", "y")
            return .edwards(
                x: try object.octets("x", count: 32),
                d: object["d"] == nil ? nil : Secret(try object.octets("d", count: 32)))
        case "oct":
            try object.refuse("crv", "x", "y", "d", "n", "e")
            return .symmetric(Secret(try object.octets("k")))
        case "RSA":
            try object.refuse("k", "crv", "x", "y", "oth")
            let n = try object.integer("n")
            let e = try object.integer("e")
            try RSARules.check(modulus: n, exponent: e)
            guard object["d"] != nil else {
                // A prime without the private exponent still gives the key away.
                try object.refuse("p", "q", "dp", "dq", "qi")
                return .rsa(n: n, e: e, private: nil)
            }
            let numbers = KeyMaterial.RSAPrivate(
                d: try object.integer("d"), p: try object.integer("p"), q: try object.integer("q"),
                dp: try object.integer("dp"), dq: try object.integer("dq"), qi: try object.integer("qi"))
            try RSARules.check(numbers, modulus: n)
            return .rsa(n: n, e: e, private: Secret(numbers))
        default: throw JOSEError(.keyInvalid, "unknown kty")
        }
    }
}

extension JSONObject {
    func optionalString(_ name: String) throws(JOSEError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.stringValue else { throw JOSEError(.keyInvalid, "\(name) is not a string") }
        return text
    }

    /// Base64url of octets; of exactly `count` where one is given.
    fileprivate func octets(_ name: String, count: Int? = nil) throws(JOSEError) -> [UInt8] {
        guard let text = self[name]?.stringValue, let octets = Base64URL.decode(text), !octets.isEmpty,
            count == nil || octets.count == count
        else { throw JOSEError(.keyInvalid, "\(name) is missing or of the wrong length") }
        return octets
    }

    /// Base64urlUInt: big-endian in the fewest octets (RFC 7518, section 2).
    fileprivate func integer(_ name: String) throws(JOSEError) -> [UInt8] {
        let octets = try octets(name)
        guard octets.first != 0 else { throw JOSEError(.keyInvalid, "\(name) has a leading zero octet") }
        return octets
    }

    /// Members of another kind of key: whoever reads the one and whoever reads the other would disagree.
    fileprivate func refuse(_ names: String...) throws(JOSEError) {
        for name in names where self[name] != nil {
            throw JOSEError(.keyInvalid, "\(name) does not belong to this kind of key")
        }
    }
}
