// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import JOSE
import Testing

@testable import IdentityProviders

@Suite("Whose word on an address counts")
struct EmailVouchingTests {
    /// Each JSON type, and what looks like a yes to a reader that is too kind.
    static let values: [JSONValue?] = [
        nil, .null, true, false, "true", "false", "True", "TRUE", "1", "yes", "", 0, 1, -1, 1.0, [], [true], [:],
        ["value": true],
    ]

    static let accepted: [IdentityProvider.Kind: [JSONValue]] = [
        .openID: [true], .google: [true], .apple: [true, "true"], .microsoft: [true, 1, "1", "true"],
    ]

    @Test("R46 R12.1 Of each JSON type of the flag, only what the provider writes for yes vouches for an address")
    func flags() async throws {
        let bench = ProviderBench()
        for kind in IdentityProvider.Kind.allCases where kind != .github {
            for value in Self.values {
                var claims = ProviderBench.claims(kind)
                claims["hd"] = "example.com"
                claims[kind == .microsoft ? "xms_edov" : "email_verified"] = value
                let token = try JWS.sign(claims, with: TestKeys.rsa)
                let proof = try await bench.judge(token, ProviderBench.provider(kind)).get()
                #expect(proof.email?.rawValue == "ann@example.com")
                let isAccepted = value.map { Self.accepted[kind, default: []].contains($0) } ?? false
                #expect(proof.isEmailVouched == isAccepted, "\(kind) \(value?.text ?? "missing")")
            }
        }
    }

    @Test("R46 R12.1 Google vouches for its own mail and for domains that it hosts, Microsoft not by email_verified")
    func authority() throws {
        let rows: [(IdentityProvider.Kind, String, JSONObject, Bool)] = [
            (.google, "ann@gmail.com", ["email_verified": true], true),
            (.google, "ann@gmail.com", [:], false),
            (.google, "ann@gmail.com.example", ["email_verified": true], false),
            (.google, "ann@notgmail.com", ["email_verified": true], false),
            (.google, "ann@example.com", ["email_verified": true], false),
            (.google, "ann@example.com", ["email_verified": true, "hd": ""], false),
            (.google, "ann@example.com", ["email_verified": true, "hd": true], false),
            (.google, "ann@example.com", ["email_verified": true, "hd": "example.com"], true),
            (.google, "ann@example.com", ["hd": "example.com"], false),
            (.microsoft, "ann@example.com", ["email_verified": true], false),
            (.microsoft, "ann@example.com", ["upn": "ann@example.com", "verified_primary_email": []], false),
            (.facebook, "ann@example.com", ["email_verified": true], false),
            (.openID, "ann@gmail.com", ["email_verified": true], true),
        ]
        for (kind, address, claims, isVouched) in rows {
            let email = try EmailAddress(address)
            #expect(EmailVouching.isVouched(email, by: kind, claims) == isVouched, "\(kind) \(address) \(claims.text)")
        }
    }

    @Test("R46 R12.1 What is no address is none, and a flag without an address vouches for nothing")
    func addresses() async throws {
        let bench = ProviderBench()
        for address in ["", "ann", "ann@", "ann@localhost", 1, ["ann@example.com"], .null] as [JSONValue] {
            let claims = ProviderBench.claims().merging(["email": address, "email_verified": true])
            let token = try JWS.sign(claims, with: TestKeys.rsa)
            let proof = try await bench.judge(token, ProviderBench.provider(.openID)).get()
            #expect(proof.email == nil && !proof.isEmailVouched, "\(address.text)")
        }
    }

    @Test("R46 R12.1 What UserInfo says of an address never counts for another one's")
    func userInfo() {
        let verified: JSONObject = ["email": "eve@example.com", "email_verified": true, "name": "Ann"]
        let merged = ProofMaking.merge(["sub": "1", "email": "ann@example.com"], verified)
        #expect(merged == ["sub": "1", "email": "ann@example.com", "name": "Ann"])
        let taken = ProofMaking.merge(["sub": "1", "email_verified": true], ["email": "eve@example.com"])
        #expect(taken == ["sub": "1", "email": "eve@example.com"])
    }

    @Test("R12.1 Claims beyond 16 KiB or eight levels are left out, and what decides is kept")
    func bounded() {
        var claims: JSONObject = ["groups": .array((0..<4000).map { .integer($0) })]
        var deep: JSONValue = 1
        for _ in 0..<9 { deep = [deep] }
        claims["deep"] = deep
        claims["email"] = "ann@example.com"
        claims["email_verified"] = true
        #expect(ProofMaking.bounded(claims) == ["email": "ann@example.com", "email_verified": true])
    }
}
