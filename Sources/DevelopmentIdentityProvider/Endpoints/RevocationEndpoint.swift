// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// Where an app gives back what it was given. At all of them one token takes the whole consent with it.
enum RevocationEndpoint {
    static func post(_ call: Call) async throws -> Response {
        let vendor = try call.vendor
        // Whoever has a token of Google's may end it.
        if vendor != .google { _ = try ClientProof(call) }
        let revoked = call.book.revoke(token: try call.required("token"), at: vendor)
        // Google says that a token is none; RFC 7009, section 2.2, and Apple say nothing.
        guard revoked != nil || vendor != .google else {
            throw OAuthError(.badRequest, "invalid_token", "Token expired or revoked")
        }
        return vendor == .google ? Answer.json(.object([:])) : Response(status: .ok)
    }

    static func facebook(_ call: Call) async throws -> Response {
        guard let token = call["access_token"] ?? call.headers.bearerToken,
            call.book.revoke(token: token, at: .facebook) != nil
        else { throw Answer.invalidToken("Invalid OAuth access token") }
        return Answer.json(["success": true])
    }

    static func gitHub(_ call: Call) async throws -> Response {
        let client = try ClientProof(call).clientID
        guard call.context.parameters.get("client") == client, let token = call.body["access_token"]?.stringValue,
            call.book.revoke(token: token, at: .gitHub) != nil
        else { throw OAuthError(.notFound, "not_found", "Not Found") }
        return Response(status: .noContent)
    }
}
