// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import Testing

@testable import FirebaseAPI

@Suite struct SessionCookieTests {
    private func cookie(
        _ bench: FirebaseBench, _ token: JSONValue?, _ duration: JSONValue? = nil, place: String = ""
    ) async throws -> FirebaseBench.Reply {
        var body = JSONObject()
        body["idToken"] = token
        body["validDuration"] = duration
        return try await bench.administer(place + ":createSessionCookie", body)
    }

    @Test("R10.5 a session cookie says what its ID token said, for as long as it was asked for, by keys of its own")
    func contents() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let session = try await bench.signIn("ada@example.com")
        bench.advance(.minutes(10))
        let reply = try await cookie(bench, session["idToken"], "86400")
        #expect(reply.status == 200 && reply.json.names == ["sessionCookie"], "\(reply.text)")
        let text = try #require(reply["sessionCookie"]?.stringValue)
        var claims = try FirebaseBench.claims(text)
        var token = try FirebaseBench.claims(session["idToken"]?.stringValue)
        #expect(claims["iss"] == "https://session.firebase.google.com/default")
        #expect(claims["iat"]?.integerValue == bench.now.seconds)
        #expect(claims["exp"]?.integerValue == bench.now.seconds + 86_400)
        for name in ["iss", "iat", "exp"] {
            claims[name] = nil
            token[name] = nil
        }
        #expect(claims == token)

        let keys = try await bench.send(.get, "/identitytoolkit.googleapis.com/v1/sessionCookiePublicKeys")
        #expect(keys.headers[.cacheControl]?.contains("max-age=") == true)
        let set = try JWKSet(parsing: Array(keys.text.utf8))
        let parsed = try ParsedJWS(parsing: text.utf8)
        let key = try #require(set.keys.first { $0.keyID == parsed.header.keyID })
        try parsed.verify(with: VerificationKey(key), allowing: [.rs256])
        let path = "/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys"
        let certificates = try await bench.send(.get, path).json
        #expect(Set(certificates.names) == Set(set.keys.compactMap(\.keyID)))
        // Neither set verifies the other's.
        let ofTokens = try await bench.send(.get, "/www.googleapis.com" + KeyEndpoints.certificatePath).json
        #expect(Set(ofTokens.names).isDisjoint(with: certificates.names))
        // A cookie is no ID token.
        #expect(try await bench.call("lookup", ["idToken": .string(text)]).code == "INVALID_ID_TOKEN")
        #expect(try await cookie(bench, .string(text)).code == "INVALID_ID_TOKEN")
    }

    @Test("R10.5 durations are 5 minutes to 14 days, which is what a cookie gets that names none")
    func durations() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let token = try await bench.signIn("ada@example.com")["idToken"]
        for (duration, isTaken) in [
            (300, true), (1_209_600, true), (299, false), (1_209_601, false), (0, false), (-1, false),
        ] as [(Int64, Bool)] {
            let reply = try await cookie(bench, token, .integer(duration))
            #expect(isTaken ? reply.status == 200 : reply.code == "INVALID_DURATION", "\(duration): \(reply.text)")
        }
        let longest = try FirebaseBench.claims(try await cookie(bench, token)["sessionCookie"]?.stringValue)
        #expect(longest["exp"]?.integerValue == bench.now.seconds + 1_209_600)
        #expect(try await cookie(bench, token, "soon").status == 400)
    }

    @Test("R10.5 an expired, revoked, foreign or missing ID token makes no cookie, and no user makes one themselves")
    func refused() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        let token = try await bench.signIn("ada@example.com")["idToken"]
        #expect(try await cookie(bench, nil).code == "MISSING_ID_TOKEN")
        #expect(try await cookie(bench, "x").code == "INVALID_ID_TOKEN")
        let unsigned = try await bench.send(
            .post, "\(FirebaseBench.toolkit)/v1/projects/default:createSessionCookie?key=\(bench.key)",
            body: JSONValue.object(["idToken": try #require(token)]).text)
        #expect(unsigned.status == 401)
        #expect(try await bench.administer(":createSomething", [:]).status == 404)
        bench.advance(.seconds(2))
        _ = try await bench.administer(
            "/accounts:update", ["localId": .string(id), "validSince": .string(String(bench.now.seconds))])
        #expect(try await cookie(bench, token).code == "TOKEN_EXPIRED")
        let next = try await bench.signIn("ada@example.com")["idToken"]
        #expect(try await cookie(bench, next).status == 200)
        bench.advance(.hours(1))
        #expect(try await cookie(bench, next).code == "TOKEN_EXPIRED")
    }

    @Test("R10.5 the keys of cookies stay published for as long as a cookie that they signed lives")
    func rotation() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let token = try await bench.signIn("ada@example.com")["idToken"]
        let text = try #require(try await cookie(bench, token)["sessionCookie"]?.stringValue)
        let kid = try #require(try ParsedJWS(parsing: text.utf8).header.keyID)
        try await bench.keys.rotate(bench.directory, purpose: .sessionCookies, immediately: true, at: bench.now)
        let path = "/identitytoolkit/v3/relyingparty/publicKeys"
        bench.advance(.days(14))
        #expect(try await bench.send(.get, path).json[kid] != nil)
        bench.advance(.hours(1))
        #expect(try await bench.send(.get, path).json[kid] == nil)
    }
}
