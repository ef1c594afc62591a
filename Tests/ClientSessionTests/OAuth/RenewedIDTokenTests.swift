// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import ClientSession
import Testing

struct RenewedIDTokenTests {
    private let now = Instant(seconds: 1_800_000_000)

    private func token(_ subject: String, _ changes: JSONObject = [:]) -> Secret<String> {
        let claims: JSONObject = [
            "iss": "https://id.example", "sub": .string(subject), "aud": "app", "exp": 1_800_003_600,
        ]
        let header = Base64URL.encode(Array(#"{"alg":"RS256"}"#.utf8))
        return Secret("\(header).\(Base64URL.encode(claims.merging(changes).serialized())).c2ln")
    }

    private func renewed(
        _ given: Secret<String>?, after former: Secret<String>?
    ) throws(AuthError) -> RenewedIDToken {
        try RenewedIDToken(given, after: former) { claims throws(AuthError) in
            try claims.check(issuer: "https://id.example", clientID: "app", nonce: nil, now: now)
        }
    }

    @Test("R13.3 C-8 A good ID token takes the former one's place")
    func good() throws {
        let next = token("u1", ["name": "Ada"])
        let renewed = try renewed(next, after: token("u1"))
        #expect(renewed.token?.reveal() == next.reveal() && renewed.claims?.members["name"] == "Ada")
    }

    @Test(
        "R13.3 C-8 one that can't be taken leaves the former: the refresh token beside it is the session's all the same",
        arguments: [
            ["iss": "https://evil.example"], ["aud": "other"], ["exp": 1_700_000_000], ["exp": "soon"],
        ] as [JSONObject])
    func bad(changes: JSONObject) throws {
        let former = token("u1")
        let renewed = try renewed(token("u1", changes), after: former)
        #expect(renewed.token?.reveal() == former.reveal() && renewed.claims == nil)
        for given in [nil, Secret("no token"), Secret("a.b.c")] {
            #expect(try self.renewed(given, after: former).token?.reveal() == former.reveal())
        }
    }

    @Test("R13.3 another user's is refused, whatever else is wrong with it")
    func anothers() {
        for changes in [[:], ["aud": "other"]] as [JSONObject] {
            #expect(throws: AuthError(.identityTokenInvalid)) { try renewed(token("u2", changes), after: token("u1")) }
        }
    }
}
