// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@Suite struct HostedUserInfoTests {
    private func ask(_ bench: HostedBench, _ token: String?) async throws -> HTTPBench.Reply {
        try await bench.send(.get, "/oauth2/userInfo", headers: HostedBench.bearer(token))
    }

    @Test("R11.6 UserInfo says texts, flags too, by scope; with openid alone every attribute that the client may read")
    func scopes() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        for (scope, names) in [
            ("openid", ["sub", "username", "email", "email_verified", "nickname"]),
            ("openid aws.cognito.signin.user.admin", ["sub", "username", "email", "email_verified", "nickname"]),
            ("openid email", ["sub", "username", "email", "email_verified"]),
            ("openid profile", ["sub", "username", "nickname"]), ("openid phone", ["sub", "username"]),
        ] {
            let tokens = try await bench.tokens(browser, nil, ["scope": scope])
            let reply = try await ask(bench, tokens.text("access_token"))
            #expect(Set(reply.json.names) == Set(names), "\(scope)")
            #expect(reply.json.members.allSatisfy { $0.value.stringValue != nil }, "\(reply.text)")
            #expect(reply.text("username") == "ada")
            #expect(reply["sub"] == (try await bench.claims(tokens.text("access_token")))["sub"])
        }
        let posted = try await bench.post(
            "/oauth2/userInfo", [],
            headers: HostedBench.bearer(try await bench.tokens(browser).text("access_token")))
        #expect(posted.text("email_verified") == "true")
    }

    @Test("R11.6 UserInfo refuses tokens without openid, those of the pool's operations, ID tokens, and dead ones")
    func refused() async throws {
        let bench = try await HostedBench()
        let browser = try await bench.signedIn()
        let without = try await bench.tokens(browser, nil, ["scope": "aws.cognito.signin.user.admin"])
        let signedIn = try await bench.operation(
            "InitiateAuth",
            [
                "ClientId": .string(bench.app), "AuthFlow": "USER_PASSWORD_AUTH",
                "AuthParameters": ["USERNAME": "ada", "PASSWORD": .string(AccountBench.password)],
            ])
        let ofOperation = signedIn["AuthenticationResult"]?.objectValue?["AccessToken"]?.stringValue
        for token in [without.text("access_token"), ofOperation] {
            let reply = try await ask(bench, token)
            #expect(reply.outcome == "401 invalid_token")
            #expect(reply.text("error_description") == "Access token does not contain openid scope")
            #expect(reply.headers[.wwwAuthenticate]?.contains(#"error="invalid_token""#) == true)
        }
        let tokens = try await bench.tokens(browser)
        for token in [tokens.text("id_token"), (tokens.text("access_token") ?? "") + "x", "x", ""] {
            #expect(try await ask(bench, token).outcome == "401 invalid_token", "\(token ?? "")")
        }
        bench.accounts.advance(by: .minutes(61))
        #expect(try await ask(bench, tokens.text("access_token")).outcome == "401 invalid_token")
    }
}
