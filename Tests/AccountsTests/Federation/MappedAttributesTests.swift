// SPDX-License-Identifier: Apache-2.0

import AccountModel
import AuthTypes
import Testing

@testable import Accounts

/// Which claim of a provider is which attribute here.
@Suite struct MappedAttributesTests {
    private static func proof(_ claims: JSONObject, email: String? = "ada@example.com") throws -> FederatedProof {
        FederatedProof(
            provider: "custom:acme", issuer: "https://acme.example", subject: "s-1", audience: "client",
            email: try email.map { try EmailAddress($0) }, isEmailVouched: true, claims: claims, givenName: "Ada")
    }

    @Test("R12.6 a claim becomes the attribute that it is mapped to, as a text, and what is not said stays away")
    func texts() throws {
        let proof = try Self.proof([
            "dept": "Analysis", "level": 7, "staff": true, "teams": ["a", 2], "empty": "", "none": .null,
            "tree": ["x": 1], "deep": [["x"]], "long": .string(String(repeating: "x", count: 2049)),
            "marks": .string("e" + String(repeating: "\u{301}", count: 31)), "half": .number(0.5),
        ])
        let mapping = [
            "custom:dept": "dept", "custom:level": "level", "custom:staff": "staff", "custom:teams": "teams",
            "custom:a": "empty", "custom:b": "none", "custom:c": "tree", "custom:d": "deep", "custom:e": "long",
            "custom:f": "marks", "custom:g": "missing", "custom:h": "half", "given_name": "firstName",
            "custom:id": "user_id",
        ]
        let expected = [
            "custom:dept": "Analysis", "custom:level": "7", "custom:staff": "true", "custom:teams": "[a, 2]",
            "given_name": "Ada", "custom:id": "s-1",
        ]
        #expect(MappedAttributes(proof, by: mapping).values == expected)
    }

    @Test("R12.6 what somebody is signed in or called by is no attribute, whatever it is mapped to")
    func decided() throws {
        let proof = try Self.proof(["x": "y", "phone": "+4930123456", "bad": "030 1"])
        let names = ["sub", "email", "email_verified", "phone_number", "phone_number_verified", "username"]
        let mapped = MappedAttributes(proof, by: Dictionary(uniqueKeysWithValues: names.map { ($0, "x") }))
        #expect(mapped.values.isEmpty && mapped.phone == nil)
        #expect(MappedAttributes(proof, by: ["phone_number": "phone"]).phone == (try PhoneNumber("+4930123456")))
        #expect(MappedAttributes(proof, by: ["phone_number": "bad"]).phone == nil)
    }

    @Test("R12.6 R46 an address from another claim than the provider's own is not vouched for")
    func address() throws {
        let proof = try Self.proof(["upn": "root@example.com", "same": "ada@example.com", "odd": "x"])
        let own = proof.addressed(by: ["email": "email", "email_verified": "staff"])
        #expect(own.isEmailVouched && own.email == proof.email)
        let other = proof.addressed(by: ["email": "upn"])
        #expect(other.email?.rawValue == "root@example.com" && !other.isEmailVouched)
        #expect(proof.addressed(by: ["email": "same"]).isEmailVouched)
        for claim in ["odd", "missing"] {
            let none = proof.addressed(by: ["email": claim])
            #expect(none.email == nil && !none.isEmailVouched, "\(claim)")
        }
    }

    @Test("R12.6 R46 the root of a tenant who writes somebody's address into a claim does not get their account")
    func takeover() async throws {
        let bench = try await FederationBench()
        let owner = try await bench.owner("ada@example.com")
        try await bench.configure("custom:acme", .openID) { $0.attributeMapping = ["email": "upn"] }
        let proof = try bench.proof(
            "custom:acme", "mallory", email: "mallory@example.com", vouched: true, claims: ["upn": "ada@example.com"])
        #expect(await bench.refusal { _ = try await bench.signIn(proof) } == .needsConfirmation)
        #expect(try await bench.identities(of: owner).isEmpty)
    }

    @Test("R12.6 name and picture that are mapped are written at each sign-in, in every dialect")
    func shared() async throws {
        let bench = try await FederationBench()
        try await bench.configure("google", .google) { $0.attributeMapping = ["name": "name", "picture": "photo"] }
        func come(_ name: String, _ photo: String?) async throws -> User {
            var claims: JSONObject = ["name": .string(name)]
            claims["photo"] = photo.map { .string($0) }
            return try await bench.signIn(
                try bench.proof("google", "1", email: "ada@example.com", vouched: true, claims: claims)
            ).record.user
        }
        #expect(try await come("Ada", "https://a.example/1").shared(.name) == "Ada")
        let later = try await come("Ada Lovelace", nil)
        #expect(later.shared(.name) == "Ada Lovelace" && later.shared(.picture) == "https://a.example/1")
    }
}
