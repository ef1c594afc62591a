// SPDX-License-Identifier: Apache-2.0

import AccountModel
import Accounts
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import OpenIDProvider

/// UserInfo (OpenID Connect Core, section 5.3; RFC 6750).
@Suite struct UserInfoTests {
    private static let path = "/oauth2/userInfo"

    @Test("R11.1 Core, section 5.3: by GET and POST, by header and form, the same user as the ID token's")
    func ways() async throws {
        let bench = try await ProviderBench()
        let tokens = try await bench.tokens()
        let token = tokens["access_token"]?.stringValue ?? ""
        let subject = try await bench.claims(tokens["id_token"]?.stringValue)["sub"]
        let replies = [
            try await bench.get(Self.path, headers: ProviderBench.bearer(token)),
            try await bench.get(Self.path, headers: [.authorization: "bearer " + token]),
            try await bench.send(.post, Self.path, headers: ProviderBench.bearer(token)),
            try await bench.post(Self.path, [], headers: ProviderBench.bearer(token)),
            try await bench.post(Self.path, [("access_token", token)]),
        ]
        for reply in replies {
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["sub"] == subject && subject != nil)
            #expect(reply.headers[.contentType] == "application/json" && reply.headers[.cacheControl] == "no-store")
        }
    }

    @Test("R11.1 Core, section 5.4: each scope brings its claims, and what is not known of the user is left out")
    func scopes() async throws {
        let bench = try await ProviderBench()
        let browser = try await bench.signedIn()
        for (scope, names) in [
            ("openid", ["sub"]), ("openid email", ["sub", "email", "email_verified"]),
            ("openid profile", ["sub", "name", "picture", "updated_at"]), ("openid phone", ["sub"]),
            ("email openid profile", ["sub", "name", "picture", "updated_at", "email", "email_verified"]),
        ] {
            let token = try await bench.tokens(browser, nil, ["scope": scope])["access_token"]?.stringValue
            let reply = try await bench.get(Self.path, headers: ProviderBench.bearer(token))
            #expect(Set(reply.json.names) == Set(names), "\(scope): \(reply.text)")
            #expect(reply["email_verified"] == nil || reply["email_verified"] == true)
        }
    }

    @Test("R11.1 RFC 6750, section 3: what is missing, wrong, too little or given twice is told apart")
    func refusals() async throws {
        let bench = try await ProviderBench()
        let token = try await bench.tokens()["access_token"]?.stringValue ?? ""
        let none = try await bench.get(Self.path)
        #expect(none.status == 401)
        #expect(none.headers[.wwwAuthenticate] == #"Bearer realm="latchkey""#)
        for headers in [ProviderBench.bearer("x"), ProviderBench.bearer(token + "x"), bench.basic] {
            let reply = try await bench.get(Self.path, headers: headers)
            #expect(reply.outcome == "401 invalid_token")
            #expect(reply.headers[.wwwAuthenticate]?.contains(#"error="invalid_token""#) == true)
        }
        // RFC 9700, section 4.3.2.
        #expect(try await bench.get(Self.path + "?access_token=" + token).outcome == "400 invalid_request")
        let twice = try await bench.post(Self.path, [("access_token", token)], headers: ProviderBench.bearer(token))
        #expect(twice.outcome == "400 invalid_request")
        #expect(
            try await bench.post(Self.path, [("access_token", token), ("access_token", token)]).outcome
                == "400 invalid_request")
        let narrow = try await bench.tokens(nil, nil, ["scope": "notes/read"])["access_token"]?.stringValue
        let reply = try await bench.get(Self.path, headers: ProviderBench.bearer(narrow))
        #expect(reply.outcome == "403 insufficient_scope" || reply.outcome == "401 invalid_token")
        #expect(reply.headers[.wwwAuthenticate]?.contains("Bearer") == true)
    }

    @Test("R11.1 a token ends with its time, its session, its user and its client")
    func ends() async throws {
        let bench = try await ProviderBench()
        func token() async throws -> HTTPFields {
            ProviderBench.bearer(try await bench.tokens()["access_token"]?.stringValue)
        }
        let late = try await token()
        bench.accounts.advance(by: .seconds(3601))
        #expect(try await bench.get(Self.path, headers: late).outcome == "401 invalid_token")
        let banned = try await token()
        let client = try await token()
        var call = bench.accounts.call()
        call.now = bench.now
        var ban = UserAttributes()
        ban.ban = .indefinitely
        _ = try await bench.accounts.flows.userAdministration.update(bench.user.id, ban, call: call)
        #expect(try await bench.get(Self.path, headers: banned).outcome == "401 invalid_token")
        ban.ban = .lift
        _ = try await bench.accounts.flows.userAdministration.update(bench.user.id, ban, call: call)
        try await bench.accounts.flows.clientAdministration.delete(bench.web.id, call: call)
        bench.accounts.flows.clients.invalidate()
        #expect(try await bench.get(Self.path, headers: client).outcome == "401 invalid_token")
    }
}
