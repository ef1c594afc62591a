// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// The token endpoint (RFC 6749, section 3.2).
enum TokenEndpoint {
    static func post(_ call: Call) async throws -> Response {
        let vendor = try call.vendor
        let client = try ClientProof(call).clientID
        let grant: Grant
        switch call["grant_type"] ?? (vendor.redeemsForIDTokens ? "" : "authorization_code") {
        case "authorization_code": grant = try redeemed(call, client)
        case "refresh_token" where vendor.redeemsForIDTokens:
            let token = try call.required("refresh_token")
            guard let found = call.book.grant(ofRefreshToken: token, at: call.now), found.vendor == vendor,
                found.clientID == client
            else { throw OAuthError(.badRequest, "invalid_grant", "The refresh token is not valid, or was revoked") }
            var refreshed = found
            // Neither is a new one given, nor is the sign-in's nonce said again.
            (refreshed.isOffline, refreshed.nonce) = (false, nil)
            grant = refreshed
        default: throw OAuthError(.badRequest, "unsupported_grant_type", "The grant_type is not known here")
        }
        switch grant.behaviour {
        case .normal: break
        case .slow: try await call.provider.ports.wait(Behaviour.delay)
        case .unavailable:
            throw OAuthError(
                .serviceUnavailable, "temporarily_unavailable", "The provider is down, as it was told to be")
        case .garbled:
            return Response(
                status: .ok, headers: [.contentType: "text/html"],
                body: .init(byteBuffer: ByteBuffer(string: "<html>Something went wrong")))
        }
        return try await tokens(for: grant, call)
    }

    /// What a code stands for. It is spent by whoever brings it, also where what comes with it is wrong.
    private static func redeemed(_ call: Call, _ client: String) throws(OAuthError) -> Grant {
        let vendor = call.given
        let code = try call.required("code")
        let invalid = { (description: String) in
            OAuthError(
                .badRequest, vendor == .gitHub ? "bad_verification_code" : "invalid_grant", description)
        }
        guard let grant = call.book.redeem(code, at: call.now), grant.vendor == vendor, grant.clientID == client else {
            throw invalid("The code is not valid, was used, or is another client's")
        }
        // GitHub lets a client leave it out.
        guard call["redirect_uri"].map({ $0 == grant.redirectURI }) ?? (vendor == .gitHub) else {
            throw OAuthError(.badRequest, "redirect_uri_mismatch", "The redirect_uri is another than it was")
        }
        let verifier = call["code_verifier"]
        guard
            grant.challenge.map({ challenge in verifier.map { PKCE.verify($0, against: challenge) } ?? false })
                ?? (verifier == nil)
        else { throw invalid("The code_verifier does not fit") }
        return grant
    }

    private static func tokens(for grant: Grant, _ call: Call) async throws -> Response {
        let access = call.book.accessToken(for: grant, at: call.now)
        let scope = grant.scopes.joined(separator: " ")
        switch grant.vendor {
        case .gitHub:
            return Answer.form(
                [
                    "access_token": .string(access), "token_type": "bearer",
                    "scope": .string(grant.scopes.joined(separator: ",")),
                ], unlessJSONIn: call.headers)
        case .facebook:
            return Answer.json(["access_token": .string(access), "token_type": "bearer", "expires_in": 3_600])
        case .google, .apple, .microsoft, .openID:
            var answer: JSONObject = [
                "access_token": .string(access), "token_type": "Bearer", "expires_in": 3_600,
            ]
            if grant.vendor != .apple { answer["scope"] = .string(scope) }
            if grant.scopes.contains("openid") || grant.vendor == .apple {
                let token = IDToken(grant, accessToken: access, at: call.now, url: call.url)
                answer["id_token"] = .string(try token.signed(with: await call.keys.key(of: grant.vendor)))
            }
            if grant.isOffline {
                answer["refresh_token"] = .string(call.book.refreshToken(for: grant, at: call.now))
            }
            return Answer.json(.object(answer))
        }
    }
}
