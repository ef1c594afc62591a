// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Passwords

@Suite("Published password hash vectors")
struct HashVectorTests {
    @Test("Argon2id hashes of the reference implementation verify, and a changed password does not")
    func argon2id() throws {
        let cases = try VectorFiles.cases("argon2-phc.json").filter {
            $0["variant"]?.stringValue == "argon2id" && $0["large_ram"]?.boolValue != true
        }
        #expect(cases.count == 8)
        for test in cases {
            let encoded = try test.string("encoded")
            let hash = try PasswordHash(encoded)
            #expect(hash.matches(Secret(try test.string("password"))) == true, "\(encoded)")
            #expect(hash.matches(Secret(try test.string("password") + "x")) == false, "\(encoded)")
            guard case .argon2id(let parameters, let salt, let tag) = hash.algorithm else {
                Issue.record("not read as Argon2id: \(encoded)")
                continue
            }
            #expect(tag == (try test.hex("hash_hex")))
            #expect(salt == Array(try test.string("salt").utf8))
            #expect(PasswordHash(parameters, salt: salt, tag: tag).encoded == encoded)
        }
    }

    @Test(
        "R10.5 Argon2i hashes of the reference implementation verify where they can be borne; what it rejects is refused"
    )
    func argon2i() throws {
        let cases = try VectorFiles.cases("argon2-phc.json").filter { $0["variant"]?.stringValue == "argon2i" }
        var verified = 0
        for test in cases {
            let encoded = try test.string("encoded")
            let expected = try test.string("expect")
            guard !expected.hasPrefix("reject"), test["large_ram"]?.boolValue != true else {
                #expect(throws: AuthError(.invalidRequest)) { try PasswordHash(encoded) }
                continue
            }
            let hash = try PasswordHash(encoded)
            #expect(hash.matches(Secret(try test.string("password"))) == (expected == "match"), "\(encoded)")
            #expect(hash.matches(Secret(try test.string("password") + "x")) == false, "\(encoded)")
            #expect(hash.needsRehash(to: Argon2Parameters()))
            verified += 1
        }
        #expect(verified > 10)
    }

    @Test("bcrypt hashes of the prefixes 2a, 2b and 2y verify, and a changed password does not")
    func bcrypt() throws {
        let cases = try VectorFiles.cases("bcrypt-pyca.json")
        #expect(cases.count == 28)
        for test in cases {
            let encoded = try test.string("hash")
            let password = try test.hex("password_hex")
            #expect(try PasswordHash(encoded).algorithm == .bcrypt)
            // Two of the passwords hold a zero octet, at which crypt(3) would stop: those are never taken.
            let isTaken = try test.flag("match") && !password.contains(0)
            #expect(Bcrypt.verify(password, encoded) == isTaken, "\(encoded)")
            var changed = password
            changed[0] ^= 1
            #expect(!Bcrypt.verify(changed, encoded), "\(encoded)")
        }
    }

    @Test("scrypt vectors of RFC 7914 verify, and the one of 1 GiB is refused")
    func scrypt() throws {
        var verified = 0
        for test in try VectorFiles.cases("scrypt-rfc7914.json") {
            let cost =
                "ln=\(try test.integer("N").trailingZeroBitCount),r=\(try test.integer("r")),p=\(try test.integer("p"))"
            let salt = Base64.encodeUnpadded(Array(try test.string("salt").utf8))
            let encoded = "$scrypt$\(cost)$\(salt)$\(Base64.encodeUnpadded(try test.hex("hex")))"
            if try test.flag("large") {
                #expect(throws: AuthError(.invalidRequest)) { try PasswordHash(encoded) }
                continue
            }
            let hash = try PasswordHash(encoded)
            #expect(hash.matches(Secret(try test.string("password"))) == true, "\(cost)")
            #expect(hash.matches(Secret(try test.string("password") + "x")) == false, "\(cost)")
            verified += 1
        }
        #expect(verified == 3)
    }

    @Test("PBKDF2 with HMAC-SHA-256: every vector of Wycheproof within the bounds verifies, and no other password does")
    func pbkdf2() throws {
        let groups = try #require(
            try JSONObject(parsing: VectorFiles.contents("pbkdf2-hmac-sha256-wycheproof.json"))["testGroups"]?
                .arrayValue)
        let cases = groups.compactMap(\.objectValue?["tests"]?.arrayValue).joined().compactMap(\.objectValue)
        #expect(cases.count == 60)
        var refused = 0
        for test in cases {
            let password = try test.hex("password")
            let tag = try test.hex("dk")
            let salt = Base64.encodeUnpadded(try test.hex("salt"))
            let encoded =
                "$pbkdf2-sha256$i=\(try test.integer("iterationCount"))$\(salt)$\(Base64.encodeUnpadded(tag))"
            guard tag.count <= 64 else {
                #expect(throws: AuthError(.invalidRequest)) { try PasswordHash(encoded) }
                refused += 1
                continue
            }
            guard case .pbkdf2(let hash) = try PasswordHash(encoded).algorithm else {
                Issue.record("not read as PBKDF2: \(encoded)")
                continue
            }
            #expect(hash.matches(password) == true, "\(encoded)")
            #expect(hash.matches(password + [120]) == false, "\(encoded)")
        }
        #expect(refused == 16)
    }

    @Test("scrypt with a signer key: every published vector verifies, padded or not, and a changed password does not")
    func signerKeyScrypt() throws {
        let cases = try VectorFiles.cases("signer-key-scrypt.json")
        #expect(cases.count == 28)
        for test in cases {
            let fields = (try test.string("signer_key"), try test.string("salt"), try test.string("hash"))
            let encoded = "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=\(fields.0)$\(fields.1)$\(fields.2)"
            let password = try test.string("password")
            #expect(try PasswordHash(encoded).matches(Secret(password)) == true, "\(encoded)")
            #expect(try PasswordHash(encoded).matches(Secret(password + "x")) == false, "\(encoded)")
            let unpadded = encoded.replacing("==", with: "")
            #expect(try PasswordHash(unpadded).matches(Secret(password)) == true, "\(unpadded)")
            #expect(try PasswordHash(encoded).needsRehash(to: Argon2Parameters()))
        }
    }
}
