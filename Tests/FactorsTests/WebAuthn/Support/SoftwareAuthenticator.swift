// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto

@testable import Factors

/// An authenticator and the client before it, which do what they are told, and what they should not.
struct SoftwareAuthenticator {
    enum PrivateKey {
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)

        func sign(_ message: [UInt8]) throws -> [UInt8] {
            switch self {
            case .p256(let key): try Array(key.signature(for: message).derRepresentation)
            case .p384(let key): try Array(key.signature(for: message).derRepresentation)
            case .p521(let key): try Array(key.signature(for: message).derRepresentation)
            case .ed25519(let key): try Array(key.signature(for: message))
            }
        }

        var cose: CBORValue {
            switch self {
            case .p256(let key): Self.elliptic(-7, 1, Array(key.publicKey.rawRepresentation))
            case .p384(let key): Self.elliptic(-35, 2, Array(key.publicKey.rawRepresentation))
            case .p521(let key): Self.elliptic(-36, 3, Array(key.publicKey.rawRepresentation))
            case .ed25519(let key):
                .map([
                    .integer(1): .integer(1), .integer(3): .integer(-8), .integer(-1): .integer(6),
                    .integer(-2): .bytes(Array(key.publicKey.rawRepresentation)),
                ])
            }
        }

        private static func elliptic(_ algorithm: Int64, _ curve: Int64, _ point: [UInt8]) -> CBORValue {
            .map([
                .integer(1): .integer(2), .integer(3): .integer(algorithm), .integer(-1): .integer(curve),
                .integer(-2): .bytes(Array(point.prefix(point.count / 2))),
                .integer(-3): .bytes(Array(point.suffix(point.count / 2))),
            ])
        }
    }

    static let userHandle = Array("user-0001".utf8)
    static let challenge = [UInt8](0..<32)
    static let origin = "https://login.example.org"
    static let relyingParty = RelyingParty(id: "example.org", origins: [origin, "https://example.org"])

    var key = PrivateKey.p256(P256.Signing.PrivateKey())
    var id = [UInt8](100..<132)
    var aaguid = [UInt8](repeating: 7, count: 16)
    var relyingPartyID = "example.org"
    /// UP and UV.
    var flags: UInt8 = 0b101
    var count: UInt32 = 0
    var extensions: CBORValue?
    var origin = Self.origin
    var type: String?
    var crossOrigin: String?
    var userHandle: [UInt8]? = Self.userHandle

    func clientData(_ ceremony: String, _ challenge: [UInt8]) -> [UInt8] {
        Array(
            (#"{"type":"\#(type ?? ceremony)","challenge":"\#(Base64URL.encode(challenge))","origin":"\#(origin)""#
                + (crossOrigin ?? #","crossOrigin":false"#) + "}").utf8)
    }

    func data(_ attested: [UInt8] = []) -> [UInt8] {
        let own = flags | (attested.isEmpty ? 0 : 0x40) | (extensions == nil ? 0 : 0x80)
        let counter = (0..<4).reversed().map { UInt8(truncatingIfNeeded: count >> UInt32(8 * $0)) }
        return SHA256.hash(data: Array(relyingPartyID.utf8)) + [own] + counter + attested
            + (extensions.map(CBORWriter.write) ?? [])
    }

    func registrationData() -> [UInt8] {
        let length = [UInt8(truncatingIfNeeded: id.count >> 8), UInt8(truncatingIfNeeded: id.count)]
        return data(aaguid + length + id + CBORWriter.write(key.cose))
    }

    static func attestation(_ format: String, _ statement: CBORValue, _ data: [UInt8]) -> [UInt8] {
        CBORWriter.write(
            .map([.text("fmt"): .text(format), .text("attStmt"): statement, .text("authData"): .bytes(data)]))
    }

    func register(_ challenge: [UInt8] = Self.challenge) -> RegistrationResponse {
        RegistrationResponse(
            id: id, clientDataJSON: clientData("webauthn.create", challenge),
            attestationObject: Self.attestation("none", .map([:]), registrationData()), transports: ["internal"])
    }

    /// With an attestation of the format `packed` that `sign` makes of what is to be signed.
    func register(packed sign: ([UInt8]) throws -> [CBORValue.Key: CBORValue]) throws -> RegistrationResponse {
        var response = register()
        let message = registrationData() + SHA256.hash(data: response.clientDataJSON)
        response.attestationObject = Self.attestation("packed", .map(try sign(message)), registrationData())
        return response
    }

    func authenticate(_ challenge: [UInt8] = Self.challenge) throws -> AuthenticationResponse {
        let clientData = clientData("webauthn.get", challenge)
        let data = data()
        return AuthenticationResponse(
            id: id, clientDataJSON: clientData, authenticatorData: data,
            signature: try key.sign(data + SHA256.hash(data: clientData)), userHandle: userHandle)
    }

    func record(count: UInt32 = 0) -> CredentialRecord {
        CredentialRecord(
            id: id, publicKey: CBORWriter.write(key.cose), signatureCount: count, isBackupEligible: flags & 8 != 0,
            userHandle: Self.userHandle)
    }
}

/// With which code `body` was refused; `nil` when it was not.
func refusal(_ body: () throws -> Void) -> WebAuthnError.Code? {
    do {
        try body()
        return nil
    } catch { return (error as? WebAuthnError)?.code }
}
