// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import JOSE
import Testing
import TokenVerifier

/// A claim that says what a token is cannot be hidden from the verifier by the way it is written.
@Suite("Kinds cannot be confused")
struct KindConfusionTests {
    static let common =
        #""iss":"https://id.example.org","aud":"api","sub":"user-1","iat":1799999940,"exp":1800003540"#

    static func codes(_ member: String) throws -> Set<TokenError.Code?> {
        var codes: Set<TokenError.Code?> = []
        for text in ["{\(common),\(member)}", "{\(member),\(common)}", "{ \(common) ,\n\(member)}"] {
            for profile in [
                TokenProfile.openID(
                    issuer: "https://id.example.org", audiences: ["api"], algorithms: [.es256], kind: .access,
                    allowsUntypedAccessTokens: true),
                .latchkey(url: "https://id.example.org", audiences: ["api"]),
            ] {
                let token = try JWS.sign(Array(text.utf8), with: TestKeys.elliptic)
                let verifier = try TokenVerifier(profile, TestKeys.set(TestKeys.elliptic))
                codes.insert(refusal(of: token, by: verifier)?.code)
            }
        }
        return codes
    }

    @Test("the token that the others are made from is an access token")
    func control() throws {
        #expect(try Self.codes(#""session_id":"s-1""#) == [nil])
    }

    @Test(
        "a logout, refresh or ID token is told by its claims, however they are written",
        arguments: [
            #""events":{},"session_id":"s-1""#, #""events":null,"session_id":"s-1""#,
            #""events" : [ ] ,"session_id":"s""#,
            #""\u0065vents":{},"session_id":"s-1""#, #""events":{"a":"\ud83d\ude00"},"session_id":"s-1""#,
            #""token_use":"\u0069d","session_id":"s-1""#, #""token_us\u0065":"id","session_id":"s-1""#,
            #""token_use":null,"session_id":"s-1""#, #""token_use":["access"],"session_id":"s-1""#,
            #""typ":"Refresh","session_id":"s-1""#, #""typ":"\u0049D","session_id":"s-1""#,
            #""at_hash":"x","session_id":"s-1""#, #""c_hash":0,"session_id":"s-1""#,
            #""at\u005fhash":"x","session_id":"s""#,
        ])
    func written(_ member: String) throws {
        #expect(try Self.codes(member) == [.wrongKind])
    }

    @Test(
        "a claim that is written twice, or is no JSON, makes the token no token",
        arguments: [
            #""token_use":"access","token_use":"id""#, #""token_use":"access","token_\u0075se":"id""#,
            #""events":{"a":1,"a":2}"#, #""events":{"a":}"#, #""events":"\ud800""#, #""events":01"#, #""events":NaN"#,
            #""sub":"user-2""#, #""\u0073ub":"user-2""#, #""events":{"a":1e999}"#, #""x":"\#u{1}""#,
            "\"events\":" + String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
        ])
    func broken(_ member: String) throws {
        #expect(try Self.codes(member) == [.malformed])
    }
}
