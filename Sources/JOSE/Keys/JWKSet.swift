// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// A JSON Web Key Set (RFC 7517, section 5), all of whose keys are for signatures.
public struct JWKSet: Sendable {
    /// The keys that could be read, in the order of the document.
    public let keys: [JWK]

    /// - Throws: ``JOSEError/Code/keySetInvalid`` for two keys of one `kid`, or public keys beside secret ones.
    public init(_ keys: [JWK]) throws(JOSEError) {
        let names = keys.compactMap(\.keyID)
        guard Set(names).count == names.count else { throw JOSEError(.keySetInvalid, "two keys have the same kid") }
        guard Set(keys.map(\.isSecret)).count < 2 else { throw Self.mixed }
        self.keys = keys
    }

    /// Reads a set from its JSON text: at most 512 KiB and 256 keys.
    ///
    /// Keys for another purpose or of an unknown kind are left out, as section 5 says, but count for the rules of
    /// ``init(_:)``. A set of which nothing is left is refused.
    public init(parsing bytes: some Collection<UInt8>) throws(JOSEError) {
        let object: JSONObject
        do {
            object = try JSONObject(parsing: bytes, limits: JSONLimits(depth: 8, members: 256, bytes: 512 << 10))
        } catch {
            throw JOSEError(.keySetInvalid, "not a JSON object: \(error)")
        }
        guard let elements = object["keys"]?.arrayValue else { throw JOSEError(.keySetInvalid, "no array of keys") }
        var usable: [JWK] = []
        var names: Set<String> = []
        var hasSecret = false
        var hasPublic = false
        for element in elements {
            guard let members = element.objectValue else { throw JOSEError(.keySetInvalid, "a key is not an object") }
            if let name = members["kid"]?.stringValue, !names.insert(name).inserted {
                throw JOSEError(.keySetInvalid, "two keys have the same kid")
            }
            let isSecret = ["d", "k", "p", "q"].contains { members[$0] != nil }
            hasSecret = hasSecret || isSecret
            hasPublic = hasPublic || !isSecret
            if let key = try? JWK(members) { usable.append(key) }
        }
        guard !(hasSecret && hasPublic) else { throw Self.mixed }
        guard !usable.isEmpty else { throw JOSEError(.keySetInvalid, "no key for signatures") }
        try self.init(usable)
    }

    /// The set to publish: public parts only, HMAC secrets left out.
    public var publicObject: JSONObject {
        ["keys": .array(keys.compactMap(\.publicObject).map(JSONValue.object))]
    }

    private static var mixed: JOSEError { JOSEError(.keySetInvalid, "public keys beside secret ones") }
}
