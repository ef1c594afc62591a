// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import CryptoExtras
import JOSE

/// The JSON file by which the Admin SDKs speak for a service account. It holds the private key, and there is no second
/// copy.
public struct ServiceAccountFile: Sendable {
    /// Where `token_uri` leads: below the server's URL.
    static let tokenPath = "/oauth2.googleapis.com/token"

    public let json: Secret<JSONObject>

    /// - Parameters:
    ///   - privateKey: of ``key``.
    ///   - directory: the one that the key is of.
    ///   - url: the server's, as its clients reach it.
    /// - Throws: ``AuthErrorCode/internalFailure`` for a key that is no RSA key.
    public init(
        _ key: ServiceAccountKey, privateKey: SigningKey, in directory: Directory, url: String
    ) throws {
        guard let der = privateKey.rsaPrivateKey,
            let rsa = try? _RSA.Signing.PrivateKey(derRepresentation: der.reveal())
        else { throw AuthError(.internalFailure, reason: "not an RSA key: \(key.id)") }
        let email = ServiceAccountEmail(key.account, in: directory).text
        json = Secret([
            "type": "service_account", "project_id": .string(directory.name),
            "private_key_id": .string(key.id.rawValue),
            // One of the SDKs reads no other form than PKCS #8 (RFC 5208).
            "private_key": .string(rsa.pkcs8PEMRepresentation + "\n"), "client_email": .string(email),
            "client_id": .string(email), "auth_uri": .string(url + "/accounts.google.com/o/oauth2/auth"),
            "token_uri": .string(url + Self.tokenPath),
            "auth_provider_x509_cert_url": .string(url + "/www.googleapis.com/oauth2/v1/certs"),
            "universe_domain": "googleapis.com",
        ])
    }
}
