// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import ServerKit

/// `POST /id-token`: what a native SDK would hand to an app, for scripts, which have no browser. At those that have no
/// ID tokens an access token alone.
enum IDTokenEndpoint {
    static func post(_ call: Call) async throws -> Response {
        let vendor = try ScriptBody.vendor(call)
        let person = try ScriptBody.person(call, at: vendor)
        let registration = vendor.registration
        let audience = try ScriptBody.text(call, "audience") ?? registration.clientID
        guard audience.utf8.count <= 255 else { throw ScriptBody.invalid("audience") }
        var grant = Grant(
            vendor: vendor, clientID: audience, person: person,
            scopes: ["openid", "email", "profile", "name", "user:email"],
            nonce: try ScriptBody.text(call, "nonce"), redirectURI: "", signedInAt: call.now)
        grant.challenge = nil
        if registration.knows(audience) { _ = call.book.agree(person, at: vendor, to: audience) }
        let access = call.book.accessToken(for: grant, at: call.now)
        var answer: JSONObject = ["access_token": .string(access), "token_type": "Bearer", "expires_in": 3_600]
        if vendor.algorithm != nil {
            var token = IDToken(grant, accessToken: access, at: call.now, url: call.url)
            token.isNative = true
            // The phone's own client asks, and the token is for the server's.
            if audience == registration.clientID { token.authorizedParty = registration.nativeClientID }
            answer["id_token"] = .string(try token.signed(with: await call.keys.key(of: vendor)))
        }
        return Answer.json(.object(answer))
    }
}
