// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

/// The self-signed X.509 certificate (RFC 5280) in which this platform publishes an RSA key. Its verifiers read the key
/// out of it and look at nothing else.
///
/// Everything in it follows from the key's record, and the signature (RSASSA-PKCS1-v1_5; RFC 8017, section 8.2) from
/// that: the same record gives the same bytes on every server.
struct KeyCertificate {
    private static let commonName = "securetoken.system.gserviceaccount.com"
    /// Longer than any key is used: what ends a key is that it is no longer published.
    private static let lifetime = TimeSpan.days(20 * 365)

    let pem: String

    /// - Throws: ``AuthErrorCode/internalFailure`` for a record that holds no RSA key.
    init(_ record: SigningKeyRecord) throws {
        let key = try Self.privateKey(record)
        let name = try DistinguishedName { CommonName(Self.commonName) }
        let start = record.createdAt.seconds
        let certificate = try Certificate(
            version: .v3, serialNumber: Self.serialNumber(of: record), publicKey: .init(key.publicKey),
            notValidBefore: Date(timeIntervalSince1970: Double(start)),
            notValidAfter: Date(timeIntervalSince1970: Double(start + Self.lifetime.seconds)), issuer: name,
            subject: name, signatureAlgorithm: .sha256WithRSAEncryption,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
            }, issuerPrivateKey: .init(key))
        // A PEM text ends with the end of its line (RFC 7468, section 3).
        pem = try certificate.serializeAsPEM().pemString + "\n"
    }

    /// Positive and of 16 octets (RFC 5280, section 4.1.2.2: at most 20), from the key's name.
    private static func serialNumber(of record: SigningKeyRecord) -> Certificate.SerialNumber {
        var bytes = Array(SHA256.hash(data: Array(record.id.rawValue.utf8)).prefix(16))
        bytes[0] = bytes[0] & 0x7F | 0x40
        return Certificate.SerialNumber(bytes: bytes)
    }

    private static func privateKey(_ record: SigningKeyRecord) throws -> _RSA.Signing.PrivateKey {
        let jwk = try JSONObject(parsing: record.privateJWK.reveal().utf8)
        func number(_ name: String) throws -> [UInt8] {
            guard let bytes = jwk[name]?.stringValue.flatMap({ Base64URL.decode($0) }) else {
                throw AuthError(.internalFailure, reason: "not an RSA key: \(record.id.rawValue)")
            }
            return bytes
        }
        return try _RSA.Signing.PrivateKey(
            n: number("n"), e: number("e"), d: number("d"), p: number("p"), q: number("q"))
    }
}
