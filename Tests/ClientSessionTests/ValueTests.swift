// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Testing

struct ValueTests {
    @Test("R13.1 F-8 No token, password or ticket shows where a value is printed")
    func redacted() {
        let tokens = TokenSet(
            accessToken: Secret("hidden-1"), idToken: Secret("hidden-2"), refreshToken: Secret("hidden-3"),
            lifetime: .hours(1), attachments: Secret(["device": "hidden-4"]))
        let values: [Any] = [
            tokens, SessionGrant(tokens: tokens, user: nil, serverDate: nil),
            SignInProof.password(identifier: "ada@example.org", password: Secret("hidden-5")),
            AwaitedStep(kind: .confirmation, ticket: Secret(["ticket": "hidden-6"])),
            HTTPRequest(
                "POST", "https://example.org/token?code=hidden-7#hidden-8",
                headers: [HTTPHeader("authorization", "Bearer hidden-9")], body: Array("hidden-10".utf8)),
        ]
        for value in values {
            #expect(!"\(value)".contains("hidden"))
            #expect(!String(describing: value).contains("hidden"))
        }
    }

    @Test("R13.1 F10 Only a definite answer of a service ends a session")
    func definite() {
        let ending = (AuthErrorCode.allKnown + AuthErrorCode.allOfClient).filter(\.endsSession)
        #expect(
            Set(ending) == [
                .sessionExpired, .tokenExpired, .refreshTokenNotFound, .refreshTokenReused, .sessionNotFound,
                .tokensRevoked, .tokenInvalid, .userBanned, .userNotFound,
            ])
    }
}
