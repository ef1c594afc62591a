// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// The members of an answer as `PublicKeyCredential.toJSON()` writes it (Web Authentication Level 3, sections 5.1.8 and
/// 5.1.9), each with the most octets that it may have. Members that are not known are ignored.
struct ResponseMembers {
    /// Octets of a whole answer: an attestation with five certificates, in Base64URL, and what is written beside it
    /// once more.
    static let longest = 256 << 10

    let id: [UInt8]
    private let response: JSONObject

    /// - Throws: ``WebAuthnError/Code/malformed`` unless it is a public key credential whose two names are one.
    init(_ object: JSONObject) throws(WebAuthnError) {
        response = object["response"]?.objectValue ?? [:]
        guard object["type"]?.stringValue == "public-key" else {
            throw WebAuthnError(.malformed, "no public key credential")
        }
        let name = try Self.octets("rawId", of: object, atMost: AuthenticatorData.longestID)
        guard let name, !name.isEmpty else { throw WebAuthnError(.malformed, "rawId is missing") }
        guard object["id"]?.stringValue.map({ Array($0.utf8) }) == Base64URL.encodedBytes(name) else {
            throw WebAuthnError(.credentialMismatch, "id and rawId differ")
        }
        id = name
    }

    static func object(_ text: [UInt8]) throws(WebAuthnError) -> JSONObject {
        guard text.count <= longest else { throw WebAuthnError(.tooLarge, "the answer") }
        let limits = JSONLimits(depth: 16, members: 256, bytes: longest)
        guard let object = try? JSONObject(parsing: text, limits: limits) else {
            throw WebAuthnError(.malformed, "the answer is no JSON object")
        }
        return object
    }

    func octets(_ name: String, atMost limit: Int) throws(WebAuthnError) -> [UInt8] {
        guard let octets = try optionalOctets(name, atMost: limit) else {
            throw WebAuthnError(.malformed, "\(name) is missing")
        }
        return octets
    }

    /// `nil` for a member that is missing, `null` or empty.
    func optionalOctets(_ name: String, atMost limit: Int) throws(WebAuthnError) -> [UInt8]? {
        let octets = try Self.octets(name, of: response, atMost: limit)
        return octets?.isEmpty == false ? octets : nil
    }

    private static func octets(
        _ name: String, of object: JSONObject, atMost limit: Int
    ) throws(WebAuthnError) -> [UInt8]? {
        switch object[name] {
        case .none, .null?: return nil
        case .string(let text)?:
            // Four characters are three octets.
            guard text.utf8.count <= (limit + 2) / 3 * 4 else { throw WebAuthnError(.tooLarge, name) }
            guard let octets = Base64URL.decode(text) else {
                throw WebAuthnError(.malformed, "\(name) is not Base64URL")
            }
            guard octets.count <= limit else { throw WebAuthnError(.tooLarge, name) }
            return octets
        default: throw WebAuthnError(.malformed, "\(name) is no text")
        }
    }

    /// Ways to the authenticator (section 5.8.4), each once, as they came. Unknown ones are kept, for clients to
    /// understand.
    func transports() throws(WebAuthnError) -> [String] {
        guard let values = response["transports"], !values.isNull else { return [] }
        guard let texts = values.arrayValue?.map(\.stringValue), texts.count <= 16 else {
            throw WebAuthnError(.malformed, "transports")
        }
        var transports: [String] = []
        for text in texts {
            guard let text, 1...32 ~= text.utf8.count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                throw WebAuthnError(.malformed, "transports")
            }
            if !transports.contains(text) { transports.append(text) }
        }
        return transports
    }
}
