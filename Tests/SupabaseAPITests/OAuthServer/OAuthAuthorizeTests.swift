// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import HTTPTypes
import TestBench
import TestBenchHTTP
import Testing

@testable import SupabaseAPI

/// `GET /oauth/authorize` and the page of the site that follows it.
@Suite struct OAuthAuthorizeTests {
    @Test(
        "R11.7 RFC 6749, section 4.1.2.1: before client and redirect URI are good nobody is sent anywhere",
        arguments: [
            (["client_id": nil], "400 validation_failed"), (["redirect_uri": nil], "400 validation_failed"),
            (["client_id": "x"], "400 oauth_client_not_found"),
            (["client_id": "018f2f6e-0000-7000-8000-000000000001"], "400 oauth_client_not_found"),
            (["redirect_uri": "https://evil.example/"], "400 validation_failed"),
            (["redirect_uri": OAuthBench.redirectURI + "?x=1"], "400 validation_failed"),
            (["redirect_uri": OAuthBench.redirectURI + "/"], "400 validation_failed"),
        ] as [([String: String?], String)])
    func refused(changes: [String: String?], outcome: String) async throws {
        let bench = try await OAuthBench()
        let reply = try await bench.authorize(changes)
        #expect(reply.outcome == outcome && reply.headers[.location] == nil, "\(reply.text)")
    }

    @Test(
        "R11.7 what else is wrong goes back to the client as invalid_request, with its state",
        arguments: [
            ["response_type": "token"], ["scope": "admin"], ["scope": "openid  everything"], ["scope": " "],
            ["resource": "notes"], ["resource": "https://api.example/#x"], ["code_challenge": nil],
            ["code_challenge_method": nil], ["code_challenge_method": "S512"], ["code_challenge": "short"],
            ["code_challenge": "short", "code_challenge_method": "plain"],
            ["nonce": String(repeating: "n", count: 5000)],
        ] as [[String: String?]])
    func sentBack(changes: [String: String?]) async throws {
        let bench = try await OAuthBench()
        let reply = try await bench.authorize(changes)
        let location = reply.headers[.location] ?? ""
        #expect(reply.status == 302)
        #expect(location.hasPrefix(OAuthBench.redirectURI + "?error=invalid_request&error_description="), "\(location)")
        #expect(location.hasSuffix("&state=s-1"))
    }

    @Test("R11.7 without a page of the site no request is kept, and the client learns that the server is not set up")
    func noPage() async throws {
        let bench = try await OAuthBench { $0.oauthServer.authorizationPath = "" }
        let location = try await bench.authorize().headers[.location] ?? ""
        #expect(location.hasPrefix(OAuthBench.redirectURI + "?error=server_error"), "\(location)")
    }

