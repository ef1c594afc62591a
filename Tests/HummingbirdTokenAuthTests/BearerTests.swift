// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import HummingbirdTokenAuth
import JOSE
import Logging
import NIOCore
import Testing
import TokenVerifier

@Suite("Bearer tokens in front of an API")
struct BearerTests {
    let bench: APIBench

    init() throws {
        bench = try APIBench()
        bench.router.add(
            middleware: TokenAuthMiddleware(
                try bench.verifier(), kinds: [.access], realm: "things", metrics: bench.metrics))
        bench.addRoutes()
    }

    @Test("Y-FR5 a good token is let in, and the handler knows who it is")
    func good() async throws {
        let answer = try await bench.get("/me", .bearer(try bench.token(["aal": "aal2"])))
        #expect(answer.status == .ok)
        #expect(answer.text == "user-1 aal2")
        #expect(bench.refusals.isEmpty)
    }

    @Test(
        "the scheme's name is read without case, and blanks behind it are no matter",
        arguments: ["bearer ", "BEARER  "])
    func scheme(scheme: String) async throws {
        let answer = try await bench.get("/me", [.authorization: scheme + (try bench.token())])
        #expect(answer.status == .ok)
    }

    @Test("Y-FR11 without credentials the challenge names no error (RFC 6750, section 3.1)")
    func nothing() async throws {
        let answer = try await bench.get("/me")
        #expect(answer.status == .unauthorized)
        #expect(answer.challenge == "Bearer realm=\"things\"")
        #expect(answer.error == "unauthorized")
        #expect(answer.object?["error_description"]?.stringValue?.isEmpty == false)
        #expect(answer.headers[.contentType] == "application/json")
        #expect(bench.refusals == ["no_credentials": 1])
    }

    @Test("a token is taken from the header only: not from query, cookie or another scheme")
    func elsewhere() async throws {
        let token = try bench.token()
        #expect(try await bench.get("/me?access_token=\(token)").status == .unauthorized)
        #expect(try await bench.get("/me", [.cookie: "access_token=\(token)"]).status == .unauthorized)
        for other in ["Basic \(token)", "Token \(token)", "Bearer\(token)", "Bearerx \(token)", "", token] {
            let answer = try await bench.get("/me", [.authorization: other])
            #expect(answer.status == .unauthorized)
            #expect(answer.error == "unauthorized", "\(other.prefix(8))")
        }
    }

    @Test("two Authorization headers are one too many, whichever is good")
    func several() async throws {
        let good = "Bearer \(try bench.token())"
        for pair in [[good, good], [good, "Basic eDp5"], ["Bearer x", good]] {
            var headers = HTTPFields()
            headers[values: .authorization] = pair
            let answer = try await bench.get("/me", headers)
            #expect(answer.status == .badRequest)
            #expect(answer.error == "invalid_request")
        }
        let joined = try await bench.get("/me", [.authorization: "\(good), \(good)"])
        #expect(joined.status == .unauthorized)
        #expect(joined.error == "invalid_token")
    }

    @Test("what is no token at all is an invalid token", arguments: ["", " ", "a b", "\"x\"", "..", "a.b", "é", "a,b"])
    func malformed(token: String) async throws {
        let answer = try await bench.get("/me", .bearer(token))
        #expect(answer.status == .unauthorized)
        #expect(answer.error == "invalid_token")
        #expect(answer.challenge?.contains("error=\"invalid_token\"") == true)
        #expect(bench.refusals == ["malformed": 1])
    }

    @Test("C-8 F-5 an expired token says so, other faults say only that there is one; each is counted by its code")
    func faults() async throws {
        let past = JSONValue.integer(APIBench.now.seconds - 3_000)
        let ahead = JSONValue.integer(APIBench.now.seconds + 300)
        let faults: [(JSONObject, String)] = [
            (["exp": past], "expired"), (["nbf": ahead], "not_yet_valid"), (["aud": "other"], "wrong_audience"),
            (["iss": "https://other.example"], "unknown_issuer"),
        ]
        for (changes, code) in faults {
            let answer = try await bench.get("/me", .bearer(try bench.token(changes)))
            #expect(answer.status == .unauthorized)
            #expect(answer.error == "invalid_token")
            let text = answer.object?["error_description"]?.stringValue
            #expect(text == (code == "expired" ? "The access token has expired" : "The access token is not valid"))
            #expect(bench.refusals[code] == 1)
        }
        let stranger = try SigningKey.generate(.es256, keyID: "k1")
        let forged = try JWS.sign(["iss": .string(APIBench.issuer), "aud": "api", "exp": ahead], with: stranger)
        #expect(try await bench.get("/me", .bearer(forged)).status == .unauthorized)
        #expect(bench.refusals["bad_signature"] == 1)
    }

