// SPDX-License-Identifier: Apache-2.0

import AuthTypes
import Testing

@testable import Passwords

@Suite("PasswordHash")
struct PasswordHashTests {
    private static let salt = Base64.encodeUnpadded([UInt8](repeating: 1, count: 16))
    private static let tag = Base64.encodeUnpadded([UInt8](repeating: 2, count: 32))
    /// As long as ``tag``, as it must be.
    private static let signerKey = tag
    private static let bcryptBody = String(repeating: "a", count: 53)

    @Test(
        "Costs that could take the server's memory or time are refused",
        arguments: [
            "$argon2id$v=19$m=262145,t=1,p=1", "$argon2id$v=19$m=4294967295,t=1,p=1", "$argon2id$v=19$m=262144,t=5,p=1",
            "$argon2id$v=19$m=19456,t=11,p=1", "$argon2id$v=19$m=19456,t=0,p=1", "$argon2id$v=19$m=19456,t=2,p=17",
            "$argon2id$v=19$m=19456,t=2,p=0", "$argon2id$v=19$m=7,t=2,p=1", "$argon2id$v=19$m=16,t=2,p=4",
            "$argon2id$v=19$m=0,t=2,p=1", "$argon2id$v=19$m=9999999999,t=2,p=1", "$argon2id$v=16$m=262145,t=2,p=1",
            "$scrypt$ln=20,r=8,p=1", "$scrypt$ln=63,r=1,p=1", "$scrypt$ln=64,r=1,p=1", "$scrypt$ln=0,r=8,p=1",
            "$scrypt$ln=14,r=33,p=1", "$scrypt$ln=14,r=0,p=1", "$scrypt$ln=14,r=8,p=17", "$scrypt$ln=18,r=8,p=16",
            "$scrypt$ln=9999999999,r=9999999999,p=9999999999",
            "$pbkdf2-sha256$i=0", "$pbkdf2-sha256$i=2000001", "$pbkdf2-sha256$i=9999999999", "$pbkdf2-sha256$i=-1",
            "$pbkdf2-sha256$i=9223372036854775808", "$pbkdf2-sha256$r=1000", "$pbkdf2-sha256$i=1,i=1",
            "$fbscrypt$v=1,n=20,r=8,p=1,ss=Bw==,sk=\(signerKey)", "$fbscrypt$v=1,n=14,r=33,p=1,ss=Bw==,sk=\(signerKey)",
            "$fbscrypt$v=1,n=9999999999,r=8,p=1,ss=Bw==,sk=\(signerKey)",
            "$fbscrypt$v=2,n=14,r=8,p=1,ss=Bw==,sk=\(signerKey)",
            "$fbscrypt$v=1,n=14,r=8,p=17,ss=Bw==,sk=\(signerKey)", "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==",
            "$fbscrypt$v=1,n=14,r=8,p=1,sk=\(signerKey),ss=Bw==", "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=",
        ])
    func unbearable(_ cost: String) {
        #expect(throws: AuthError(.invalidRequest)) { try PasswordHash("\(cost)$\(Self.salt)$\(Self.tag)") }
    }

    @Test(
        "bcrypt's cost is from 4 to 14, in two digits",
        arguments: [
            ("04", true), ("14", true), ("03", false), ("15", false), ("31", false), ("4", false), ("+4", false),
        ])
    func bcryptCost(_ cost: String, _ isTaken: Bool) {
        #expect(((try? PasswordHash("$2b$\(cost)$\(Self.bcryptBody)")) != nil) == isTaken)
    }

    @Test("The bounds themselves are within")
    func bounds() throws {
        for cost in [
            "$argon2id$v=19$m=262144,t=4,p=1", "$argon2id$v=19$m=8,t=1,p=1", "$argon2id$v=19$m=128,t=10,p=16",
            "$scrypt$ln=17,r=8,p=1", "$scrypt$ln=1,r=1,p=1", "$scrypt$ln=20,r=2,p=2", "$pbkdf2-sha256$i=1",
            "$pbkdf2-sha256$i=2000000", "$fbscrypt$v=1,n=18,r=8,p=2,ss=,sk=\(Self.signerKey)",
        ] {
            let encoded = "\(cost)$\(Self.salt)$\(Self.tag)"
            #expect(try PasswordHash(encoded).encoded == encoded)
        }
    }

