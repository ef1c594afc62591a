// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE

@testable import FirebaseAPI

/// A service account of the bench's project, and what it signs.
struct ServiceAccountBench: Sendable {
    static let audience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

    let bench: FirebaseBench
    let key: ServiceAccountKey
    let privateKey: SigningKey
    var email: String { "\(key.account)@default.iam.gserviceaccount.com" }

    init(_ bench: FirebaseBench, _ account: String = "backend", scopes: [String] = []) async throws {
        self.bench = bench
        (key, privateKey) = try await bench.dialect.accounts.serviceAccountAdministration.create(
            account, scopes: scopes, in: bench.directory, at: bench.now)
    }

    /// The claims of a custom token as an SDK makes it.
    func claims(_ uid: JSONValue, _ change: (inout JSONObject) -> Void = { _ in }) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(email), "sub": .string(email), "aud": .string(Self.audience), "uid": uid,
            "iat": .integer(bench.now.seconds), "exp": .integer(bench.now.seconds + 3600),
        ]
        change(&claims)
        return claims
    }

    func signIn(_ claims: JSONObject, key: SigningKey? = nil, tenant: String? = nil) async throws -> FirebaseBench.Reply
    {
        var body: JSONObject = [
            "token": .string(try JWS.sign(claims, with: key ?? privateKey)), "returnSecureToken": true,
        ]
        body["tenantId"] = tenant.map { .string($0) }
        return try await bench.call("signInWithCustomToken", body)
    }

    /// What an SDK sends to `token_uri`.
    func exchange(_ change: (inout JSONObject) -> Void = { _ in }) async throws -> FirebaseBench.Reply {
        var claims: JSONObject = [
            "iss": .string(email), "aud": "https://oauth2.googleapis.com/token",
            "iat": .integer(bench.now.seconds), "exp": .integer(bench.now.seconds + 3600),
            "scope": "https://www.googleapis.com/auth/cloud-platform https://www.googleapis.com/auth/firebase",
        ]
        change(&claims)
        let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
        return try await bench.send(
            .post, "/oauth2.googleapis.com/token",
            body: "grant_type=\(grant)&assertion=\(try JWS.sign(claims, with: privateKey))",
            headers: [.contentType: "application/x-www-form-urlencoded"])
    }

    /// A token that nobody has signed, as SDKs in emulator mode make it.
    static func unsigned(_ claims: JSONObject) -> String {
        func part(_ object: JSONObject) -> String { Base64URL.encode(object.serialized()) }
        return part(["alg": "none", "typ": "JWT"]) + "." + part(claims) + "."
    }
}
