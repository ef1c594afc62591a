// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// Which credential is meant (Web Authentication Level 3, section 5.8.3).
public struct CredentialDescriptor: Sendable, Hashable {
    public var id: [UInt8]
    /// As its client named them when it was made.
    public var transports: [String]

    public init(id: [UInt8], transports: [String] = []) {
        self.id = id
        self.transports = transports
    }

    var json: JSONValue {
        var object: JSONObject = ["type": "public-key", "id": .string(Base64URL.encode(id))]
        if !transports.isEmpty { object["transports"] = .array(transports.map(JSONValue.string)) }
        return .object(object)
    }
}
