// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Testing

struct DescriptionTests {
    @Test("R13.1 F-8 Neither a request nor an answer shows a token, a password or a code, however it is printed")
    func redacted() {
        let header = HTTPHeader("Authorization", "Bearer hidden-token")
        let request = HTTPRequest(
            "POST", "https://example.org/token?code=hidden-code", headers: [header], body: Array("hidden-body".utf8))
        let answer = HTTPResponse(status: 302, headers: [HTTPHeader("Location", "app://x?code=hidden-code")], body: [1])
        let tokens = TokenSet(accessToken: Secret("hidden-token"), refreshToken: Secret("hidden"), lifetime: .hours(1))
        let grant = SessionGrant(tokens: tokens, user: nil, serverDate: nil)
        let step = AwaitedStep(kind: .code, ticket: Secret(["session": "hidden-ticket"]))
        let proofs: [SignInProof] = [
            .callback(url: Secret("app://x?code=hidden-code")), .password(identifier: "i", password: Secret("hidden")),
            .code(identifier: "i", code: Secret("hidden")), .link(tokenHash: Secret("hidden"), kind: "recovery"),
            .identityToken(ProviderIdentity(provider: "google", idToken: Secret("hidden"))),
        ]
        var dumped = ""
        for value in [header, request, answer, [header], tokens, grant, step, AuthState.awaiting(step), proofs] as [Any]
        {
            dump(value, to: &dumped)
            dumped += "\(value) \(String(reflecting: value))"
        }
        #expect(!dumped.contains("hidden"))
        // Bytes are printed as numbers.
        #expect(!dumped.contains("104"))
        #expect(dumped.contains("POST https://example.org/token") && dumped.contains("302"))
    }

    @Test("R13.1 F10 An error of whatever an app gives the library keeps its kind")
    func errors() {
        struct Unknown: Error { let secret = "hidden" }
        let known: [(any Error, AuthErrorCode)] = [
            (AuthError(.weakPassword), .weakPassword), (TransportError.offline, .network),
            (TransportError.untrusted, .untrustedServer), (SecureStoreError.locked, .storeUnavailable),
            (CancellationError(), .cancelled), (Unknown(), .internalFailure),
        ]
        for (error, code) in known { #expect(AuthError(of: error).code == code) }
        #expect(AuthError(of: Unknown()).reason == "Unknown")
    }
}
