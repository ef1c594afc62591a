// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import JOSE
import Testing

@testable import FirebaseAPI

@Suite struct TokenTests {
    @Test("A refresh answers in snake case, with numbers as strings, and the refresh token stays")
    func refresh() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        let first = try await bench.signIn("ada@example.com")
        let token = try #require(first["refreshToken"]?.stringValue)
        let signedInAt = bench.now.seconds
        bench.advance(.hours(1))
        for _ in 0..<3 {
            let reply = try await bench.refresh(token)
            #expect(reply.status == 200, "\(reply.text)")
            #expect(
                reply.json.names == [
                    "access_token", "expires_in", "token_type", "refresh_token", "id_token", "user_id", "project_id",
                ])
            #expect(reply["refresh_token"]?.stringValue == token)
            #expect(reply["access_token"] == reply["id_token"])
            #expect(reply["expires_in"] == "3600" && reply["token_type"] == "Bearer")
            #expect(reply["user_id"]?.stringValue == id && reply["project_id"] == "default")
            let claims = try FirebaseBench.claims(reply["id_token"]?.stringValue)
            #expect(claims["auth_time"]?.integerValue == signedInAt)
            #expect(claims["iat"]?.integerValue == bench.now.seconds)
        }
        let json = try await bench.send(
            .post, "/v1/token?key=" + bench.key,
            body: #"{"grantType":"refresh_token","refreshToken":"\#(token)"}"#,
            headers: [.contentType: "application/json"])
        #expect(json.status == 200)
    }

    @Test("Bad refresh requests are told apart as the platform does")
    func refusals() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        let token = try #require(try await bench.signIn("ada@example.com")["refreshToken"]?.stringValue)
        func refused(_ body: String) async throws -> String? {
            try await bench.send(
                .post, "/v1/token?key=" + bench.key, body: body,
                headers: [.contentType: "application/x-www-form-urlencoded; charset=utf-8"]
            ).code
        }
        #expect(try await refused("") == "MISSING_GRANT_TYPE")
        #expect(try await refused("grant_type=password") == "INVALID_GRANT_TYPE")
        #expect(try await refused("grant_type=refresh_token") == "MISSING_REFRESH_TOKEN")
        #expect(try await refused("grant_type=refresh_token&refresh_token=x") == "INVALID_REFRESH_TOKEN")
        let forged = token.dropLast() + (token.last == "A" ? "B" : "A")
        #expect(try await refused("grant_type=refresh_token&refresh_token=\(forged)") != nil)
        #expect(try await refused("grant_type=refresh_token&refresh_token=other~\(token)") == "INVALID_REFRESH_TOKEN")
        _ = try await bench.administer("/accounts:update", ["localId": .string(id), "disableUser": true])
        #expect(try await bench.refresh(token).code == "USER_DISABLED")
        _ = try await bench.administer("/accounts:delete", ["localId": .string(id)])
        #expect(try await bench.refresh(token).code == "USER_NOT_FOUND")
    }

    @Test("Revoking takes back ID and refresh tokens at once, and moves validSince")
    func revocation() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        let first = try await bench.signIn("ada@example.com")
        bench.advance(.seconds(10))
        let revoked = try await bench.administer(
            "/accounts:update", ["localId": .string(id), "validSince": .integer(bench.now.seconds)])
        #expect(revoked.status == 200, "\(revoked.text)")
        let looked = try await bench.administer("/accounts:lookup", ["localId": [.string(id)]])
        let user = looked["users"]?.arrayValue?.first?.objectValue
        #expect(user?["validSince"]?.stringValue == String(bench.now.seconds))
        #expect(try await bench.refresh(first["refreshToken"]?.stringValue ?? "").code == "TOKEN_EXPIRED")
        let token: JSONObject = ["idToken": first["idToken"] ?? ""]
        #expect(try await bench.call("lookup", token).code == "TOKEN_EXPIRED")
        let again = try await bench.signIn("ada@example.com")
        let claims = try FirebaseBench.claims(again["idToken"]?.stringValue)
        #expect((claims["auth_time"]?.integerValue ?? 0) >= bench.now.seconds)
    }

    @Test("A session that outlives a change of password elsewhere counts from there, and its older tokens are refused")
    func outlivingSession() async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let signedIn = try await bench.signIn("ada@example.com")
        let before = try FirebaseBench.claims(signedIn["idToken"]?.stringValue)
        bench.advance(.seconds(30))
        // As another dialect does it: the session goes on.
        let call = CallContext(
            directory: bench.directory, now: bench.now, device: DeviceMetadata(), language: .en,
            links: ActionLink(url: bench.dialect.settings.url, apiKey: nil, language: .en))
        let user = try await SessionAuthentication(bench.ports)(
            user: UserID(before["sub"]?.stringValue ?? ""),
            session: SessionID(before["session_id"]?.stringValue ?? ""), call: call)
        var changes = UserChanges()
        changes.password = Secret("Another-horse-8-battery")
        _ = try await UpdateUser(bench.ports)(changes, of: user, call: call)

        #expect(try await bench.call("lookup", ["idToken": signedIn["idToken"] ?? ""]).code == "TOKEN_EXPIRED")
        let reply = try await bench.refresh(signedIn["refreshToken"]?.stringValue ?? "")
        #expect(reply.status == 200, "\(reply.text)")
        let after = try FirebaseBench.claims(reply["id_token"]?.stringValue)
        #expect(after["session_id"] == before["session_id"])
        #expect(after["auth_time"]?.integerValue == bench.now.seconds)
        #expect(try await bench.call("lookup", ["idToken": reply["id_token"] ?? ""]).status == 200)
    }

    @Test("Forged, foreign and expired ID tokens are refused", arguments: [0, 1, 2, 3, 4, 5])
    func forgeries(which: Int) async throws {
        let bench = try await FirebaseBench()
        try await bench.addUser("ada@example.com")
        let good = try #require(try await bench.signIn("ada@example.com")["idToken"]?.stringValue)
        let parts = good.split(separator: ".").map(String.init)
        var claims = try FirebaseBench.claims(good)
        let token: String
        var code = "INVALID_ID_TOKEN"
        switch which {
        case 0: token = parts[0] + "." + parts[1] + "."
        case 1: token = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8)) + "." + parts[1] + "."
        case 2: token = "x"
        case 3:
            // Of the Directory's other key, which is for another dialect.
            let key = try await bench.keys.signingKey(.tokens, of: bench.directory, at: bench.now)
            token = try JWS.sign(claims, with: key)
        case 4:
            claims["aud"] = "other"
            let key = try await bench.keys.signingKey(.compatibility, of: bench.directory, at: bench.now)
            token = try JWS.sign(claims, with: key)
        default:
            token = good
            code = "TOKEN_EXPIRED"
            bench.advance(.seconds(3600))
        }
        let reply = try await bench.call("lookup", ["idToken": .string(token)])
        #expect(reply.status == 400 && reply.code == code, "\(which): \(reply.text)")
    }

    @Test(
        "R10.5 an operator's claim called name or picture is in the token, whether or not the user has one of their own"
    )
    func claimsBesideTheProfile() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        let claims = #"{"name":"Dr. Lovelace","picture":"https://example.com/staff.png"}"#
        for own in [nil, "Ada"] as [String?] {
            var body: JSONObject = ["localId": .string(id), "customAttributes": .string(claims)]
            body["displayName"] = own.map { .string($0) }
            #expect(try await bench.administer("/accounts:update", body).status == 200)
            let token = try await bench.signIn("ada@example.com")["idToken"]?.stringValue
            let said = try FirebaseBench.claims(token)
            #expect(said["name"] == "Dr. Lovelace" && said["picture"] == "https://example.com/staff.png")
        }
    }

    @Test("Operator's claims are at the top of the token, and none of them displaces a claim of its own")
    func customClaims() async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        let wanted = #"{"admin":true,"level":7,"email":"x@x.example","user_id":"y"}"#
        let set = try await bench.administer(
            "/accounts:update", ["localId": .string(id), "customAttributes": .string(wanted)])
        #expect(set.status == 200, "\(set.text)")
        let claims = try FirebaseBench.claims(try await bench.signIn("ada@example.com")["idToken"]?.stringValue)
        #expect(claims["admin"] == true && claims["level"] == 7)
        #expect(claims["email"] == "ada@example.com" && claims["user_id"]?.stringValue == id)
        for (text, code) in [
            ("[1]", "INVALID_CLAIMS"), ("x", "INVALID_CLAIMS"), (#"{"sub":"x"}"#, "FORBIDDEN_CLAIM"),
            (#"{"firebase":1}"#, "FORBIDDEN_CLAIM"),
            (#"{"a":""# + String(repeating: "x", count: 1000) + #""}"#, "CLAIMS_TOO_LARGE"),
        ] {
            let reply = try await bench.administer(
                "/accounts:update", ["localId": .string(id), "customAttributes": .string(text)])
            #expect(reply.code == code, "\(text.prefix(20)): \(reply.text)")
        }
        let kept = try await bench.administer("/accounts:lookup", ["localId": [.string(id)]])
        let attributes = kept["users"]?.arrayValue?.first?.objectValue?["customAttributes"]?.stringValue
        #expect(attributes?.contains(#""level":7"#) == true)
        _ = try await bench.administer("/accounts:update", ["localId": .string(id), "customAttributes": "{}"])
        let gone = try await bench.administer("/accounts:lookup", ["localId": [.string(id)]])
        #expect(gone["users"]?.arrayValue?.first?.objectValue?["customAttributes"] == nil)
    }

    @Test("R8.18 setting the clock back keeps nobody out", arguments: [TimeSpan.hours(-1), .days(-1)])
    func clockSetBack(step: TimeSpan) async throws {
        let bench = try await FirebaseBench()
        let id = try await bench.addUser("ada@example.com")
        let revoked = try await bench.signIn("ada@example.com")
        bench.advance(.seconds(5))
        _ = try await bench.administer(
            "/accounts:update", ["localId": .string(id), "validSince": .integer(bench.now.seconds)])
        let before = try await bench.signIn("ada@example.com")
        bench.advance(step)
        // What was issued before goes on; what was taken back before stays so.
        #expect(try await bench.call("lookup", ["idToken": before["idToken"] ?? ""]).status == 200)
        #expect(try await bench.call("lookup", ["idToken": revoked["idToken"] ?? ""]).status == 400)
        let refreshed = try await bench.refresh(before["refreshToken"]?.stringValue ?? "")
        #expect(refreshed.status == 200, "\(refreshed.text)")
        let again = try await bench.signIn("ada@example.com")
        for token in [refreshed["id_token"], again["idToken"]] {
            let claims = try FirebaseBench.claims(token?.stringValue)
            #expect(claims["iat"]?.integerValue == bench.now.seconds)
            #expect(claims["auth_time"]?.integerValue == bench.now.seconds)
            #expect(try await bench.call("lookup", ["idToken": token ?? ""]).status == 200)
        }
        // A moment's session may delete its account; one of the future may not.
        #expect(try await bench.call("delete", ["idToken": refreshed["id_token"] ?? ""]).status == 400)
        #expect(try await bench.call("delete", ["idToken": again["idToken"] ?? ""]).status == 200)
    }
}
