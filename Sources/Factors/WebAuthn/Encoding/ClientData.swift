// SPDX-License-Identifier: Apache-2.0

import AuthTypes

/// What the client says of the page that asked (Web Authentication Level 3, section 5.8.1).
struct ClientData: Sendable {
    enum Ceremony: String, Sendable {
        case registration = "webauthn.create"
        case authentication = "webauthn.get"
    }

    /// Octets that are read at most.
    static let longest = 8 << 10
    /// A challenge has at least 16 octets (section 13.4.3): an empty one would be answered by anything.
    static let shortestChallenge = 16

    let type: String
    let challenge: String
    let origin: String
    let isCrossOrigin: Bool
    let topOrigin: String?

    /// By the standard's UTF-8 decode: a byte order mark is passed over, and what is no text is replaced, so that it is
    /// equal to nothing that is expected. Members that are not known are ignored (section 5.8.1.1): clients add some at
    /// random.
    init(_ octets: [UInt8]) throws(WebAuthnError) {
        guard octets.count <= Self.longest else { throw WebAuthnError(.tooLarge, "client data") }
        let text = String(
            decoding: octets.starts(with: [0xEF, 0xBB, 0xBF]) ? octets[3...] : octets[...], as: UTF8.self)
        let limits = JSONLimits(depth: 8, members: 64, bytes: Self.longest * 3)
        guard let object = try? JSONObject(parsing: text.utf8, limits: limits),
            let type = object["type"]?.stringValue, let challenge = object["challenge"]?.stringValue,
            let origin = object["origin"]?.stringValue
        else { throw WebAuthnError(.malformed, "client data") }
        (self.type, self.challenge, self.origin) = (type, challenge, origin)
        switch object["crossOrigin"] {
        case .none, .null?: isCrossOrigin = false
        case .bool(let value)?: isCrossOrigin = value
        default: throw WebAuthnError(.malformed, "client data: crossOrigin")
        }
        switch object["topOrigin"] {
        case .none, .null?: topOrigin = nil
        case .string(let value)?: topOrigin = value
        default: throw WebAuthnError(.malformed, "client data: topOrigin")
        }
    }

    /// Section 7.1, steps 7 to 11, and section 7.2, steps 10 to 14. Texts are compared by their octets.
    func check(
        _ ceremony: Ceremony, challenge expected: [UInt8], _ relyingParty: RelyingParty
    ) throws(WebAuthnError) {
        guard type.utf8.elementsEqual(ceremony.rawValue.utf8) else { throw WebAuthnError(.ceremonyMismatch) }
        guard expected.count >= Self.shortestChallenge,
            constantTimeEqual(Array(challenge.utf8), Base64URL.encodedBytes(expected))
        else { throw WebAuthnError(.challengeMismatch) }
        guard Self.contains(relyingParty.origins, origin) else { throw WebAuthnError(.originNotAllowed) }
        guard isCrossOrigin || topOrigin != nil else { return }
        switch relyingParty.embedding {
        case .anywhere: return
        case .within(let origins):
            if let topOrigin, Self.contains(origins, topOrigin) { return }
        case .refused: break
        }
        throw WebAuthnError(.embeddingNotAllowed)
    }

    /// Texts that are canonically equivalent are equal as strings, and are not the same origin.
    private static func contains(_ origins: [String], _ origin: String) -> Bool {
        origins.contains { $0.utf8.elementsEqual(origin.utf8) }
    }
}