    @Test("R11.7 a good request is asked about on the site, who has said yes is not asked again, and both get a code")
    func approved() async throws {
        let bench = try await OAuthBench()
        let id = try await bench.pending()
        let question = try await bench.look(id)
        #expect(
            question.json == [
                "authorization_id": .string(id), "redirect_uri": .string(OAuthBench.redirectURI),
                "client": ["id": .string(bench.client), "name": "Notes"],
                "user": ["id": .string(bench.user), "email": "ada@example.com"], "scope": "openid email",
            ], "\(question.text)")
        let answer = try await bench.answer(id)
        #expect(answer["redirect_url"]?.stringValue?.hasPrefix(OAuthBench.redirectURI + "?code=") == true)
        #expect(try OAuthBench.parameter("state", of: answer) == "s-1")
        let again = try await bench.look(bench.pending(["scope": "email"]))
        #expect(again.names == ["redirect_url"])
        // More than was agreed to is asked about.
        #expect(try await bench.look(bench.pending(["scope": "email phone"]))["scope"] == "email phone")
    }

    @Test("R11.7 whoever says no gives nothing, also who has said yes elsewhere meanwhile")
    func denied() async throws {
        let bench = try await OAuthBench()
        let (first, second) = (try await bench.pending(), try await bench.pending())
        _ = try await bench.look(first)
        _ = try await bench.look(second)
        #expect(try OAuthBench.parameter("code", of: await bench.answer(first)).isEmpty == false)
        let no = try await bench.answer(second, "deny")
        #expect(try OAuthBench.parameter("error", of: no) == "access_denied")
        #expect(try OAuthBench.parameter("state", of: no) == "s-1")
        #expect(no["redirect_url"]?.stringValue?.contains("code=") == false)
    }

    @Test("R11.7 a request is the first viewer's: to another user it is not there, nor to who has not looked")
    func bound() async throws {
        let bench = try await OAuthBench()
        try await bench.bench.addUser("eve@example.com")
        let eve = try await bench.bench.session(of: "eve@example.com").access
        let id = try await bench.pending()
        let missing = "404 oauth_authorization_not_found"
        #expect(try await bench.answer(id).outcome == missing)
        _ = try await bench.look(id)
        #expect(try await bench.look(id, token: eve).outcome == missing)
        #expect(try await bench.answer(id, token: eve).outcome == missing)
        // The same user in a session of another device is the same user.
        let other = try await bench.bench.session(of: "ada@example.com").access
        #expect(try await bench.look(id, token: other).status == 200)
        #expect(try await bench.answer(id, token: other).status == 200)
    }

    @Test("R11.7 a request is answered once and in time")
    func once() async throws {
        let bench = try await OAuthBench { $0.oauthServer.authorizationLifetime = 60 }
        let id = try await bench.pending()
        _ = try await bench.look(id)
        #expect(try await bench.answer(id).status == 200)
        #expect(try await bench.answer(id).outcome == "400 validation_failed")
        #expect(try await bench.look(id).outcome == "400 validation_failed")
        let late = try await bench.pending()
        _ = try await bench.look(late)
        bench.bench.accounts.advance(by: .seconds(61))
        #expect(try await bench.look(late).outcome == "404 oauth_authorization_not_found")
        #expect(try await bench.answer(late).outcome == "404 oauth_authorization_not_found")
    }

    @Test(
        "R11.7 what the page says wrong is refused in the platform's words, and changes nothing",
        arguments: [#"{"action":"maybe"}"#, "{}", #"{"action":1}"#, "{", "[]"])
    func answers(body: String) async throws {
        let bench = try await OAuthBench()
        let id = try await bench.pending()
        _ = try await bench.look(id)
        let reply = try await bench.bench.send(
            .post, "/oauth/authorizations/\(id)/consent", raw: body, token: bench.access)
        #expect(["400 validation_failed", "400 bad_json"].contains(reply.outcome), "\(reply.text)")
        #expect(try await bench.look(id)["authorization_id"] == .string(id))
    }

    @Test("R11.7 a page of another site is refused, and a stranger's identifier names nothing")
    func origins() async throws {
        let bench = try await OAuthBench()
        let id = try await bench.pending()
        #expect(try await bench.look(id, from: "https://evil.example").outcome == "400 validation_failed")
        #expect(try await bench.look(id, from: "https://app.example").status == 200)
        for other in ["x", String(repeating: "x", count: 500), bench.client] {
            #expect(try await bench.look(other).outcome == "404 oauth_authorization_not_found", "\(other)")
        }
        #expect(try await bench.bench.get("/oauth/authorizations/" + id).outcome == "401 no_authorization")
    }

    @Test("R11.7 of 20 parallel approvals one is answered, and one code is made")
    func race() async throws {
        let bench = try await OAuthBench()
        let id = try await bench.pending()
        _ = try await bench.look(id)
        let answers = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 {
                group.addTask { try await bench.answer(id)["redirect_url"]?.stringValue }
            }
            return try await group.reduce(into: [String]()) { answers, answer in answer.map { answers.append($0) } }
        }
        #expect(answers.count == 1 && answers.first?.contains("?code=") == true, "\(answers)")
    }

    @Test("R11.7 RFC 7636, section 4.2: a plain challenge is taken of a client that proves itself, and binds the code")
    func plain() async throws {
        let bench = try await OAuthBench()
        let plain = ["code_challenge": OAuthBench.verifier, "code_challenge_method": "plain"]
        let other = String(repeating: "w", count: 64)
        #expect(try await bench.redeem(bench.code(plain), ["code_verifier": other])["error"] == "invalid_grant")
        #expect(try await bench.redeem(bench.code(plain), ["code_verifier": nil])["error"] == "invalid_grant")
        #expect(try await bench.redeem(bench.code(plain)).status == 200)
        let app = try await OAuthBench(["token_endpoint_auth_method": "none"])
        let location = try await app.authorize(plain.mapValues { $0 }).headers[.location] ?? ""
        #expect(location.contains("error=invalid_request"), "\(location)")
    }
}
