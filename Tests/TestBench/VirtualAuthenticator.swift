// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

/// An authenticator and the browser before it (Web Authentication Level 3), made of nothing that the product judges
/// them by: takes the options that a server gives and answers as `PublicKeyCredential.toJSON()` writes it. It does what
/// it is told, and what it should not.
public struct VirtualAuthenticator: Sendable {
    public struct Credential: Sendable {
        public var id: [UInt8]
        public var relyingPartyID: String
        public var userHandle: [UInt8]
        fileprivate var key: P256.Signing.PrivateKey
    }

    public enum Failure: Error {
        /// The options are none.
        case options
        /// It has one of those that are not to be made again.
        case excluded
        case noCredential
    }

    /// Of the page that asks.
    public var origin: String
    /// In place of what the options say.
    public var relyingPartyID: String?
    public var challenge: String?
    public var type: String?
    /// Which model it says that it is: 16 octets.
    public var aaguid = [UInt8](repeating: 0, count: 16)
    public var isUserVerified = true
    public var isUserPresent = true
    /// Whether what it makes may be kept in several places (BE, BS).
    public var isBackedUp = false
    /// What it has counted; it counts where this is not 0.
    public var count: UInt32 = 0
    public private(set) var credentials: [Credential] = []

    public init(origin: String) {
        self.origin = origin
    }

    /// `navigator.credentials.create()`
    ///
    /// - Parameter options: `PublicKeyCredentialCreationOptionsJSON`
    public mutating func create(_ options: JSONObject) throws -> JSONObject {
        guard let asked = options["challenge"]?.stringValue, let party = options["rp"]?.objectValue?["id"]?.stringValue,
            let handle = options["user"]?.objectValue?["id"]?.stringValue.flatMap({ Base64URL.decode($0) })
        else { throw Failure.options }
        let excluded = (options["excludeCredentials"]?.arrayValue ?? []).compactMap {
            $0.objectValue?["id"]?.stringValue.flatMap { Base64URL.decode($0) }
        }
        guard !credentials.contains(where: { excluded.contains($0.id) }) else { throw Failure.excluded }
        let key = P256.Signing.PrivateKey()
        let id = Array(SHA256.hash(data: key.publicKey.rawRepresentation))
        credentials.append(Credential(id: id, relyingPartyID: party, userHandle: handle, key: key))
        return registration(of: credentials[credentials.count - 1], asked)
    }

    /// Shows one that it has as if it had just made it.
    public func again(_ place: Int, _ options: JSONObject) throws -> JSONObject {
        guard let asked = options["challenge"]?.stringValue, credentials.indices.contains(place) else {
            throw Failure.options
        }
        return registration(of: credentials[place], asked)
    }

    private func registration(of credential: Credential, _ asked: String) -> JSONObject {
        let (id, key, party) = (credential.id, credential.key, credential.relyingPartyID)
        let clientData = clientData("webauthn.create", asked)
        let point = Array(key.publicKey.rawRepresentation)
        var cose: [UInt8] = [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]
        cose += Self.octets(Array(point.prefix(32)))
        cose.append(0x22)
        cose += Self.octets(Array(point.suffix(32)))
        var attested = aaguid
        attested += [0, UInt8(id.count)]
        attested += id
        attested += cose
        var attestation: [UInt8] = [0xA3]
        attestation += Self.text("fmt")
        attestation += Self.text("none")
        attestation += Self.text("attStmt")
        attestation.append(0xA0)
        attestation += Self.text("authData")
        attestation += Self.octets(authenticatorData(party, attested))
        return answer(
            id,
            [
                "clientDataJSON": .string(Base64URL.encode(clientData)),
                "attestationObject": .string(Base64URL.encode(attestation)), "transports": ["internal"],
            ])
    }

    /// `navigator.credentials.get()`
    ///
    /// - Parameters:
    ///   - options: `PublicKeyCredentialRequestOptionsJSON`
    ///   - chosen: in place of the first that the options allow.
    public mutating func get(_ options: JSONObject, by chosen: Credential? = nil) throws -> JSONObject {
        guard let asked = options["challenge"]?.stringValue, let party = options["rpId"]?.stringValue else {
            throw Failure.options
        }
        let allowed = (options["allowCredentials"]?.arrayValue ?? []).compactMap {
            $0.objectValue?["id"]?.stringValue.flatMap { Base64URL.decode($0) }
        }
        let found =
            chosen
            ?? credentials.first {
                $0.relyingPartyID == party && (allowed.isEmpty || allowed.contains($0.id))
            }
        guard let found else { throw Failure.noCredential }
        if count > 0 { count += 1 }
        let clientData = clientData("webauthn.get", asked)
        let data = authenticatorData(party)
        let signature = try found.key.signature(for: data + SHA256.hash(data: clientData)).derRepresentation
        return answer(
            found.id,
            [
                "clientDataJSON": .string(Base64URL.encode(clientData)),
                "authenticatorData": .string(Base64URL.encode(data)),
                "signature": .string(Base64URL.encode(Array(signature))),
                "userHandle": .string(Base64URL.encode(found.userHandle)),
            ])
    }

    private func answer(_ id: [UInt8], _ response: JSONObject) -> JSONObject {
        [
            "id": .string(Base64URL.encode(id)), "rawId": .string(Base64URL.encode(id)), "type": "public-key",
            "authenticatorAttachment": "platform", "response": .object(response),
            "clientExtensionResults": ["credProps": ["rk": true]],
        ]
    }

    private func clientData(_ usual: String, _ asked: String) -> [UInt8] {
        JSONValue.object([
            "type": .string(type ?? usual), "challenge": .string(challenge ?? asked), "origin": .string(origin),
            "crossOrigin": false,
        ]).text.utf8.map(\.self)
    }

    private func authenticatorData(_ party: String, _ attested: [UInt8] = []) -> [UInt8] {
        var flags: UInt8 = attested.isEmpty ? 0 : 0x40
        if isUserPresent { flags |= 0x01 }
        if isUserVerified { flags |= 0x04 }
        if isBackedUp { flags |= 0x18 }
        let counter = (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> UInt32(8 * $0)) }
        var data = Array(SHA256.hash(data: Array((relyingPartyID ?? party).utf8)))
        data.append(flags)
        return data + counter + attested
    }

    /// CBOR (RFC 8949, section 3.1) of fewer than 24 octets of text, and of fewer than 65,536 octets.
    private static func text(_ text: String) -> [UInt8] { [0x60 | UInt8(text.utf8.count)] + Array(text.utf8) }

    private static func octets(_ octets: [UInt8]) -> [UInt8] {
        octets.count < 256
            ? [0x58, UInt8(octets.count)] + octets
            : [0x59, UInt8(octets.count >> 8), UInt8(octets.count & 0xFF)] + octets
    }
}