    @Test(
        "Text that only resembles a hash is refused",
        arguments: [
            "", "$", "$$$$", "$argon2id", "$argon2id$v=19$m=19456,t=2,p=1", "argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA",
            "$argon2id$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$argon2id$v=19$t=2,m=19456,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$argon2id$v=19$m=19456,t=2,p=1,x=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$argon2id$v=19$m=-1,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$argon2id$v=19$m=１９,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA==$AAAAAAAAAAAAAAAAAAAAAA",
            "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAA-_$AAAAAAAAAAAAAAAAAAAAAA",
            "$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAAAAAAAAAAAAAAAAAAAA",
            "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAA",
            "$2x$10$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyzabcdefg", "$2b$10$short",
            "$1$abcdefgh$abcdefghijkl",
            "$2b$10$abcdefghijklmnopqrstuuabcdefghijklmnopqrstuvwxyz\u{301}abcd", "5f4dcc3b5aa765d61d8327deb882cf99",
        ])
    func garbage(_ text: String) {
        #expect(throws: AuthError(.invalidRequest)) { try PasswordHash(text) }
    }

    @Test("No naughty string is taken for a hash, by itself or in the place of any part of one, and none traps")
    func naughty() throws {
        for text in try VectorFiles.naughtyStrings() {
            for candidate in [
                text, "$argon2id$\(text)", "$argon2id$v=19$\(text)$\(Self.salt)$\(Self.tag)",
                "$argon2id$v=19$m=8,t=1,p=1$\(text)$\(Self.tag)", "$2b$\(text)$\(Self.bcryptBody)", "$2b$04$\(text)",
                "$scrypt$ln=\(text),r=8,p=1$\(Self.salt)$\(Self.tag)", "$scrypt$ln=4,r=8,p=1$\(Self.salt)$\(text)",
                "$pbkdf2-sha256$i=\(text)$\(Self.salt)$\(Self.tag)", "$pbkdf2-sha256$i=1$\(text)$\(Self.tag)",
                "$fbscrypt$v=1,n=\(text),r=8,p=1,ss=Bw==,sk=\(Self.signerKey)$\(Self.salt)$\(Self.tag)",
                "$fbscrypt$v=1,n=4,r=8,p=1,ss=\(text),sk=\(Self.signerKey)$\(Self.salt)$\(Self.tag)",
            ] {
                guard let hash = try? PasswordHash(candidate) else { continue }
                // A naughty string may be a fine number or salt; nothing more than that.
                #expect(hash.matches(Secret("password")) == false)
            }
        }
    }

