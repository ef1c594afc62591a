// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Testing

struct AuthorizationRequestTests {
    let client = OAuthClient(
        clientID: "app", authorizationEndpoint: "https://id.example/authorize",
        tokenEndpoint: "https://id.example/token",
        issuer: "https://id.example", scopes: ["openid"])

    func request(_ uri: String = "myapp://callback", sendsIssuer: Bool = false) -> AuthorizationRequest {
        var client = client
        client.sendsIssuer = sendsIssuer
        return AuthorizationRequest(of: client, redirectURI: uri, random: CountingRandom())
    }

    @Test("R13.3 RFC 7636, appendix B: the challenge is the verifier's SHA-256 in base64url")
    func challenge() {
        let key = ProofKey(verifier: Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("R13.3 RFC 6749, section 4.1.1: the browser is sent to the server with all that the code is bound to")
    func address() throws {
        let request = AuthorizationRequest(
            of: client, redirectURI: "http://127.0.0.1:5001/a b", scopes: ["email", "openid"],
            parameters: [("prompt", "login")], random: SystemRandomSource())
        let query = request.address.split(separator: "?", maxSplits: 1)
        #expect(query[0] == "https://id.example/authorize")
        let fields = try #require(FormFields.decode(query[1]))
        #expect(Set(fields.map(\.name)).count == fields.count)
        let values = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
        #expect(values["response_type"] == "code")
        #expect(values["redirect_uri"] == "http://127.0.0.1:5001/a b")
        #expect(values["scope"] == "openid email")
        #expect(values["prompt"] == "login")
        #expect(values["nonce"] == request.nonce.reveal())
        #expect(values["code_challenge"] == request.proofKey.challenge)
        #expect(values["code_challenge_method"] == "S256")
        #expect(values["state"]?.utf8.count == 43)
        let other = AuthorizationRequest(of: client, redirectURI: "x:/y", random: SystemRandomSource())
        #expect(other.proofKey.challenge != request.proofKey.challenge)
        #expect(other.nonce.reveal() != request.nonce.reveal())
    }

    @Test("R13.3 A redirect brings its code to the sign-in that asked for it")
    func code() throws {
        let request = request()
        let state = state(of: request)
        #expect(try request.code(from: "myapp://callback?code=c%2B1&state=\(state)").reveal() == "c+1")
        #expect(try request.code(from: "MyApp://CALLBACK?code=c&state=\(state)#_=_").reveal() == "c")
        #expect(try request.code(from: "myapp://callback#code=c&state=\(state)").reveal() == "c")
        #expect(
            try request.code(from: "myapp://callback/?code=c&state=\(state)&iss=https%3A%2F%2Fid.example").reveal()
                == "c")
    }

    @Test(
        "R13.3 RFC 6749, section 10.12: another sign-in's redirect, another server's, and one that can be read two ways bring nothing",
        arguments: [
            ("myapp://callback?code=c&state=other", AuthErrorCode.flowStateNotFound),
            ("myapp://callback?code=c", .flowStateNotFound),
            ("myapp://callback?code=c&state=", .flowStateNotFound),
            ("myapp://callback?code=c&state=STATE&code=d", .invalidRedirect),
            ("myapp://callback?code=c&state=STATE#state=STATE", .invalidRedirect),
            ("myapp://callback?code=c&co%64e=d&state=STATE", .invalidRedirect),
            ("myapp://callback?state=STATE", .invalidRedirect),
            ("myapp://callback?code=&state=STATE", .invalidRedirect),
            ("myapp://callback?code=%zz&state=STATE", .invalidRedirect),
            ("myapp://callback?code=%ff&state=STATE", .invalidRedirect),
            ("myapp://elsewhere?code=c&state=STATE", .invalidRedirect),
            ("myapp://callback/more?code=c&state=STATE", .invalidRedirect),
            ("myapp://callback@evil.example?code=c&state=STATE", .invalidRedirect),
            ("other://callback?code=c&state=STATE", .invalidRedirect),
            ("?code=c&state=STATE", .invalidRedirect), ("", .invalidRedirect),
            ("myapp://callback?code=c&state=STATE&iss=https%3A%2F%2Fevil.example", .invalidRedirect),
            ("myapp://callback?error=access_denied&state=other", .flowStateNotFound),
        ])
    func refused(redirect: String, code: AuthErrorCode) {
        let request = request()
        let redirect = redirect.replacing("STATE", with: state(of: request))
        let error = #expect(throws: AuthError.self) { try request.code(from: redirect) }
        #expect(error?.code == code)
    }

    @Test("R13.3 RFC 9207, section 2.4: where every redirect says who sent it, one that does not brings nothing")
    func issuer() throws {
        let request = request(sendsIssuer: true)
        let state = state(of: request)
        #expect(throws: AuthError(.invalidRedirect)) {
            try request.code(from: "myapp://callback?code=c&state=\(state)")
        }
        #expect(
            try request.code(from: "myapp://callback?code=c&state=\(state)&iss=https%3A%2F%2Fid.example").reveal()
                == "c")
    }

    @Test(
        "R13.3 Y-US1 Y-E2 A server's refusal is told apart from the user's own",
        arguments: [
            ("access_denied", AuthErrorCode.cancelled), ("server_error", .unavailable),
            ("temporarily_unavailable", .unavailable), ("login_required", .reauthenticationNeeded),
            ("invalid_scope", .invalidRequest), ("unauthorized_client", .flowNotAllowed),
            ("made_up", .identityProviderRefused),
        ])
    func errors(error: String, code: AuthErrorCode) {
        let request = request()
        for tail in ["&state=\(state(of: request))", ""] {
            let thrown = #expect(throws: AuthError.self) {
                try request.code(from: "myapp://callback?error=\(error)&error_description=No%0Away\(tail)")
            }
            #expect(thrown?.code == code)
            #expect(thrown?.reason == "\(error): No way")
        }
    }

    @Test("R13.3 A redirect of any length and any bytes is refused or read, and never ends the app")
    func anything() {
        let request = request()
        var random = SystemRandomNumberGenerator()
        let pieces = [
            "myapp", "://", "callback", "?", "#", "&", "=", "%", "%2", "state", "code", "\u{0}", "é", "+", "@",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            #expect(throws: AuthError.self) { try request.code(from: text.joined()) }
        }
        #expect(throws: AuthError(.invalidRedirect)) {
            try request.code(from: "myapp://callback?code=" + String(repeating: "c", count: 20_000))
        }
    }

    @Test("R13.3 F-8 Neither state, nonce nor verifier show where a request is printed")
    func redacted() {
        let request = request()
        for text in ["\(request)", String(reflecting: request), "\(request.proofKey)", "\([request])"] {
            for secret in [state(of: request), request.nonce.reveal(), request.proofKey.verifier.reveal()] {
                #expect(!text.contains(secret))
            }
        }
    }
}

/// The state that a request sends.
func state(of request: AuthorizationRequest) -> String {
    let query = request.address.split(separator: "?", maxSplits: 1).last ?? ""
    return FormFields.decode(query)?.first { $0.name == "state" }?.value ?? ""
}

/// The bytes 0, 1, 2… anew at each call.
struct CountingRandom: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0) } }
}
