// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Crypto
import HTTPTypes
import Hummingbird
import ServerKit

/// What an access token opens: UserInfo (OpenID Connect Core 1.0, section 5.3), GitHub's and Facebook's API.
enum ProfileEndpoint {
    static func userInfo(_ call: Call) async throws -> Response {
        let grant = try granted(call, by: call.headers.bearerToken)
        return Answer.json(.object(Profile(grant.person).userInfo(of: grant.vendor, grant.scopes)))
    }

    static func gitHubUser(_ call: Call) async throws -> Response {
        Answer.json(.object(Profile(try granted(call, by: gitHubWord(call)).person).gitHubUser))
    }

    static func gitHubEmails(_ call: Call) async throws -> Response {
        let grant = try granted(call, by: gitHubWord(call))
        // As for whoever has not asked for them.
        guard !Set(grant.scopes).isDisjoint(with: ["user:email", "user"]) else {
            throw OAuthError(.notFound, "not_found", "Not Found")
        }
        return Answer.json(.array(Profile(grant.person).gitHubEmails))
    }

    /// Whether a token is good, and that it was given to this app, which proves itself ("Check a token").
    static func gitHubToken(_ call: Call) async throws -> Response {
        let client = try ClientProof(call).clientID
        guard call.context.parameters.get("client") == client, let token = call.body["access_token"]?.stringValue,
            let grant = call.book.grant(ofAccessToken: token, at: call.now), grant.vendor == .gitHub,
            grant.clientID == client
        else { throw OAuthError(.notFound, "not_found", "Not Found") }
        return Answer.json([
            "token": .string(token), "app": ["client_id": .string(client), "name": .string(client)],
            "scopes": .array(grant.scopes.map { .string($0) }),
            "user": .object(Profile(grant.person).gitHubUser),
        ])
    }

    static func facebookUser(_ call: Call) async throws -> Response {
        let token = call["access_token"] ?? call.headers.bearerToken
        let grant = try granted(call, by: token)
        // Where there is one, it has to be right.
        if let proof = call["appsecret_proof"], proof != Self.proof(token ?? "") {
            throw OAuthError(.badRequest, "invalid_request", "Invalid appsecret_proof provided in the API argument")
        }
        var fields = (call["fields"] ?? "id,name").split(separator: ",").map(String.init)
        if !grant.scopes.contains("email") { fields.removeAll { $0 == "email" } }
        return Answer.json(.object(Profile(grant.person).facebookUser(fields: fields)))
    }

    /// Whether a token is good, and which app it was given to: asked with the app's own name and secret as a token.
    static func facebookToken(_ call: Call) async throws -> Response {
        let registration = Vendor.facebook.registration
        let own = "\(registration.clientID)|\(registration.secret.reveal())"
        guard let caller = call["access_token"] ?? call.headers.bearerToken,
            constantTimeEqual(Array(caller.utf8), Array(own.utf8))
        else { throw Answer.invalidToken("Invalid OAuth access token") }
        let token = try call.required("input_token")
        guard let grant = call.book.grant(ofAccessToken: token, at: call.now), grant.vendor == .facebook else {
            return Answer.json([
                "data": ["is_valid": false, "error": ["code": 190, "message": "Invalid OAuth access token"]]
            ])
        }
        return Answer.json([
            "data": [
                "app_id": .string(grant.clientID), "type": "USER", "is_valid": true,
                "user_id": .string(grant.person.subject), "scopes": .array(grant.scopes.map { .string($0) }),
                "issued_at": .integer(grant.signedInAt.seconds), "expires_at": .integer(call.now.seconds + 3_600),
            ]
        ])
    }

    /// HMAC-SHA-256 of the token with the app's secret.
    private static func proof(_ token: String) -> String {
        let key = SymmetricKey(data: Array(Vendor.facebook.registration.secret.reveal().utf8))
        return Hex.encode(Array(HMAC<SHA256>.authenticationCode(for: Array(token.utf8), using: key)))
    }

    /// GitHub takes either word.
    private static func gitHubWord(_ call: Call) -> String? {
        if let token = call.headers.bearerToken { return token }
        guard let field = call.headers[.authorization], field.prefix(6).lowercased() == "token " else { return nil }
        return String(field.dropFirst(6))
    }

    private static func granted(_ call: Call, by token: String?) throws -> Grant {
        guard let token, let grant = call.book.grant(ofAccessToken: token, at: call.now),
            grant.vendor == call.given
        else { throw Answer.invalidToken("Bad credentials") }
        return grant
    }
}