    @Test("No truncation and no changed character of a hash traps, and none still matches")
    func mutations() throws {
        let parameters = Argon2Parameters(memoryKiB: 8, iterations: 1)
        let salt = [UInt8](repeating: 3, count: 16)
        let tag = try #require(
            Argon2Memory().tag(of: Array("password".utf8), Argon2(parameters: parameters, salt: salt)))
        let encoded = Array(PasswordHash(parameters, salt: salt, tag: tag).encoded.utf8)
        for index in encoded.indices {
            #expect(
                (try? PasswordHash(String(decoding: encoded[..<index], as: UTF8.self)))?.matches(Secret("password"))
                    != true)
            for replacement in "$,=0Az/ ".utf8 where replacement != encoded[index] {
                var changed = encoded
                changed[index] = replacement
                guard let hash = try? PasswordHash(String(decoding: changed, as: UTF8.self)) else { continue }
                // Another cost is bearable still, and gives another hash.
                if case .argon2id(let own, _, _) = hash.algorithm, own.memoryKiB > 1 << 12 { continue }
                #expect(hash.matches(Secret("password")) != true, "\(String(decoding: changed, as: UTF8.self))")
            }
        }
    }

    @Test("No text of any length is taken beyond 512 octets, and salts and tags stay within their bounds")
    func lengths() {
        let long = Base64.encodeUnpadded([UInt8](repeating: 1, count: 65))
        for text in [
            "$argon2id$v=19$m=8,t=1,p=1$\(long)$\(Self.tag)", "$argon2id$v=19$m=8,t=1,p=1$\(Self.salt)$\(long)",
            "$scrypt$ln=4,r=8,p=1$\(long)$\(Self.tag)", "$scrypt$ln=4,r=8,p=1$\(Self.salt)$\(long)",
            "$pbkdf2-sha256$i=1$\(long)$\(Self.tag)", "$pbkdf2-sha256$i=1$\(Self.salt)$\(long)",
            "$fbscrypt$v=1,n=4,r=8,p=1,ss=,sk=\(Self.signerKey)$\(long)$\(Self.tag)",
            "$fbscrypt$v=1,n=4,r=8,p=1,ss=\(long),sk=\(Self.signerKey)$\(Self.salt)$\(Self.tag)",
            "$fbscrypt$v=1,n=4,r=8,p=1,ss=,sk=\(Self.signerKey)$\(Self.salt)$\(Self.salt)",
            "$argon2id$v=19$m=8,t=1,p=1$\(String(repeating: "A", count: 1_000_000))$\(Self.tag)",
            String(repeating: "$", count: 1_000_000),
        ] {
            #expect(throws: AuthError(.invalidRequest)) { try PasswordHash(text) }
        }
    }

    @Test("A password shows itself in no error and no description, and neither does a hash")
    func passwordUnseen() async throws {
        let password = Secret("Gartenzwerg7")
        let hash = try await HashingBench().pool().hash(password)
        var dumped = ""
        dump((password, hash), to: &dumped)
        let refused = await failure {
            let pool = HashingBench().pool(parameters: Argon2Parameters(memoryKiB: 1, iterations: 0))
            _ = try await pool.verify(password, against: nil)
        }
        let error = try #require(refused)
        for text in ["\(password)", "\(hash)", dumped, "\(error)", String(reflecting: error)] {
            #expect(!text.contains("Gartenzwerg7"))
        }
    }

    @Test("A hash shows itself in no description")
    func description() throws {
        let hash = try PasswordHash("$argon2id$v=19$m=8,t=1,p=1$\(Self.salt)$\(Self.tag)")
        var dumped = ""
        dump(hash, to: &dumped)
        for text in ["\(hash)", String(reflecting: hash), dumped] { #expect(!text.contains(Self.tag)) }
        let error = #expect(throws: AuthError.self) { try PasswordHash("$argon2id$secret") }
        #expect(error?.reason?.contains("secret") == false)
    }

    @Test("Only Argon2id at exactly the current cost needs no new hash")
    func rehash() throws {
        let current = Argon2Parameters(memoryKiB: 64, iterations: 2)
        func needs(_ cost: String) throws -> Bool {
            try PasswordHash("\(cost)$\(Self.salt)$\(Self.tag)").needsRehash(to: current)
        }
        #expect(try !needs("$argon2id$v=19$m=64,t=2,p=1"))
        #expect(try needs("$argon2id$v=19$m=32,t=2,p=1"))
        #expect(try needs("$argon2id$v=19$m=64,t=1,p=1"))
        #expect(try needs("$argon2id$v=19$m=64,t=2,p=2"))
        #expect(try needs("$scrypt$ln=4,r=8,p=1"))
        #expect(try PasswordHash("$2b$10$\(Self.bcryptBody)").needsRehash(to: current))
        let short = Base64.encodeUnpadded([UInt8](repeating: 2, count: 16))
        #expect(try PasswordHash("$argon2id$v=19$m=64,t=2,p=1$\(Self.salt)$\(short)").needsRehash(to: current))
    }
}
