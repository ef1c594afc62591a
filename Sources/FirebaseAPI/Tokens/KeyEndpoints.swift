// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import Hummingbird
import JOSE

/// The public keys of ID tokens and of session cookies.
enum KeyEndpoints {
    static let certificatePath = "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
    static let keyPath = "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"

    /// How long verifiers keep what they read. Without it some of them ask again for every token; a key stands by for
    /// longer than this before it signs.
    private static let cacheControl = "public, max-age=300, must-revalidate, no-transform"

    /// A JSON object from `kid` to a certificate in PEM.
    static func certificates(_ call: DialectCall) async throws -> Response {
        try await publish(call.dialect.certificates, call) { $0.certificates }
    }

    /// As ``certificates(_:)``, of session cookies.
    static func cookieCertificates(_ call: DialectCall) async throws -> Response {
        try await publish(call.dialect.cookieCertificates, call) { $0.certificates }
    }

    /// A JSON Web Key Set (RFC 7517).
    static func keys(_ call: DialectCall) async throws -> Response {
        try await publish(call.dialect.certificates, call) { try JWKSet($0.keys).publicObject }
    }

    /// As ``keys(_:)``, of session cookies.
    static func cookieKeys(_ call: DialectCall) async throws -> Response {
        try await publish(call.dialect.cookieCertificates, call) { try JWKSet($0.keys).publicObject }
    }

    private static func publish(
        _ catalog: CertificateCatalog, _ call: DialectCall, _ form: (CertificateCatalog.Edition) throws -> JSONObject
    ) async throws -> Response {
        // Made now, where the Directory has signed nothing yet: a verifier that asked first would keep an empty answer.
        _ = try await call.dialect.keys.signingKey(catalog.purpose, of: call.directory, at: call.now)
        let edition = try await catalog.edition(at: call.now)
        var response = Answer.object(try form(edition))
        response.headers[.cacheControl] = cacheControl
        return response
    }
}