    @Test("Y-FR12 nothing of a token, its user or the request's path is logged or answered")
    func silence() async throws {
        let token = try bench.token(["sub": "very-private", "aud": "other"])
        let answer = try await bench.get("/me?secret=hunter2", .bearer(token))
        #expect(bench.log.lines.contains { $0.text.contains("wrong_audience") })
        for part in token.split(separator: ".").map(String.init) + ["very-private", "hunter2"] {
            #expect(!bench.log.text.contains(part))
            #expect(!answer.text.contains(part))
            #expect(answer.challenge?.contains(part) == false)
        }
    }

    @Test("a path where there is nothing is protected like the others")
    func nowhere() async throws {
        #expect(try await bench.get("/nothing").status == .unauthorized)
        #expect(try await bench.get("/nothing", .bearer(try bench.token())).status == .notFound)
    }

    @Test("an answer to HEAD has no content")
    func head() async throws {
        let answer = try await bench.test { try await $0.execute(uri: "/me", method: .head) }
        #expect(answer.status == .unauthorized)
        #expect(answer.body.readableBytes == 0)
    }

    @Test("over a socket it is the same")
    func live() async throws {
        let token = try bench.token()
        try await bench.test(.live) { client in
            let good = try await client.execute(uri: "/me", method: .get, headers: .bearer(token))
            #expect(good.status == .ok)
            #expect(good.text == "user-1 aal0")
            let bare = try await client.execute(uri: "/me", method: .get)
            #expect(bare.status == .unauthorized)
            #expect(bare.challenge == "Bearer realm=\"things\"")
            var twice = HTTPFields()
            twice[values: .authorization] = ["Bearer \(token)", "Bearer \(token)"]
            #expect(try await client.execute(uri: "/me", method: .get, headers: twice).status == .badRequest)
            let after = try await client.execute(uri: "/me", method: .get, headers: .bearer(token))
            #expect(after.status == .ok)
        }
    }
}

@Suite("Tokens that cannot be judged, or no longer count")
struct AvailabilityTests {
    @Test("C-9 keys that can't be had are 503 with Retry-After, not 401 and not 500")
    func cold() async throws {
        let bench = try APIBench()
        bench.router.add(
            middleware: TokenAuthMiddleware(bench.coldVerifier(), kinds: [.access], metrics: bench.metrics))
        bench.addRoutes()
        let answer = try await bench.get("/me", .bearer(try bench.token()))
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.headers[.retryAfter] == "7")
        #expect(answer.challenge == nil)
        #expect(answer.error == "temporarily_unavailable")
        #expect(bench.refusals == ["keys_unavailable": 1])
        #expect(bench.log.lines.contains { $0.level == .error })
    }

    @Test("a token of a kind that the verifier accepts for other ends is refused here")
    func kind() async throws {
        let bench = try APIBench()
        bench.router.add(
            middleware: TokenAuthMiddleware(try bench.verifier(.id), kinds: [.access], metrics: bench.metrics))
        bench.addRoutes()
        #expect(try await bench.get("/me", .bearer(try bench.token())).error == "invalid_token")
        #expect(bench.refusals == ["wrong_kind": 1])
    }

    @Test("a token that the application has revoked is refused, and one that it can't ask about is 503")
    func revoked() async throws {
        let bench = try APIBench()
        bench.router.add(
            middleware: TokenAuthMiddleware(
                try bench.verifier(cache: VerifiedTokenCache()), kinds: [.access],
                isRevoked: { token throws(TokenError) in
                    if token.subject == "unknown" { throw TokenError(.keysUnavailable) }
                    return token.subject == "gone"
                }, metrics: bench.metrics))
        bench.addRoutes()
        for _ in 1...2 {
            #expect(try await bench.get("/me", .bearer(try bench.token())).status == .ok)
            #expect(try await bench.get("/me", .bearer(try bench.token(["sub": "gone"]))).error == "invalid_token")
            let unknown = try await bench.get("/me", .bearer(try bench.token(["sub": "unknown"])))
            #expect(unknown.status == .serviceUnavailable)
            #expect(unknown.headers[.retryAfter] == "5")
        }
        #expect(bench.refusals == ["revoked": 2, "keys_unavailable": 2])
    }
}
